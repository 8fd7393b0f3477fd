"""Kernels of Triton on FSM's own devices against NumPy, and what fsm.triton says of mistakes.

Call: kernels.py     with a Python that has Triton
"""

import contextlib
import io
import os
import pathlib
import pickle
import re
import signal
import sys
import tempfile
import threading
import types

import fsm.triton
import numpy as np
import torch
import triton
import triton.language as tl
from fsm.triton import check, driver, errors, hook, keys, launcher
from fsm.triton.driver import FsmDriver
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.runtime import cache
from triton.runtime.errors import OutOfResources
from triton.tools.tensor_descriptor import TensorDescriptor

HERE = pathlib.Path(__file__)
LINES = HERE.read_text(encoding="utf-8").split("\n")
torch.manual_seed(3)


def line_with(words):
    """The number of the only line that ends so."""
    numbers = [number for number, line in enumerate(LINES, 1) if line.endswith("# " + words)]
    assert len(numbers) == 1, numbers
    return numbers[0]


def raised(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}, got none")


def close(got, expected, bound=1e-5):
    np.testing.assert_allclose(got.float().numpy(), expected, rtol=bound, atol=bound)


# Kernels that are right.


@triton.jit
def softmax(x, y, rows, columns, stride, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        value = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
        weight = tl.exp(value - tl.max(value, axis=0))
        tl.store(y + row * stride + at, weight / tl.sum(weight, axis=0), mask=at < columns)


def check_softmax():
    x = torch.randn(10, 200)
    y = torch.empty_like(x)
    softmax[(4, )](x, y, *x.shape, x.stride(0), BLOCK=256)
    exact = np.exp(x.numpy().astype(np.float64))
    close(y, exact / exact.sum(1, keepdims=True))


@triton.jit
def product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns, inner = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    left, right = a + rows[:, None] * K + inner[None, :], b + inner[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total += tl.dot(tl.load(left, mask=inner[None, :] < K - k, other=0.0),
                        tl.load(right, mask=inner[:, None] < K - k, other=0.0))
        left += BK
        right += BK * N
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(c.dtype.element_ty))


def check_accesses():
    """The simulator says what each line of the last launch moved; nothing else does."""
    with fsm.triton.enable(device="sim") as session:
        check_softmax()
        lines = session.accesses().splitlines()
    assert lines[0].startswith("global memory: ") and lines[1].startswith("shared memory: "), lines
    assert any("kernels.py:" in line and "ld.global" in line for line in lines[2:]), lines
    with fsm.triton.enable(device="cpu") as session:
        assert 'expected enable(device="sim")' in str(raised(ValueError, session.accesses))


def check_product():
    a, b = torch.randn(64, 48, dtype=torch.float16), torch.randn(48, 64, dtype=torch.float16)
    c = torch.empty(64, 64, dtype=torch.bfloat16)
    product[(2, 2)](a, b, c, 64, 64, 48, BM=32, BN=32, BK=32)
    close(c, a.numpy().astype(np.float64) @ b.numpy().astype(np.float64), bound=2e-2)


@triton.jit
def mixed(x, y, scale, pair, flag, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    first, second, third = pair[0], pair[1][0], pair[1][1]
    value = tl.load(y + at)
    if x is not None:
        value += tl.load(x + at)
    if flag:
        tl.store(out + at, value * scale + first)
    else:
        tl.store(out + at, value * third + second)


def check_arguments():
    """Numbers of all kinds, tuples, None and constants as arguments."""
    x, y, out = torch.arange(32.0), torch.ones(32), torch.empty(32)
    mixed[(1, )](x, y, 2.5, (7, (8, -2.0)), True, out, BLOCK=32)
    close(out, np.arange(32) * 2.5 + 9.5)
    mixed[(1, )](x, y, 2.5, (1, (-2**40, 0.5)), False, out, BLOCK=32)
    close(out, np.arange(32) * 0.5 + 0.5 - 2.0**40, bound=1e-6)
    mixed[(1, )](None, y, 1, (1, (8, 2)), False, out, BLOCK=32)
    close(out, np.full(32, 10.0))
    mixed[(1, )](x + 1, y, -1e39, (1, (8, 2)), True, out, BLOCK=32)
    assert torch.all(out == -float("inf"))


@triton.jit
def shifted(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n, other=0.0) + 1, mask=at < n)


def check_views():
    """A tensor twice, a view in the middle of a storage, a grid of no programs, and a tensor shown as one of another type."""
    x = torch.arange(100.0)
    shifted[(1, )](x, x, 100, BLOCK=128)
    shifted[(1, )](x[10:20], x[50:], 10, BLOCK=128)
    expected = np.arange(100.0) + 1
    expected[50:60] = expected[10:20] + 1
    close(x, expected)
    shifted[(0, )](x, x, 100, BLOCK=128)
    shifted[lambda meta: (triton.cdiv(100, meta["BLOCK"]), )](x, x, 0, BLOCK=128)
    close(x, expected)
    # Views without elements have no address.
    shifted[(1, )](x[5:5], x[7:7], 0, BLOCK=128)
    assert driver.memory_of(x[5:5], 0) == (0, 0) == driver.memory_of(torch.zeros(0), 0)
    close(x, expected)
    words = torch.arange(100, dtype=torch.int32)
    shown = triton.reinterpret(words, tl.uint32)
    shifted[(1, )](shown, shown, 100, BLOCK=128)
    close(words, np.arange(100) + 1)


@triton.jit
def gathered(table, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    for i in range(4):
        row = tl.load(table + i).to(tl.pointer_type(tl.float32))
        tl.store(out + i * BLOCK + at, tl.load(row + at))


def check_tables(device):
    """Pointers in a tensor: addresses of the host, which a simulated GPU does not have."""
    if device != "cpu":
        return
    rows = [torch.randn(16) for _ in range(4)]
    out = torch.empty(64)
    gathered[(1, )](torch.tensor([row.data_ptr() for row in rows]), out, BLOCK=16)
    close(out, np.concatenate([row.numpy() for row in rows]))


@triton.jit
def hashed(x, out, key, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    number = (at.to(tl.int64) + key) * 3
    tl.store(out + at, tl.load(x + (number - number // 3 * 3 + 2)))


def check_hashes():
    """Numbers of 64 bits wrap, also where an offset is made of them."""
    x, out, key = torch.arange(8), torch.empty(8, dtype=torch.int64), 2**62
    hashed[(1, )](x, out, key, BLOCK=8)
    numbers = (np.arange(8) + key) * 3
    assert (numbers < 0).all() and np.fmod(numbers, 3).any()
    assert out.tolist() == (np.fmod(numbers, 3) + 2).tolist(), out


@triton.jit
def counted(out, BLOCK: tl.constexpr):
    tl.atomic_add(out + tl.arange(0, BLOCK) % 4, 1)
    tl.device_print("number", tl.program_id(0))


def check_prints():
    out, text = torch.zeros(4, dtype=torch.int32), io.StringIO()
    with contextlib.redirect_stdout(text):
        counted[(3, )](out, BLOCK=64)
    assert out.tolist() == [48] * 4, out
    assert sum("number" in line for line in text.getvalue().split("\n")) == 3, text.getvalue()


@triton.jit
def described(x, out, stride, N: tl.constexpr):
    descriptor = tl.make_tensor_descriptor(x, shape=[N, N], strides=[stride, 1], block_shape=[8, 16])
    block = descriptor.load([4, 8])
    tl.store(out + tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :], block)


@triton.jit
def handed(descriptor, out, N: tl.constexpr):
    tl.store(out + tl.arange(0, 8)[:, None] * N + tl.arange(0, N)[None, :], descriptor.load([4, 8]))


def check_handed_descriptors():
    for padding, filler in (("zero", 0), ("nan", np.nan)):
        x, out = torch.randn(16, 20)[:10], torch.empty(8, 16)
        handed[(1, )](TensorDescriptor(x, [10, 20], [20, 1], [8, 16], padding), out, N=16)
        expected = np.full((8, 16), float(filler))
        expected[:6, :12] = x.numpy()[4:, 8:]
        close(out, expected)


@triton.jit
def tile_of(x, out, stride, N: tl.constexpr):
    tile = tl.make_tensor_descriptor(x, shape=[N, N], strides=[stride, 1], block_shape=[N, N]).load([0, 0])
    tl.store(out + tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :], tile)


@triton.jit
def tile_of_handed(descriptor, out, N: tl.constexpr):
    tl.store(out + tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :], descriptor.load([0, 0]))


def check_promises_of_descriptors():
    """Addresses and rows are multiples of 16 bytes, whatever is known of arguments: accesses are as wide."""
    target = GPUTarget("cuda", 90, 32)
    for kind, access, multiple in (("fp16", "v4.b32", 8), ("fp64", "v2.b64", 2), ("i8", "v4.b32", 16)):
        made = ASTSource(tile_of, {"x": f"*{kind}", "out": f"*{kind}", "stride": "i32", "N": "constexpr"}, {(3, ): 64},
                         {(1, ): [["tt.divisibility", 16]]})
        texts = triton.compile(made, target=target).asm
        assert texts["fsm"].count("llvm.intr.assume") == 2 and f"ld.global.{access}" in texts["ptx"], (kind, texts["ptx"])
        # Of one that is handed over the launch knows extents and, by its padding, what stands outside.
        given = ASTSource(tile_of_handed, {"descriptor": f"tensordesc<{kind}[64,64]>", "out": f"*{kind}", "N": "constexpr"},
                          {(2, ): 64})
        text = triton.compile(given, target=target).asm["fsm"]
        assert re.search(r"!tt.ptr<\w+> \{tt.divisibility = 16 : i32\}", text) and "tensordesc" not in text, text
        assert re.search(rf": i64 \{{tt.divisibility = {multiple} : i32\}}", text), text


@triton.jit
def tile_in_memory(table, out, N: tl.constexpr):
    base = tl.load(table).to(tl.pointer_type(tl.bfloat16))
    tile = tl.make_tensor_descriptor(base, shape=[N, N], strides=[N, 1], block_shape=[N, N]).load([0, 0])
    tl.store(out + tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :], tile)


def check_launches_of_descriptors():
    """With a GPU the engine launches kernels of whose descriptors a launch knows something, and Triton others."""
    made = {"x": "*bf16", "out": "*bf16", "stride": "i32", "N": "constexpr"}
    for kernel, kinds, is_launched in ((tile_of, made, True), (tile_in_memory, {"table": "*i64", "out": "*bf16", "N": "constexpr"}, False),
                                       (tile_of_handed, {"descriptor": "tensordesc<bf16[64,64]>", "out": "*bf16", "N": "constexpr"}, True)):
        with fsm.triton.enable() as session:
            session.launches_described = True
            source = ASTSource(kernel, kinds, {(len(kinds) - 1, ): 64})
            metadata = triton.compile(source, target=GPUTarget("cuda", 90, 32)).metadata
        assert metadata.fsm_launches == is_launched, (kernel, metadata)


def check_descriptors():
    x, out = torch.randn(16, 16), torch.empty(8, 16)
    described[(1, )](x, out, 16, N=16)
    expected = np.zeros((8, 16))
    expected[:, :8] = x.numpy()[4:12, 8:]
    close(out, expected)


def check_benchmark():
    x = torch.zeros(32)
    assert triton.testing.do_bench(lambda: shifted[(1, )](x, x, 32, BLOCK=32), warmup=1, rep=1) > 0


# What is refused and what fails.


@triton.jit
def assembled(x):
    tl.store(x, tl.inline_asm_elementwise("mov.u32 $0, %clock;", "=r,r", [tl.load(x)], tl.int32, True, 1))  # the assembly


@triton.jit
def asserted(x):
    value = tl.load(x)
    tl.device_assert(value < 5, "too much")  # the assert
    tl.store(x, value + 1)


@triton.jit
def reduced(x, N: tl.constexpr):
    descriptor = tl.make_tensor_descriptor(x, shape=[N, N], strides=[N, 1], block_shape=[8, 16])
    descriptor.atomic_min([0, 0], tl.zeros((8, 16), tl.float16))  # the reduction


def check_errors():
    error = raised(errors.CompileError, lambda: assembled[(1, )](torch.zeros(1, dtype=torch.int32)))
    assert isinstance(error, triton.TritonError) and error.file == str(HERE) and error.line == line_with("the assembly"), error
    assert "inline_asm" in error.sentence and "tl.inline_asm_elementwise" in str(error), error
    error = raised(errors.CompileError, lambda: reduced[(1, )](torch.zeros(16, 16, dtype=torch.float16), N=16))
    assert error.line == line_with("the reduction") and "got 'tt.descriptor_reduce min'" in error.sentence, error
    x = torch.full((1, ), 5)
    error = raised(errors.LaunchError, lambda: asserted[(1, )](x, debug=True))
    assert error.line == line_with("the assert") and "too much" in error.sentence, error
    assert isinstance(error, RuntimeError)
    x[0] = 4
    asserted[(1, )](x, debug=True)
    assert x.item() == 5
    assert "meta" in str(raised(ValueError, lambda: asserted[(1, )](torch.zeros(1, device="meta"))))
    error = raised(TypeError, lambda: asserted[(1, )](np.zeros(1)))


def check_threads():
    """Threads go on where a launch of another one fails, behind which the simulator is opened anew."""
    wrong = []

    def fail():
        for _ in range(10):
            raised(errors.LaunchError, lambda: asserted[(1, )](torch.full((1, ), 5), debug=True))

    def compute():
        for _ in range(10):
            x, out = torch.rand(100), torch.zeros(100)
            try:
                shifted[(1, )](x, out, 100, BLOCK=128)
            except Exception as error:
                wrong.append(error)
            wrong.extend([out] * (not torch.equal(out, x + 1)))

    threads = [threading.Thread(target=work) for work in (fail, compute, compute)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong


@triton.jit
def counting(out, n):
    total = 0
    for i in range(n):
        total = (total ^ i) * total + 1
    tl.store(out, total)


def check_interrupt():
    """Ctrl-C ends a simulation, behind which others run."""
    out = torch.zeros(1, dtype=torch.int32)
    counting[(1, )](out, 3)
    # What a shell runs in the background ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    raised(KeyboardInterrupt, lambda: counting[(1, )](out, 2000000000))
    out.zero_()
    counting[(1, )](out, 3)
    assert out.item() == 4, out


def check_code():
    """PTX is made when somebody asks for it."""
    kernel = shifted[(1, )](torch.zeros(32), torch.zeros(32), 32, BLOCK=32)
    assert "ptx" not in dict.keys(kernel.asm) and ".entry shifted" in kernel.asm["ptx"]
    assert "tt.func public @shifted" in kernel.asm["fsm"] and "tt.num_warps = 4" in kernel.asm["fsm"]
    assert isinstance(raised(KeyError, lambda: kernel.asm["ttgir"]), KeyError)
    assert kernel.metadata.shared > 0 and kernel.n_regs > 0


def check_code_for_gpus():
    """No GPU is needed to compile for one. What a kernel prints has a variable of the code's own (records.py)."""
    with fsm.triton.enable():
        for capability, name in ((80, "sm_80"), (90, "sm_90a")):
            source = ASTSource(shifted, {"x": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {(3, ): 128})
            kernel = triton.compile(source, target=GPUTarget("cuda", capability, 32))
            assert {"ttir", "fsm", "ptx", "cubin"} <= set(dict.keys(kernel.asm)) and "llir" not in dict.keys(kernel.asm)
            assert f".target {name}\n" in kernel.asm["ptx"] and "nvptx64" in kernel.asm["llir"]
            assert kernel.metadata.name == "shifted" and kernel.metadata.num_warps == 4
        # Triton's launcher would make so many blocks of each program, and take as many programs for these.
        kernel = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_ctas": 2})
        assert kernel.metadata.num_ctas == 1 and "cluster" not in kernel.asm["ptx"]
        check_promises_of_descriptors()
        source = ASTSource(counted, {"out": "*i32", "BLOCK": "constexpr"}, {(1, ): 64})
        kernel = triton.compile(source, target=GPUTarget("cuda", 90, 32))
        assert ".global .align 8 .b64 fsm_debug_records" in kernel.asm["ptx"] and kernel.metadata.fsm_debug_ops


def check_fallback():
    """Of a kernel that FSM refuses, all is Triton's: a launch of two blocks a program, and none that is checked."""
    source = ASTSource(assembled, {"x": "*i32"}, {})
    with fsm.triton.enable(fallback="triton") as session:
        metadata = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_ctas": 2}).metadata
        # Nothing is refused where the kernel comes from Triton's cache.
        assert all(name == "assembled" and "inline_asm" in why for name, why in session.refused), session.refused
    assert metadata.num_ctas == 2 and metadata.shared != hook.NOMINAL_SHARED, metadata
    assert not [name for name in metadata._fields if name.startswith("fsm")], metadata
    launched = []
    launcher_of = type("Checked", (check.CheckedLauncher, ), {"launcher": staticmethod(lambda *_: lambda *given: launched.append(given))})
    launcher_of(source, metadata)(1, 1, 1, 0, None, None, None, None, None, torch.zeros(1, dtype=torch.int32))
    assert len(launched) == 1


class NoGPU(FsmDriver):
    """A driver as Triton has it on a GPU, of which this machine has none: whoever gets its launcher fails."""

    def __init__(self):
        super().__init__(None)
        self.launcher_cls = None


def check_kept_launches():
    """As many as are kept, and those that were used last; views without elements are all alike."""
    made = []

    def kernel(text, device):
        return types.SimpleNamespace(prepare=lambda values: made.append(values) or types.SimpleNamespace(values=values))

    own = type("Own", (launcher.OwnLauncher, ), {"engines": types.SimpleNamespace(kernel=kernel)})
    source, metadata = types.SimpleNamespace(signature={"x": "*fp32"}), types.SimpleNamespace(fsm_text="", fsm_launches=True)
    one, x = own(source, metadata), torch.zeros(1000)
    for first in range(launcher.MOST_PREPARED):
        assert one.prepare((x[first:], ))[1] == [x.data_ptr() + 4 * first]
    one.prepare((x, ))
    assert len(made) == launcher.MOST_PREPARED == len(one.prepared)
    one.prepare((x[5:5], ))
    assert one.prepare((torch.zeros(8)[3:3], )) == (one.prepare((x[9:9], ))[0], [0])
    assert len(made) == launcher.MOST_PREPARED + 1 and len(one.prepared) == launcher.MOST_PREPARED
    one.prepare((x, ))
    assert len(made) == launcher.MOST_PREPARED + 1
    one.prepare((x[1:], ))
    assert len(made) == launcher.MOST_PREPARED + 2
    # What is quick about plain arguments gives the bits that others are given.
    source.signature = {"scale": "fp32", "x": "*fp32", "matrix": "tensordesc<fp16[16, 32]>", "n": "i32", "BLOCK": "constexpr",
                        "row": "tensordesc<fp32[8]>"}
    mixed, half = own(source, metadata), torch.zeros(64, 96, dtype=torch.float16)
    arguments = (0.5, x, TensorDescriptor(half, [64, 96], [96, 1], [16, 32]), -7, 3,
                 TensorDescriptor(x, [1000], [1], [8], padding="nan"))
    key, bits = mixed.plain(0, arguments)
    bits = [number % 2**64 for number in bits]
    bounds = [64, 96, 96, 1]
    assert bits == [0x3F000000, x.data_ptr(), half.data_ptr(), *bounds, 0, *bounds, 2**64 - 7, x.data_ptr(), 1000, 1, 1, 1000, 1], bits
    mixed.is_plain = False
    assert mixed.prepare(arguments)[1] == bits and list(mixed.prepared)[0][1:] == key[1:]


def check_own_launcher():
    """Launches by FSM's engine, in place of Triton's launcher: the engine's CPU stands for a GPU."""
    launcher.DEVICE, before = "cpu", triton.runtime.driver._active
    triton.runtime.driver.set_active(NoGPU())
    with fsm.triton.enable(launcher="fsm"), tempfile.TemporaryDirectory() as folder, triton.knobs.cache.scope():
        triton.knobs.cache.dir = folder
        check_softmax()
        assert list(pathlib.Path(folder, "fsm").rglob("*")), "what the engine compiles is kept beside what Triton keeps"
        check_product()
        check_arguments()
        check_views()
        check_tables("cpu")
        check_descriptors()
        check_handed_descriptors()
        error = raised(errors.CompileError, lambda: assembled[(1, )](torch.zeros(1, dtype=torch.int32)))
        assert error.line == line_with("the assembly"), error
        kernel = shifted[(1, )](torch.zeros(32), torch.zeros(32), 32, BLOCK=32)
        assert kernel.metadata.fsm_launches and ".entry shifted" in kernel.asm["ptx"]
        check_kept_launches()
        # What prints is Triton's to launch.
        assert raised((OSError, TypeError), lambda: counted[(1, )](torch.zeros(4, dtype=torch.int32), BLOCK=4))
    with fsm.triton.enable():
        # Triton's launcher, of which there is none here, would say nothing of the extents.
        check_handed_descriptors()
    assert triton.runtime.driver.active.launcher_cls is None and isinstance(triton.runtime.driver.active.utils, driver.Utils)
    triton.runtime.driver._active = before
    numbers = [launcher.bits_of(kind, value) for kind, value in (("i32", -1), ("fp16", 1.5), ("fp32", -2.0), ("fp64", 1.0),
                                                                 ("bf16", 1.00390625), ("bf16", 1.01171875), ("bf16", -np.inf))]
    assert numbers == [2**64 - 1, 0x3E00, 0xC0000000, 0x3FF0000000000000, 0x3F80, 0x3F82, 0xFF80], [hex(n) for n in numbers]


def check_translations():
    """Words of FSM's as exceptions of Triton's; that these are its words is for other tests."""
    Failure = fsm.triton.errors.Failure
    for words in ("k.py:3:4: error: kernel '@k' needs 300000 bytes of shared memory, and a CTA of sm_90a has at most 232448",
                  "k.py:3:4: error: needs 300000 bytes of shared memory a cta, of which sm_90a has 232448: use smaller blocks",
                  "error: kernel @k needs 300000 bytes of shared memory, but a CTA of NVIDIA H100 80GB has 232448; expected smaller"):
        # Without a GPU a launch compiles; what it finds while it runs is no want of room.
        for kind in (errors.CompileError, errors.LaunchError, errors.CheckError):
            error = errors.translated(Failure(Failure.BAD_INPUT, words), kind)
            assert isinstance(error, OutOfResources) and (error.required, error.limit, error.name) == (300000, 232448, "shared memory")
        assert isinstance(errors.translated(Failure(Failure.EXECUTION, words), errors.LaunchError), errors.LaunchError)
    words = "k.py:3:4: error: needs 4096 registers a thread for this block; more than 2048 take minutes to compile: use a smaller block"
    error = errors.translated(Failure(Failure.BAD_INPUT, words))
    assert isinstance(error, OutOfResources) and (error.required, error.name) == (4096, "registers"), error
    assert isinstance(error, triton.CompilationError) and "4096" in str(pickle.loads(pickle.dumps(error)))
    assert isinstance(errors.translated(Failure(Failure.BAD_INPUT, "k.py:3:4: error: no")), triton.CompilationError)
    assert isinstance(errors.translated(Failure(Failure.INTERNAL, "broken")), errors.Defect)
    assert not isinstance(errors.translated(Failure(Failure.INTERNAL, "broken")), triton.TritonError)


def check_states():
    """What enable() changes is as before behind it, and its arguments are looked at."""
    knobs = triton.knobs
    before = knobs.runtime.add_stages_inspection_hook, knobs.compilation.instrumentation_mode
    with fsm.triton.enable(device="cpu") as session:
        assert knobs.compilation.instrumentation_mode.startswith("fsm-") and session.refused == []
        with fsm.triton.enable(device="sim"):
            assert knobs.compilation.instrumentation_mode.endswith("-sim")
        assert knobs.compilation.instrumentation_mode.endswith("-cpu")
    assert (knobs.runtime.add_stages_inspection_hook, knobs.compilation.instrumentation_mode) == before
    fsm.triton.enable(device="cpu")
    fsm.triton.disable()
    fsm.triton.disable()
    driver_before = triton.runtime.driver._active
    outer, inner = fsm.triton.enable(device="cpu"), fsm.triton.enable(device="sim")
    outer.close()
    inner.close()
    assert triton.runtime.driver._active is driver_before
    assert (knobs.runtime.add_stages_inspection_hook, knobs.compilation.instrumentation_mode) == before
    for options in ({"device": "tpu"}, {"fallback": "numba"}, {"device": "cpu", "fallback": "triton"}, {"launcher": "mine"},
                    {"launcher": "fsm", "device": "cpu"}, {"launcher": "fsm", "fallback": "triton"}):
        assert "expected" in str(raised(ValueError, lambda options=options: fsm.triton.enable(**options)))
    if not torch.cuda.is_available():
        drivers, triton.runtime.driver._default, triton.runtime.driver._active = vars(triton.runtime.driver).copy(), None, None
        with fsm.triton.enable():
            says = str(raised(RuntimeError, lambda: shifted[(1, )](torch.zeros(32), torch.zeros(32), 32, BLOCK=32)))
        assert says.startswith("expected a GPU, and Triton finds none; enable(device=\"cpu\")"), says
        assert "expected" not in str(raised(RuntimeError, lambda: triton.runtime.driver.active))
        vars(triton.runtime.driver).update(drivers)
    triton.__version__, real = "3.7.0", triton.__version__
    assert "is for Triton 3.6" in str(raised(RuntimeError, lambda: fsm.triton.enable(device="cpu")))
    triton.__version__ = real


def check_key():
    """Keys of caches change with Triton's library and with each of its files, and are Triton's own without FSM."""
    theirs = cache.triton_key
    with fsm.triton.enable(device="cpu") as session:
        assert cache.triton_key is keys.key and keys.key().startswith(f"{triton.__version__}-")
        library = session.library.path
    assert cache.triton_key is theirs
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        files = [root / file for file in ("runtime/cache.py", "compiler/code.py", "backends/nvidia/driver.py", "language/core.py")]
        for file in files:
            file.parent.mkdir(parents=True)
            file.write_text("x = 1\n", encoding="utf-8")
        seen = {keys.key_of(root, library), keys.key_of(root, keys.libtriton.__file__)}
        for file in files:
            file.write_text("x = 2\n", encoding="utf-8")
            seen.add(keys.key_of(root, library))
        files[-1].rename(files[-1].with_name("other.py"))
        assert len(seen | {keys.key_of(root, library)}) == 7 and keys.key_of(root, files[0]) is None


def main():
    for device in sys.argv[1:] or ("cpu", "sim"):
        with fsm.triton.enable(device=device):
            check_softmax()
            check_product()
            check_arguments()
            check_views()
            check_tables(device)
            check_hashes()
            check_prints()
            check_descriptors()
            check_handed_descriptors()
            check_benchmark()
            check_errors()
            check_threads()
            if device == "sim":
                check_interrupt()
            check_code()
    check_code_for_gpus()
    check_launches_of_descriptors()
    check_fallback()
    check_own_launcher()
    check_translations()
    check_states()
    check_accesses()
    check_key()
    print("all as expected")


main()
