"""Prints and asserts of kernels that Triton's own launcher launches, which has no argument for their records.

The code gets a variable for them, of its own and so of each module that is loaded: a header and records as
include/fsm/Artifact/DebugRecords.h has them. A launch of such a kernel waits for its end, prints what there is, and is a
LaunchError where an assertion failed.
"""

import ctypes
import re
import struct

from triton.runtime import driver as triton_driver

from . import errors

VARIABLE = "fsm_debug_records"
CAPACITY = 2048
_HEADER, _RECORD = struct.Struct("<QQqIIiii20x"), struct.Struct("<IIiiiIQ")
_ENTRY = re.compile(r"\.visible \.entry \w+\((.*?)\n\)", re.DOTALL)
_FLOATS = {"f32": (8, 23, False), "f64": (11, 52, False), "f16": (5, 10, False), "bf16": (8, 7, False),
           "f8E5M2": (5, 2, False), "f8E4M3FN": (4, 3, True)}


def with_variable(ptx):
    """The code with a variable in place of its last parameter."""
    entry = _ENTRY.search(ptx)
    parameters = entry[1].split(",\n")
    name = parameters[-1].split()[-1]
    start = f".visible .global .align 8 .b64 {VARIABLE}[{(_HEADER.size + CAPACITY * _RECORD.size) // 8}] = " \
            f"{{0, {CAPACITY}, -1, 4294967295}};\n\n"
    changed = ptx[:entry.start()] + start + ptx[entry.start():entry.start(1)] + ",\n".join(parameters[:-1]) + ptx[entry.end(1):]
    changed = re.sub(rf"ld\.param\.b64(\s+%rd\d+), \[{name}\];", rf"mov.b64\1, {VARIABLE};", changed)
    if re.search(rf"\b{name}\b", changed):
        raise errors.Defect(f"expected loads of the parameter {name} alone")
    return changed


def _float_text(bits, kind):
    exponent_bits, digits, is_finite = _FLOATS[kind]
    most = (1 << exponent_bits) - 1
    exponent, fraction = bits >> digits & most, bits & (1 << digits) - 1
    sign = "-" if bits >> (exponent_bits + digits) & 1 else ""
    if exponent == most and not is_finite:
        return "nan" if fraction else sign + "inf"
    if exponent == most and fraction == (1 << digits) - 1:
        return "nan"
    value = float(fraction + (bool(exponent) << digits)) * 2.0 ** (max(exponent, 1) - most // 2 - digits)
    if kind != "f64":
        # The shortest that is nearest to this f32 alone.
        value = next(float(text) for text in (f"{value:.{count}e}" for count in range(9))
                     if struct.pack("<f", float(text)) == struct.pack("<f", value))
    return sign + repr(value)


def element_text(value, bits, is_hex):
    """As DebugRecords.cpp writes an element."""
    kind = value["type"]
    if kind == "ptr":
        return f"0x{bits:016x}"
    if kind in _FLOATS:
        return _float_text(bits & (1 << sum(_FLOATS[kind][:2]) + 1) - 1, kind)
    width = int(kind[1:])
    bits &= (1 << width) - 1
    if is_hex:
        return f"0x{bits:0{-(-width // 4)}x}"
    return str(bits - (1 << width) if width > 1 and bits >> (width - 1) else bits)


def _where(shape, element):
    places = []
    for extent in reversed(shape):
        places.insert(0, str(element % extent))
        element //= extent
    return f"[{', '.join(places)}]" if places else ""


def _begin(op, program):
    return (f"{op['place']}: " if op["place"] else "") + "program ({}, {}, {}): ".format(*program)


def lines_of(content, ops):
    """What the bytes of the variable say: the lines that were printed, and the sentence of a failure or None."""
    head, capacity, failed, failed_element, failed_op, *program = _HEADER.unpack_from(content)
    lines = []
    for index in range(min(head, capacity)):
        number, which, x, y, z, element, bits = _RECORD.unpack_from(content, _HEADER.size + index * _RECORD.size)
        op = ops[number]
        line = _begin(op, (x, y, z)) + op["text"]
        if which < len(op["values"]):
            value = op["values"][which]
            line += f" #{which}" * (len(op["values"]) > 1)
            line += " ".join(["", *filter(None, [_where(value["shape"], element)]), "=",
                              element_text(value, bits, op["hex"])])
        lines.append(line)
    if head > capacity:
        lines.append(f"{head - capacity} more lines are lost")
    if failed < 0:
        return lines, None
    op = ops[failed_op]
    where = _where(op["values"][0]["shape"], failed_element) if op["values"] else ""
    return lines, _begin(op, program) + "assertion failed" + (f" at {where}" if where else "") + f": {op['text']}"


class Variable:
    """Where the records of a loaded module are."""

    def __init__(self, cuda, module):
        self.cuda = cuda
        self.address, self.size = ctypes.c_uint64(), ctypes.c_size_t()
        self.call("cuModuleGetGlobal_v2", ctypes.byref(self.address), ctypes.byref(self.size), module, VARIABLE.encode())

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status:
            raise errors.LaunchError(f"error: {name} fails with the status {status}")

    def take(self):
        """The bytes, behind which there is room for the next launch again."""
        content = ctypes.create_string_buffer(self.size.value)
        self.call("cuMemcpyDtoH_v2", content, self.address, self.size)
        empty = _HEADER.pack(0, CAPACITY, -1, 0xFFFFFFFF, 0, 0, 0, 0)
        self.call("cuMemcpyHtoD_v2", self.address, empty, ctypes.c_size_t(len(empty)))
        return content.raw


class RecordingLauncher:
    """Triton's own launcher, which waits for kernels that print or assert and says what they do."""

    launcher = cuda = None

    def __init__(self, source, metadata):
        if RecordingLauncher.cuda is None:
            RecordingLauncher.cuda = ctypes.CDLL("libcuda.so.1")
        self.ops = metadata.fsm_debug_ops
        self.launch = self.launcher(source, metadata)
        self.variables = {}

    def __call__(self, x, y, z, stream, function, *others):
        self.launch(x, y, z, stream, function, *others)
        if function not in self.variables:
            module = ctypes.c_void_p()
            status = self.cuda.cuFuncGetModule(ctypes.byref(module), ctypes.c_void_p(function))
            if status:
                raise errors.LaunchError(f"error: cuFuncGetModule fails with the status {status}")
            self.variables[function] = Variable(self.cuda, module)
        variable = self.variables[function]
        variable.call("cuStreamSynchronize", ctypes.c_void_p(stream))
        lines, failure = lines_of(variable.take(), self.ops)
        for line in lines:
            print(line)
        if failure:
            raise errors.LaunchError(failure)


def install():
    """Lets Triton's driver launch kernels that print; what undoes it. Without a GPU there is no such driver."""
    try:
        active = triton_driver.active
        before = active.launcher_cls
    except RuntimeError:
        return lambda: None
    recording = type("RecordingLauncher", (RecordingLauncher, ), {"launcher": staticmethod(before)})

    def launcher(source, metadata):
        # A launch that begins a microsecond later is a microsecond longer where the GPU waits for it.
        return recording(source, metadata) if getattr(metadata, "fsm_debug_ops", None) else before(source, metadata)

    active.launcher_cls = launcher

    def undo():
        active.launcher_cls = before

    return undo
