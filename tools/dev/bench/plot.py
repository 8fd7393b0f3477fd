"""A plot of the rates over the row length, as SVG without any library."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 860, 480, 70, 60, 40, 150
COLOURS = ("#888888", "#d95f02", "#7570b3", "#1b9e77", "#e7298a", "#66a61e")


def ticks(most):
    """Round numbers from 0 up to at least `most`."""
    step = 10 ** math.floor(math.log10(most))
    step = next(size for size in (step / 5, step / 2, step, 2 * step) if most / size <= 8)
    return [index * step for index in range(math.ceil(most / step) + 1)]


def svg(title, series, unit="GB/s"):
    """`series` maps a name to [(size, value)]; sizes are on a logarithmic axis. A value of None leaves a gap."""
    places = sorted({size for line in series.values() for size, _ in line})
    values = [value for line in series.values() for _, value in line if value is not None]
    if not places or not values:
        raise ValueError("expected something to plot")
    marks = ticks(max(values))
    low, high = math.log2(places[0]), math.log2(places[-1])

    def x(size):
        return LEFT + (WIDTH - LEFT - RIGHT) * ((math.log2(size) - low) / (high - low) if high > low else 0.5)

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / marks[-1]

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="22" font-size="15">{escape(title)}, {unit}</text>']
    for mark in marks:
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(mark):.1f}" y2="{y(mark):.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark:g}</text>')
    for size in places:
        parts.append(f'<text transform="translate({x(size):.1f},{HEIGHT - BOTTOM + 14}) rotate(40)">{size}</text>')
    for index, (name, line) in enumerate(series.items()):
        colour = COLOURS[index % len(COLOURS)]
        drawn = [(x(size), y(value)) for size, value in sorted(line) if value is not None]
        path = " ".join(f"{across:.1f},{up:.1f}" for across, up in drawn)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3" fill="{colour}"/>' for across, up in drawn]
        parts.append(f'<text x="{WIDTH - RIGHT + 14}" y="{TOP + 14 + 18 * index}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])
