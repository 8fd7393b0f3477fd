"""Times contenders on the GPU against each other. Needs PyTorch; Triton if there is one.

Each contender's launches over rotated buffers are captured in a CUDA graph; a graph's replay is timed with events, so a
time is the device's, without the host's. The contenders take turns. Outputs are checked after the last timed replay, on
buffers that held NaN before it.
"""

import ctypes
import gc

import torch
from triton.runtime.errors import OutOfResources

from . import triton_add, triton_softmax
from .driver import LOCAL_BYTES, REGISTERS, DriverError
from .suites import NORMS_EPSILON, STAGES
from .tables import COPIES, Measured, Point, median

# More than any L2 holds, so that nothing is found there from the launch before.
ROTATED_BYTES = 512 << 20
MOST_SETS, LEAST_LAUNCHES, REPLAYS = 64, 32, 5
# A relative error in f32 and ulps in f16 above which a kernel counts as wrong: ours, theirs.
F32_LIMIT, F32_LIMIT_OPPONENTS, F16_LIMIT = 4e-6, 2e-5, 1
TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


class Buffers:
    """As many sets of inputs and an output as keep the L2 cold."""

    def __init__(self, case):
        self.count = max(2, min(MOST_SETS, -(-ROTATED_BYTES // case.moved)))
        shape = (case.cols,) if case.suite == "add" else (case.rows, case.cols)
        shapes = [shape] + {"add": [shape], "norms": [(case.cols,)]}.get(case.suite, [])
        self.inputs = [[torch.randn(shape, device="cuda").to(TYPES[case.type]) for shape in shapes]
                       for _ in range(self.count)]
        self.outputs = [torch.empty_like(xs[0][:, 0] if case.suite == "sums" else xs[0]).contiguous()
                        for xs in self.inputs]

    def poison(self):
        for output in self.outputs:
            output.fill_(float("nan"))


def fsm_launcher(driver, case, variant, ptx, contract, buffers):
    """A function of a set's number that launches an FSM kernel, and what it uses of the GPU."""
    function = driver.function(driver.load(ptx), contract.name, contract.shared_bytes)
    resident = driver.ctas_per_multiprocessor(function, contract.threads, contract.shared_bytes)
    if variant.persistent:
        programs = contract.persistent_programs(case.rows, driver.multiprocessors, max(1, resident), variant.waves)
    else:
        programs = -(-case.cols // variant.block) if case.suite == "add" else case.rows
    scalars = [ctypes.c_int32(int(text)) if text.isdigit() else ctypes.c_float(float(text))
               for text in variant.arguments if "[" not in text] + contract.hidden(programs)
    grid, block = (contract.ctas(programs), 1, 1), (contract.threads, 1, 1)

    def launch(index):
        pointers = [ctypes.c_uint64(tensor.data_ptr()) for tensor in (buffers.outputs[index], *buffers.inputs[index])]
        driver.launch(function, grid, block, contract.shared_bytes, [*pointers, *scalars],
                      torch.cuda.current_stream().cuda_stream, contract.overlaps_launches)

    use = {"registers": driver.function_attribute(function, REGISTERS),
           "local_bytes": driver.function_attribute(function, LOCAL_BYTES), "shared_bytes": contract.shared_bytes,
           "ctas_per_multiprocessor": resident, "programs": programs, "programs_per_cta": contract.programs_per_cta,
           "num_warps": contract.num_warps, "block": variant.block}
    return launch, use


def triton_launcher(driver, case, buffers, note, stages=None, waves=1):
    output, inputs = buffers.outputs[0], buffers.inputs[0]
    if case.is_softmax:
        choices, use = triton_softmax.launcher(inputs[0], output, driver, stages, waves)
    else:
        choices, use = triton_add.launcher(output, *inputs)
    chosen = choices[0]
    try:
        chosen(output, *inputs)
    except (TypeError, ValueError, RuntimeError, SystemError) as error:
        # On the device the two are the same; only the host works more.
        note(f"{case.title}: Triton's handle cannot be launched ({error}); its wrapper is")
        chosen = choices[1]
    return lambda index: chosen(buffers.outputs[index], *buffers.inputs[index]), use


def opponents(driver, case, buffers, note):
    """{name: (launch, use)} of the copies, PyTorch and Triton."""
    def copy(index):
        buffers.outputs[index].copy_(buffers.inputs[index][0])

    def copy_kernel(index):
        torch.mul(buffers.inputs[index][0], 1, out=buffers.outputs[index])

    def with_torch(index):
        if case.suite == "sums":
            torch.sum(buffers.inputs[index][0], 1, out=buffers.outputs[index])
        elif case.is_softmax:
            torch.softmax(buffers.inputs[index][0], 1, out=buffers.outputs[index])
        else:
            torch.add(*buffers.inputs[index], out=buffers.outputs[index])

    if case.suite == "sums":
        return {"torch": (with_torch, {})}
    copies = {"copy": (copy, {}), "copy kernel": (copy_kernel, {})}
    if case.suite in ("norms", "borders"):
        # Of interest is how many programs share the rows; PyTorch's norm cannot write to a given place.
        return copies
    all_copies = {**copies, "torch": (with_torch, {})}
    if case.suite in ("stages", "waves"):
        kernels = {f"triton stages {stages}": (stages, 1) for stages in STAGES}
        if case.suite == "waves":
            kernels |= {f"triton stages {stages} waves {waves}": (stages, waves) for stages in STAGES for waves in (8, 16)}
        return {**all_copies, **{name: triton_launcher(driver, case, buffers, note, *how)
                                 for name, how in kernels.items()}}
    if case.is_softmax:
        all_copies |= by_compiler(case, buffers, note)
    try:
        return {**all_copies, "triton": triton_launcher(driver, case, buffers, note)}
    except OutOfResources as error:
        note(f"{case.title}: without Triton: {error}")
        return all_copies


def by_compiler(case, buffers, note):
    """PyTorch's compiler, which writes to where the others do; nothing if it does not work."""
    # It compiles one function eight times, and interprets what comes then.
    torch.compiler.reset()
    try:
        softmax = torch.compile(lambda x, out: out.copy_(torch.softmax(x, 1)), dynamic=False)
        softmax(buffers.inputs[0][0], buffers.outputs[0])
    except Exception as error:  # pylint: disable=broad-except
        note(f"{case.title}: without torch.compile: {str(error)[:200]}")
        return {}
    return {"torch.compile": (lambda index: softmax(buffers.inputs[index][0], buffers.outputs[index]), {})}


def reference(case, inputs):
    """The exact answer in float64."""
    wide = [x.double() for x in inputs]
    if case.suite == "add":
        return wide[0] + wide[1]
    if case.suite == "sums":
        return wide[0].sum(dim=1)
    if case.suite == "norms":
        return wide[0] * torch.rsqrt(wide[0].square().mean(dim=1, keepdim=True) + NORMS_EPSILON) * wide[1]
    powers = torch.exp(wide[0] - wide[0].amax(dim=1, keepdim=True))
    return powers / powers.sum(dim=1, keepdim=True)


def judge(case, name, inputs, output):
    """The largest error and what is wrong."""
    if name in COPIES:
        same = torch.equal(output, inputs[0])
        return 0.0, "" if same else "it does not copy"
    exact = reference(case, inputs)
    if case.suite == "sums":
        # A sum by a tree: |error| <= (log2 n + blocks) eps sum |x|.
        error = ((output.double() - exact).abs() / inputs[0].double().abs().sum(dim=1)).max().item()
        return error, "" if error <= 2.0**-17 else f"the largest error is {error:.3g} of the sum of |x|"
    if case.type == "f32":
        limit = 2.0**-24 if case.suite == "add" else F32_LIMIT if name.startswith("fsm") else F32_LIMIT_OPPONENTS
        error = (output.double() - exact).abs()
        right = error <= limit * exact.abs() + 1e-37
        largest = (error / exact.abs().clamp(min=1e-37)).max().item()
    else:
        limit = F16_LIMIT
        # Softmax is positive, so bits count ulps; NaN is far from all.
        distance = (output.view(torch.int16).int() - exact.to(output.dtype).view(torch.int16).int()).abs()
        right, largest = distance <= limit, float(distance.max().item())
    wrong = (~right).sum().item()
    return largest, f"{wrong} of {output.numel()} elements are wrong, the largest error is {largest:.3g}" if wrong else ""


def graph_of(launch, launches, sets):
    """The launches as a graph. A graph of before that were collected meanwhile would end the recording."""
    graph = torch.cuda.CUDAGraph()
    gc.disable()
    try:
        with torch.cuda.graph(graph):
            for index in range(launches):
                launch(index % sets)
    finally:
        gc.enable()
    return graph


def replay_seconds(graph, launches):
    """The median time of one launch over a few replays, the first of which is not counted."""
    graph.replay()
    events = []
    for _ in range(REPLAYS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        events.append((begin, end))
    torch.cuda.synchronize()
    return median([begin.elapsed_time(end) for begin, end in events]) * 1e-3 / launches


def prepare(launchers, point, buffers, launches):
    """{name: graph}; a launch that fails becomes that contender's fault."""
    graphs = {}
    for name, (launch, use) in launchers.items():
        point.contenders[name] = Measured(use=use)
        try:
            launch(0)
            torch.cuda.synchronize()
            graphs[name] = graph_of(launch, launches, buffers.count)
        except (DriverError, RuntimeError) as error:
            point.contenders[name].fault = f"failed: {error}"
    return graphs


def measure(driver, case, compiled, repeats, with_opponents, note):
    """A Point. `compiled` is [(variant, (ptx, contract) or the reason why there is none)]."""
    torch.manual_seed(case.cols)
    buffers, point, launchers = Buffers(case), Point(case.title, case.cols, case.moved), {}
    if with_opponents:
        launchers.update(opponents(driver, case, buffers, note))
    for variant, result in compiled:
        try:
            if isinstance(result, str):
                raise DriverError(result)
            launchers[variant.name] = fsm_launcher(driver, case, variant, *result, buffers)
        except DriverError as error:
            point.contenders[variant.name] = Measured(fault=f"refused: {error}")
    launches = max(LEAST_LAUNCHES, buffers.count)
    graphs = prepare(launchers, point, buffers, launches)
    names = list(graphs)
    for repeat in range(repeats):
        for name in names[repeat % len(names):] + names[:repeat % len(names)]:
            measured = point.contenders[name]
            if repeat == repeats - 1:
                buffers.poison()
            measured.seconds.append(replay_seconds(graphs[name], launches))
            if repeat == repeats - 1:
                for index in (0, buffers.count - 1):
                    error, fault = judge(case, name, buffers.inputs[index], buffers.outputs[index])
                    measured.error = max(measured.error, error)
                    measured.fault = measured.fault or fault
    for name in COPIES:
        if name in point.contenders:
            point.contenders[name].bytes = case.copied
    return point
