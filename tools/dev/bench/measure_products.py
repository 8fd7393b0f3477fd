"""Times matrix products on the GPU against cuBLAS and Triton. Needs PyTorch; Triton if there is one.

Two protocols: `single`, one launch behind others that have overwritten the L2, which the host has said in full before it
begins, so that a busy host does not count; and `sustained`, launches back to back until the GPU is as warm and as slow as it
gets. A GPU that has just multiplied is slower than one that has rested, by more than contenders differ: single launches take
turns one by one, in an order that is drawn anew for each turn, and are over before anything sustained begins; that is drawn
as well. Each output held NaN before the last launch that is timed, and is then checked against a product in float64.
"""

import ctypes
import random
import time

import torch

from .driver import LOCAL_BYTES, REGISTERS, DriverError
from .measure import TYPES as FLOATS, graph_of, replay_seconds
from .package import balanced
from .tables import Measured, Point, median

ROTATED_BYTES, MOST_SETS = 512 << 20, 8
SINGLES, SUSTAINED = 61, 0.15
# Cycles of the kernel in front of a single launch, a fifth of a millisecond, in which Python makes four calls.
WAITED = 400000
# Several times the L2.
OVERWRITTEN_BYTES = 256 << 20
# Of the sum of |x y|: what adding up in f32, in any order and truncated, may lose; and one rounding of each type.
LOST_IN_SUMS = {"f16": 2.0**-19, "bf16": 2.0**-19, "f32": 2.0**-10, "f8E4M3FN": 2.0**-11, "i8": 0}
ROUNDED = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "i32": 0}
TYPES = {**FLOATS, "f8E4M3FN": torch.float8_e4m3fn, "i8": torch.int8, "i32": torch.int32}
NO_RESULT = {torch.int32: 0x55555555}


class Matrices:
    """Sets of c, a and b, each a part of longer rows where the case has padding."""

    def __init__(self, case):
        kind, result = TYPES[case.kind.stored], TYPES[case.kind.result]

        def matrix(rows, columns, kind=kind):
            numbers = torch.randn((rows, columns + case.padding), device="cuda")
            return (numbers * 40 if kind == torch.int8 else numbers).to(kind)[:, :columns]

        bytes_of_set = result.itemsize * case.rows * case.columns + kind.itemsize * case.inner * (case.rows + case.columns)
        self.count = max(2, min(MOST_SETS, -(-ROTATED_BYTES // bytes_of_set)))
        self.sets = [(matrix(case.rows, case.columns, result), matrix(case.rows, case.inner),
                      matrix(case.columns, case.inner).t() if case.kind.by_columns else matrix(case.inner, case.columns))
                     for _ in range(self.count)]

    def poison(self):
        for c, _, _ in self.sets:
            c.fill_(NO_RESULT.get(c.dtype, float("nan")))


def judge(case, c, a, b):
    """The largest error, of what is allowed, and what is wrong."""
    wide = a.double() @ b.double()
    lost = LOST_IN_SUMS["f16" if case.precision == "ieee" else case.kind.stored]
    allowed = lost * (a.double().abs() @ b.double().abs()) + ROUNDED[case.kind.result] * wide.abs() + 1e-30
    part = ((c.double() - wide).abs() / allowed).nan_to_num(nan=float("inf"))
    largest, wrong = part.max().item(), (part > 1).sum().item()
    return largest, f"{wrong} of {c.numel()} elements are wrong, by up to {largest:.3g} of what is allowed" if wrong else ""


def fsm_launcher(driver, case, tile, ptx, contract, matrices):
    function = driver.function(driver.load(ptx), contract.name, contract.shared_bytes)
    programs, more = case.programs(tile), []
    resident = driver.ctas_per_multiprocessor(function, contract.threads, contract.shared_bytes)
    started = contract.started(programs, contract.at_once(driver.multiprocessors, max(1, resident)))
    if tile.is_persistent:
        at_once = driver.multiprocessors
        if contract.cluster > 1:
            at_once = driver.active_clusters(function, contract.threads, contract.cluster, contract.shared_bytes) * contract.cluster
        programs = started = balanced(programs // contract.cluster * contract.cluster or contract.cluster, at_once, contract.cluster)
        if not tile.by_columns:
            more.append(torch.zeros(case.columns, device="cuda"))
    numbers = [int(text) for text in tile.arguments if "[" not in text]
    scalars = [ctypes.c_int32(number) for number in numbers]
    hidden = [contract.hidden(programs, driver, [*(tensor.data_ptr() for tensor in (*tensors, *more)), *numbers])
              for tensors in matrices.sets]
    grid, block = (contract.ctas(started), 1, 1), (contract.threads, 1, 1)

    def launch(index):
        pointers = [ctypes.c_uint64(tensor.data_ptr()) for tensor in (*matrices.sets[index], *more)]
        driver.launch(function, grid, block, contract.shared_bytes, [*pointers, *scalars, *hidden[index]],
                      torch.cuda.current_stream().cuda_stream, contract.overlaps_launches)

    return launch, {"registers": driver.function_attribute(function, REGISTERS),
                    "local_bytes": driver.function_attribute(function, LOCAL_BYTES),
                    "shared_bytes": contract.shared_bytes, "num_warps": contract.num_warps}


def foreign_launcher(driver, case, tile, capability, matrices):
    """Triton's kernel for an older GPU, which the driver compiles for this one."""
    from . import triton_matmul

    ptx, name, shared, threads = triton_matmul.compiled_for(case, tile, capability)
    function = driver.function(driver.load(ptx), name, shared)
    grid = (-(-case.rows // tile[0]) * -(-case.columns // tile[1]), 1, 1)

    def launch(index):
        driver.launch(function, grid, (threads, 1, 1), shared, triton_matmul.arguments_of(case, *matrices.sets[index]),
                      torch.cuda.current_stream().cuda_stream)

    return launch, {"registers": driver.function_attribute(function, REGISTERS),
                    "local_bytes": driver.function_attribute(function, LOCAL_BYTES), "shared_bytes": shared}


def opponents(driver, case, matrices, point):
    """{name: (launch, use)} of cuBLAS, by PyTorch, and of Triton for this GPU and for sm_80."""
    one = torch.ones((), device="cuda")

    def with_cublas(index):
        c, a, b = matrices.sets[index]
        if case.kind.stored == "f8E4M3FN":
            torch._scaled_mm(a, b, one, one, out_dtype=c.dtype, out=c)
        elif case.kind.stored == "i8":
            torch._int_mm(a, b, out=c)
        else:
            torch.matmul(a, b, out=c)

    torch.backends.cuda.matmul.allow_tf32 = case.precision == "tf32"
    launchers = {"cublas": (with_cublas, {})}
    try:
        from . import triton_matmul, triton_persistent
    except ImportError:
        return launchers
    programs = torch.cuda.get_device_properties(0).multi_processor_count
    for tile in triton_persistent.tiles_of(case):
        name = "x".join(map(str, tile[:3])) + f" stages {tile[3]} warps {tile[4]}"
        launchers[f"triton persistent {name}"] = (triton_persistent.launcher(case, tile, matrices.sets, programs), {})
    for tile in triton_matmul.tiles_of(case):
        name = "x".join(map(str, tile[:3])) + f" stages {tile[3]} warps {tile[4]}"
        launch = triton_matmul.launcher(case, tile)
        launchers[f"triton {name}"] = (lambda index, launch=launch: launch(*matrices.sets[index]), {})
        if case.kind.by_columns:
            continue
        try:
            launchers[f"triton sm_80 {name}"] = foreign_launcher(driver, case, tile, 80, matrices)
        except (DriverError, RuntimeError, ValueError, TypeError) as error:
            point.contenders[f"triton sm_80 {name}"] = Measured(fault=f"refused: {error}")
    return launchers


def time_single(case, launchers, measured, matrices, order):
    """Adds the times of SINGLES launches of each of `launchers`, {name: launch}, to `measured`, {name: Measured}."""
    overwritten = torch.empty(OVERWRITTEN_BYTES, dtype=torch.uint8, device="cuda")
    for turn in range(SINGLES):
        is_last = turn == SINGLES - 1
        for name in order.sample(list(launchers), len(launchers)):
            if is_last:
                matrices.poison()
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda._sleep(WAITED)
            overwritten.zero_()
            begin.record()
            launchers[name](0 if is_last else turn % matrices.count)
            end.record()
            torch.cuda.synchronize()
            measured[name].seconds.append(begin.elapsed_time(end) * 1e-3)
            if is_last:
                measured[name].error, measured[name].fault = judge(case, *matrices.sets[0])


def time_sustained(case, graphs, measured, matrices, repeats, order):
    """The same of replays of each graph, `repeats` times: {name: (graph, launches)}."""
    for repeat in range(repeats):
        is_last = repeat == repeats - 1
        for name in order.sample(list(graphs), len(graphs)):
            if is_last:
                matrices.poison()
            measured[name].seconds.append(replay_seconds(*graphs[name]))
            if is_last:
                measured[name].error, measured[name].fault = judge(case, *matrices.sets[0])


def prepare(launchers, points, matrices):
    """{name: (graph, launches)}; a launch that fails becomes that contender's fault."""
    graphs = {}
    for name, (launch, use) in launchers.items():
        for point in points:
            point.contenders[name] = Measured(use=use)
        try:
            launch(0)
            torch.cuda.synchronize()
            begin = time.monotonic()
            launch(1)
            torch.cuda.synchronize()
            launches = max(2, min(400, int(SUSTAINED / 5 / max(1e-6, time.monotonic() - begin))))
            graphs[name] = graph_of(launch, launches, matrices.count), launches
        except Exception as error:  # Triton's launches fail with errors of their own, and of the driver's
            for point in points:
                point.contenders[name].fault = f"failed: {error}"
    return graphs


def measure(driver, case, compiled, repeats):
    """Points of the two protocols, whose `bytes` are operations: GB/s are GFLOP/s. `compiled` is [(tile, (ptx, contract)
    or the reason why there is none)]."""
    torch.manual_seed(case.rows + case.inner)
    matrices = Matrices(case)
    points = [Point(f"{case.title}, {protocol}", case.rows, case.operations) for protocol in ("single", "sustained")]
    launchers = opponents(driver, case, matrices, points[0])
    for tile, result in compiled:
        try:
            if isinstance(result, str):
                raise DriverError(result)
            launchers[tile.name] = fsm_launcher(driver, case, tile, *result, matrices)
        except DriverError as error:
            points[0].contenders[tile.name] = Measured(fault=f"refused: {error}")
    graphs = prepare(launchers, points, matrices)
    single, sustained = (point.contenders for point in points)
    order = random.Random(case.rows + case.inner)
    time_single(case, {name: launchers[name][0] for name in graphs}, single, matrices, order)
    time_sustained(case, graphs, sustained, matrices, repeats, order)
    return points
