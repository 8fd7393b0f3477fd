"""Measures what FSM's package adds to a program's start, and the first compile of kernels, by FSM and by Triton's compiler.

Call: measure_start.py [--out=FILE] [--device=gpu|none] [--times=N]

Each number is the median of N processes, each with an empty cache of its own; a cached start is the same process again.
`import`: seconds that `import fsm.triton` takes behind torch and Triton. `enable`: the same of `enable()`. `first`: from
the call of a kernel to the end of its launch, with nothing in the cache, by each compiler, for each kernel below;
`cached`: the same in another process, with what the first has left there, and `enable()` counted in. With --device=none no
kernel is launched, and what counts is its compilation for an H100; `NAME own` is what of it lies between Triton's first stage and
ptxas, which both compilers have. `all` is the sum of all kernels. A line for each, and one of JSON each in FILE.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

# The most that a number may be: of FSM over Triton's, and of seconds.
MOST = {"import": 0.030, "first": 0.5, "cached": 1.0}


def kernels():
    """Name, kernel, grid, arguments and constants of each."""
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def add(x, y, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)

    @triton.jit
    def softmax(x, out, columns, BLOCK: tl.constexpr):
        at, row = tl.arange(0, BLOCK), tl.program_id(0) * columns
        value = tl.load(x + row + at, mask=at < columns, other=-float("inf"))
        weight = tl.exp(value - tl.max(value, axis=0))
        tl.store(out + row + at, weight / tl.sum(weight, axis=0), mask=at < columns)

    @triton.jit
    def product(a, b, out, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
        rows, columns, inner = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
        left, right = a + rows[:, None] * K + inner[None, :], b + inner[:, None] * N + columns[None, :]
        total = tl.zeros((BM, BN), tl.float32)
        for _ in range(0, K, BK):
            total = tl.dot(tl.load(left), tl.load(right), total)
            left += BK
            right += BK * N
        tl.store(out + rows[:, None] * N + columns[None, :], total.to(tl.float16))

    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.ones(4096, device=device)
    square = torch.ones(256, 256, device=device, dtype=torch.float16)
    return (("add", add, (4, ), (x, x.clone(), x.clone(), 4096), {"BLOCK": 1024}),
            ("softmax", softmax, (4, ), (x, x.clone(), 1000), {"BLOCK": 1024}),
            ("product", product, (2, 2), (square, square.clone(), square.clone(), 256, 256), {"BM": 128, "BN": 128, "BK": 64}))


def compiled(kernel, arguments, constants):
    """Compiles for an H100 as a launch would; seconds of the stages that are the compiler's own, none of a kernel that is cached."""
    import triton
    from triton import knobs
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    kinds = {"float32": "*fp32", "float16": "*fp16"}
    names = kernel.arg_names[:len(arguments)]
    signature = {name: kinds[str(value.dtype).partition(".")[2]] if hasattr(value, "dtype") else "i32"
                 for name, value in zip(names, arguments)}
    facts = {(index, ): [["tt.divisibility", 16]] for index, value in enumerate(arguments)
             if hasattr(value, "dtype") or value % 16 == 0}
    source = ASTSource(kernel, {**signature, **dict.fromkeys(constants, "constexpr")},
                       {(kernel.arg_names.index(name), ): value for name, value in constants.items()}, facts)
    own = []

    def listen(times, **_):
        own.extend(taken / 1e6 for stage, taken in times.lowering_stages if stage not in ("ttir", "cubin"))

    knobs.compilation.listener = listen
    triton.compile(source, target=GPUTarget("cuda", 90, 32))
    return sum(own)


def one(compiler, device):
    """What one process takes, as a line of JSON."""
    import torch
    import triton  # noqa: F401
    seconds, begin = {}, time.perf_counter()
    if compiler == "fsm":
        import fsm.triton
        seconds["import"] = time.perf_counter() - begin
        begin = time.perf_counter()
        fsm.triton.enable()
    seconds["enable"] = time.perf_counter() - begin
    is_first = True
    for name, kernel, grid, arguments, constants in kernels():
        if device == "gpu":
            torch.cuda.synchronize()
        begin = time.perf_counter()
        if device == "gpu":
            kernel[grid](*arguments, **constants)
            torch.cuda.synchronize()
        else:
            own = compiled(kernel, arguments, constants)
            if own:
                seconds[f"{name} own"] = own
        # The first kernel of a process pays for what all need, and FSM for its library.
        seconds[name] = time.perf_counter() - begin + (seconds["enable"] if is_first else 0)
        is_first = False
    seconds["all"] = sum(seconds[name] for name, *_ in kernels())
    print(json.dumps(seconds))


def run(compiler, device, cache):
    words = [sys.executable, __file__, f"--one={compiler}", f"--device={device}"]
    done = subprocess.run(words, env={**os.environ, "TRITON_CACHE_DIR": cache}, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{compiler}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out")
    parser.add_argument("--device", choices=("gpu", "none"), default="gpu")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--one", choices=("fsm", "triton"))
    options = parser.parse_args()
    if options.one:
        one(options.one, options.device)
        return
    taken = {}
    # Triton builds what it launches with once, whoever compiles; that is no part of either.
    with tempfile.TemporaryDirectory() as cache:
        run("triton", options.device, cache)
    for _ in range(options.times):
        for compiler in ("triton", "fsm"):
            with tempfile.TemporaryDirectory() as cache:
                for state in ("first", "cached"):
                    for name, seconds in run(compiler, options.device, cache).items():
                        taken.setdefault((state, name, compiler), []).append(seconds)
    lines = []
    for (state, name, compiler), seconds in taken.items():
        if compiler != "fsm":
            continue
        line = {"what": state, "name": name, "fsm": round(statistics.median(seconds), 4)}
        if (state, name, "triton") in taken and name != "enable":
            line["triton"] = round(statistics.median(taken[state, name, "triton"]), 4)
            line["ratio"] = round(line["fsm"] / line["triton"], 3)
            # A kernel that is cached takes milliseconds, which say nothing alone.
            if state == "first" or name == "all":
                line["right"] = line["ratio"] <= MOST[state]
        elif name == "import":
            line["right"] = line["fsm"] <= MOST["import"]
        lines.append(line)
        print(*(f"{key} {value}" for key, value in line.items()))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    sys.exit(0 if all(line.get("right", True) for line in lines) else 1)


main()
