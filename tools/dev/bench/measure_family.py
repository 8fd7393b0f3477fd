"""Times the suite of kernels of rows on the GPU. Needs PyTorch, and Triton for one opponent; as measure.py in all else."""

import ctypes

import torch
import torch.nn.functional as F

from . import triton_layer_norm
from .driver import LOCAL_BYTES, REGISTERS, DriverError
from .family import BLOCKED, EPSILON, ONLINE
from .measure import LEAST_LAUNCHES, MOST_SETS, ROTATED_BYTES, TYPES, prepare, replay_seconds
from .package import SCALARS
from .tables import Measured, Point

# Rows that are compared with float64.
CHECKED_ROWS = 96
# The largest difference of what is right, of the largest number in its row.
LIMITS = {"f32": 1e-5, "f16": 2.0**-9, "bf16": 2.0**-6}
ELEMENTS = {**TYPES, "i32": torch.int32}


def filled(case, name, element, extent):
    shape = case.extent(extent)
    if name == "labels":
        return torch.randint(0, case.cols, shape, device="cuda", dtype=torch.int32)
    values = torch.randn(shape, device="cuda")
    if name == "y":
        values = torch.softmax(values, 1)
    return values.abs().add(0.5).to(ELEMENTS[element]) if name == "rstds" else values.to(ELEMENTS[element])


class Arrays:
    """Sets of all arrays of a case, so many that the L2 stays cold."""

    def __init__(self, case):
        self.count = max(2, min(MOST_SETS, -(-ROTATED_BYTES // case.moved)))
        self.sets = [{name: filled(case, name, case.element(letter), extent) for name, letter, extent in case.arrays}
                     for _ in range(self.count)]
        for arrays in self.sets:
            arrays.setdefault("copied", arrays.get("in", arrays.get("dy")))
            arrays.setdefault("room", torch.empty_like(arrays["copied"]) if "out" not in arrays else arrays["out"])


def parts_of(driver, case, function, contract):
    """As many programs as run at once, each of which writes a row of partial sums; at most those that there is room for."""
    if contract.num_ctas > 1:
        return min(case.parts, max(1, driver.active_clusters(function, contract.threads, contract.num_ctas, contract.shared_bytes)))
    resident = max(1, driver.ctas_per_multiprocessor(function, contract.threads, contract.shared_bytes))
    return contract.persistent_programs(case.parts, driver.multiprocessors, resident, 1)


def one_launcher(driver, case, kernel, compiled, arrays, parts):
    """A function of a set's number, what the kernel uses, and how many rows of partial sums are written: those of the kernel
    before, or its own."""
    ptx, contract = compiled
    function = driver.function(driver.load(ptx), contract.name, contract.shared_bytes)
    parts = parts_of(driver, case, function, contract) if kernel.programs == "parts" else parts
    programs = parts if kernel.programs == "parts" else case.programs(kernel)
    hidden = contract.hidden(programs)
    grid, block = (contract.ctas(programs), 1, 1), (contract.threads, 1, 1)

    def scalar(position, text):
        kind, value = contract.arguments[position][1], str(parts) if text == "parts" else case.scalars[text]
        return ctypes.c_float(float(value)) if kind == "f32" else SCALARS[kind](int(value))

    def launch(index):
        values = [ctypes.c_uint64(arrays.sets[index][text.split(":")[0]].data_ptr()) if ":" in text else scalar(position, text)
                  for position, text in enumerate(kernel.arguments)]
        driver.launch(function, grid, block, contract.shared_bytes, [*values, *hidden], torch.cuda.current_stream().cuda_stream, contract.overlaps_launches)

    return launch, {"registers": driver.function_attribute(function, REGISTERS),
                    "local_bytes": driver.function_attribute(function, LOCAL_BYTES), "num_warps": contract.num_warps * contract.num_ctas,
                    "num_ctas": contract.num_ctas}, parts


def fsm_launcher(driver, case, compiled, arrays):
    """A function of a set's number that launches all kernels, and what the first of them uses."""
    launchers, uses, parts = [], [], case.parts
    for kernel, result in zip(case.kernel.launched, compiled):
        one, use, parts = one_launcher(driver, case, kernel, result, arrays, parts)
        launchers.append(one)
        uses.append(use)

    def launch(index):
        for one in launchers:
            one(index)

    return launch, uses[0]


def with_torch(case):
    """What PyTorch computes of a dictionary of arrays; of the first result the kernel's `out` or losses can be checked."""
    cols, name = (case.cols,), case.kernel.name
    return {
        "softmax": lambda a: torch.softmax(a["in"], 1),
        "softmax, online": lambda a: torch.softmax(a["in"], 1),
        "softmax backward": lambda a: torch.ops.aten._softmax_backward_data(a["dy"], a["y"], 1, a["y"].dtype),
        "RMS norm": lambda a: F.rms_norm(a["in"], cols, a["weight"], EPSILON),
        "layer norm": lambda a: F.layer_norm(a["in"], cols, a["weight"], a["bias"], EPSILON),
        "layer norm, three loops": lambda a: F.layer_norm(a["in"], cols, a["weight"], a["bias"], EPSILON),
        "layer norm backward": lambda a: torch.ops.aten.native_layer_norm_backward(
            a["dy"], a["in"], cols, a["means"][:, None], a["rstds"][:, None], a["weight"], a["weight"], [True, True, True]),
        "cross-entropy and gradient": lambda a: F.cross_entropy(a["in"], a["labels"].long(), reduction="none"),
        "cross-entropy": lambda a: F.cross_entropy(a["in"], a["labels"].long(), reduction="none"),
        "dropout": lambda a: F.dropout(a["in"], 0.5, True),
    }[name]


def opponents(case, arrays, note):
    def copy(index):
        arrays.sets[index]["room"].copy_(arrays.sets[index]["copied"])

    found = {"copy": (copy, {}), "torch": (lambda index: with_torch(case)(arrays.sets[index]), {})}
    if case.kernel is BLOCKED:
        for name, words in case.ways:
            block, warps = (int(word.split("=")[1]) for word in words)
            launch = triton_layer_norm.launcher(arrays.sets[0], block, warps, EPSILON)
            found[name.replace("fsm", "triton")] = (lambda index, launch=launch: launch(arrays.sets[index]), {})
    elif case.kernel is not ONLINE:
        # It compiles one function eight times, and interprets what comes then.
        torch.compiler.reset()
        try:
            compiled = torch.compile(with_torch(case), dynamic=False)
            compiled(arrays.sets[0])
            found["torch.compile"] = (lambda index: compiled(arrays.sets[index]), {})
        except Exception as error:  # pylint: disable=broad-except
            note(f"{case.title}: without torch.compile: {str(error)[:200]}")
    return found


def judge(case, arrays):
    """What is wrong with the first rows of what a kernel left, and the largest error."""
    of_rows = {name for name, _, extent in case.arrays if extent.startswith("r")}
    few = {name: tensor[:CHECKED_ROWS] if name in of_rows else tensor for name, tensor in arrays.items()}
    if case.kernel.name == "dropout":
        out, given = few["out"].double(), few["in"].double()
        kept = (out != 0).double().mean().item()
        right = ((out == 0) | ((out - 2 * given).abs() <= 1e-6 * out.abs())).all().item() and 0.49 < kept < 0.51
        return 0.0, "" if right else f"what is kept is not twice what was given, or {kept:.3f} of all is kept"
    exact = with_torch(case)({name: tensor.double() if tensor.is_floating_point() else tensor for name, tensor in few.items()})
    exact = exact[0] if isinstance(exact, tuple) else exact
    got = few["losses"] if "losses" in few else few["out"]
    size = exact.abs() if exact.dim() == 1 else exact.abs().amax(1, keepdim=True)
    error = ((got.double() - exact).abs() / size.clamp(min=1e-30)).max().item()
    limit = LIMITS["f32"] if "losses" in few else LIMITS[case.type]
    return error, "" if error <= limit else f"the largest error is {error:.3g} of the row's largest number, more than {limit:.3g}"


def measure(driver, case, compiled, repeats, note):
    """A Point. `compiled` is [(name, [(ptx, contract) of each kernel] or the reason why there is none)]."""
    torch.manual_seed(case.cols)
    arrays, point = Arrays(case), Point(case.title, case.cols, case.moved)
    launchers = opponents(case, arrays, note)
    for name, result in compiled:
        try:
            if isinstance(result, str):
                raise DriverError(result)
            launchers[name] = fsm_launcher(driver, case, result, arrays)
        except DriverError as error:
            point.contenders[name] = Measured(fault=f"refused: {error}")
    launches = max(LEAST_LAUNCHES, arrays.count) if case.moved < ROTATED_BYTES else arrays.count * 4
    graphs = prepare(launchers, point, arrays, launches)
    names = list(graphs)
    for repeat in range(repeats):
        for name in names[repeat % len(names):] + names[:repeat % len(names)]:
            measured = point.contenders[name]
            last = repeat == repeats - 1 and name.startswith("fsm")
            if last:
                for some in arrays.sets:
                    some.get("losses", some.get("out")).fill_(float("nan"))
            measured.seconds.append(replay_seconds(graphs[name], launches))
            if last:
                measured.error, measured.fault = judge(case, arrays.sets[-1])
    if "copy" in point.contenders:
        point.contenders["copy"].bytes = case.copied
    return point
