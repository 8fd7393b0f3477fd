"""Times the examples on the CPU with two builds in turns, from the root of the tree; less is better:

    python3 cpu-times.py BEFORE/fsm-run AFTER/fsm-run ROUNDS LAUNCHES [03,16]
"""

import re
import statistics
import subprocess
import sys

R, C = 1024, 1000
M, O, W, V = f"f32[{R}x{C}]:randn:1", f"f32[{R}x{C}]", f"f32[{C}]:randn:2", f"f32[{R}]"
N, X, Y = f"f32[{R * 1024}]", f"f32[{R * 1024}]:randn:1", f"f32[{R * 1024}]:randn:2"
MEANS, PARTS = (f"f32[{R}]:randn:3", f"f32[{R}]:randn:4"), (f"f32[8x{C}]", f"f32[8x{C}]")
KERNELS = (
    ("01-copy", "copy", R, (N, X, R * 1024 - 5)),
    ("02-vector-add", "vector_add", R, (N, X, Y, R * 1024 - 5)),
    ("03-row-sum", "row_sum", R, (V, M, C, C)),
    ("04-softmax", "softmax", R, (O, M, C, C, C)),
    ("05-softmax-persistent", "softmax", 8, (O, M, C, C, R, C)),
    ("06-softmax-strided", "softmax", R // 4, (O, M, C, 1, C, 1, R, C)),
    ("07-softmax-backward", "softmax_backward", R, (O, M, M, C, C, C, C)),
    ("08-softmax-online", "softmax_online", R, (O, M, C, C, C)),
    ("09-rms-norm", "rms_norm", R, (O, M, W, C, C, C, 1e-5)),
    ("10-layer-norm", "layer_norm", R, (O, V, V, M, W, W, C, C, C, 1e-5)),
    ("11-layer-norm-backward", "locked", R, (O, *PARTS, "i32[16]", M, M, W, *MEANS, C, C, C, C, 8)),
    ("11-layer-norm-backward", "partial", 8, (O, *PARTS, M, M, W, *MEANS, C, C, C, R, C)),
    ("11-layer-norm-backward", "finish", 8, (f"f32[{C}]", f"f32[{C}]", M, M, R, C)),
    ("12-gelu", "gelu_tanh", R, (N, X, W, R * 1024 - 5, C)),
    ("12-gelu", "gelu_erf", R, (N, X, W, R * 1024 - 5, C)),
    ("13-cross-entropy", "cross_entropy", R, (V, O, M, f"i32[{R}]", C, C, C, 1.0)),
    ("14-dropout", "dropout", R, (N, X, R * 1024 - 5, 0.5, 7)),
    ("15-argmax", "argmax", R, (V, f"i32[{R}]", M, C, C)),
    ("16-matmul", "matmul", 16, ("f32[256x256]", "f32[256x256]:randn:1", "f32[256x256]:randn:2", *6 * (256,))),
)
MICROSECONDS = {"us": 1, "ms": 1e3, "s": 1e6}


def fastest(program, launches, name, kernel, grid, arguments):
    command = [program, f"examples/{name}.mlir", "--device=cpu", f"--kernel={kernel}", f"--grid={grid}", f"--time={launches}"]
    done = subprocess.run([*command, *(f"--arg={one}" for one in arguments)], capture_output=True, text=True, check=True).stdout
    found = re.search(r"time: median \S+ \w+ \((\S+) (\w+)", done)
    return float(found[1]) * MICROSECONDS[found[2]]


def main():
    programs, rounds, launches = sys.argv[1:3], int(sys.argv[3]), sys.argv[4]
    chosen = [one for one in KERNELS if not sys.argv[5:] or one[0][:2] in sys.argv[5].split(",")]
    times = {one: [] for one in chosen}
    for _ in range(rounds):
        for one in chosen:
            times[one].append([fastest(program, launches, *one) for program in programs])
    for (name, kernel, *_), found in times.items():
        before, after = map(min, zip(*found))
        ratio = statistics.median(one / other for one, other in found)
        print(f"{name} @{kernel}: {before:.1f} us, {after:.1f} us, {ratio:.2f}")


if __name__ == "__main__":
    main()
