"""A plot of the rates over the row length, as SVG without any library. It has no background of its own, and colours that
are readable on a light page and on a dark one."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 760, 380, 52, 56, 44, 96
TEXT = "#7d8590"
# Ours is the last; the first is what the others are held against.
COLOURS = ("#7d8590", "#d2762e", "#8a74d6", "#c0589c", "#a08a2c", "#3c8fd0")
OURS = "#1f9d63"
LINE_HEIGHT = 16


def ticks(most):
    """Round numbers from 0 up to at least `most`."""
    step = 10 ** math.floor(math.log10(most))
    step = next(size for size in (step / 5, step / 2, step, 2 * step) if most / size <= 8)
    return [index * step for index in range(math.ceil(most / step) + 1)]


def apart(heights):
    """The heights at which labels stand: near their lines' ends, and no two on one another."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = list(heights)
    for above, below in zip(order, order[1:]):
        placed[below] = max(placed[below], placed[above] + LINE_HEIGHT)
    return placed


def _axes(title, unit, marks, sizes, x, y):
    parts = [f'<text x="{LEFT - 44}" y="22" font-size="15">{escape(title)}, {escape(unit)}</text>']
    for mark in marks:
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(mark):.1f}" y2="{y(mark):.1f}" stroke="{TEXT}" stroke-opacity="0.33"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark:g}</text>')
    parts += [f'<text transform="translate({x(size):.1f},{HEIGHT - BOTTOM + 16}) rotate(40)">{size}</text>' for size in sizes]
    return parts


def _line(places, colour, width):
    path = " ".join(f"{across:.1f},{up:.1f}" for across, up in places)
    dots = [f'<circle cx="{across:.1f}" cy="{up:.1f}" r="{width + 0.5}" fill="{colour}"/>' for across, up in places]
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>', *dots]


def svg(title, series, unit="GB/s"):
    """`series` maps a name to [(size, value)]; sizes are on a logarithmic axis. A value of None leaves a gap. The last one
    is ours, and drawn the strongest; each is named where it ends."""
    series = {name: sorted(point for point in line if point[1] is not None) for name, line in series.items()}
    series = {name: line for name, line in series.items() if line}
    if not series:
        raise ValueError("expected something to plot")
    sizes = sorted({size for line in series.values() for size, _ in line})
    marks = ticks(max(value for line in series.values() for _, value in line))
    low, high = math.log2(sizes[0]), math.log2(sizes[-1])

    def x(size):
        return LEFT + (WIDTH - LEFT - RIGHT) * ((math.log2(size) - low) / (high - low) if high > low else 0.5)

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / marks[-1]

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="12" fill="{TEXT}">', *_axes(title, unit, marks, sizes, x, y)]
    heights = apart([y(line[-1][1]) for line in series.values()])
    for index, ((name, line), height) in enumerate(zip(series.items(), heights)):
        ours = index == len(series) - 1
        colour = OURS if ours else COLOURS[index % len(COLOURS)]
        parts += _line([(x(size), y(value)) for size, value in line], colour, 2.5 if ours else 1.5)
        weight = ' font-weight="bold"' if ours else ""
        parts.append(f'<text x="{WIDTH - RIGHT + 12}" y="{height + 4:.1f}" fill="{colour}"{weight}>{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])
