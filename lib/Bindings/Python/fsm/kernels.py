"""Kernels of FSM's language as functions of Python."""

import operator
import os
import sys

from . import _library, arrays

_engines = {}


def _engine(device):
    """One for each device of a process: it keeps what it has compiled."""
    if device not in _engines:
        _engines[device] = _library.load().engine(device)
    return _engines[device]


def load(path, *, device="", options=None, **parameters):
    """The kernel of a file; `loads` says the rest."""
    with open(path, encoding="utf-8", newline="") as file:
        return loads(file.read(), device=device, options=options, name=os.fspath(path), **parameters)


def loads(text, *, device="", options=None, name="<source>", **parameters):
    """The kernel of a text, checked. Code is made when it is launched, for arguments like those.

    device      "cpu"; "cuda" or "cuda:1"; "sim", a simulated GPU that checks each access; "interp", which runs the text as it
                is and checks as much. "" is a GPU if there is one, and else the CPU.
    options     of the compile, such as {"num-warps": 4}; {"kernel": NAME} picks one of several.
    name        where errors are located. One that ends in .ttir says that the text is Triton's IR.
    parameters  values of the text's `// param NAME`.

    Raises fsm.Error, whose text has the line of each mistake.
    """
    return Kernel(text, name, device, options or {}, parameters)


class Kernel:
    """A kernel: `kernel[grid](...)` runs so many programs, `kernel(...)` as many as it states, and returns when they are done.

    A pointer takes an array of its elements that lies row by row without gaps: of NumPy, a tensor of torch, or anything with a
    buffer. On a GPU those of the host are copied there and back; torch's and others with `__cuda_array_interface__` stay where
    they are. Scalars take numbers. Arguments may be given by name.
    """

    def __init__(self, text, name, device, options, parameters):
        self._text, self._source_name, self._given, self._options = text, name, parameters, options
        self._kernel = _engine(device).load(text, name, parameters, **options)
        self.name, self.device = self._kernel.name(), self._kernel.engine.device
        self._takes = [(name, type, depth, self._kernel.is_input(index))
                       for index, (name, type, depth, _) in enumerate(self._kernel.parameters())]
        self._places = [f"argument {index} '{self._describe(index)}' of @{self.name}" for index in range(len(self._takes))]

    def __repr__(self):
        return f"@{self.name}({', '.join(self._describe(i) for i in range(len(self._takes)))}) on {self.device}"

    def __getitem__(self, grid):
        grid = tuple(_extent(extent) for extent in (grid if isinstance(grid, tuple) else (grid,)))
        if not 1 <= len(grid) <= 3:
            raise ValueError(f"expected a grid of 1 to 3 dimensions, got {len(grid)}")
        return lambda *values, **named: self._launch(grid + (1,) * (3 - len(grid)), values, named)

    def __call__(self, *values, **named):
        return self._launch(None, values, named)

    def emit(self, stage, *, target=None, **options):
        """The text of a stage, as `fsm-run --emit=STAGE` prints it: "ptx", "llvmir", "fsm", and with `target` for any device."""
        return _library.load().emit(self._text, self._source_name, stage, self._given,
                                    **{"target": target, **self._options, **options})

    def _describe(self, index):
        name, type, depth, _ = self._takes[index]
        return f"%{name}: {'!fsm.ptr<' * depth}{type}{'>' * depth}"

    def _launch(self, grid, values, named):
        # Until the launch is over, for they keep the memory.
        kept = []
        bound = [self._value(index, value, kept) for index, value in enumerate(self._bind(values, named))]
        self._kernel.launch(grid or self._kernel.grid(bound), bound, _print)

    def _bind(self, values, named):
        if len(values) == len(self._takes) and not named:
            return values
        names = [name for name, *_ in self._takes]
        if len(values) > len(names):
            raise TypeError(f"expected {len(names)} arguments, got {len(values)}; the kernel is {self}")
        bound = dict(zip(names, values))
        for name, value in named.items():
            if name not in names:
                raise TypeError(f"expected an argument of the kernel, got '{name}'; it is {self}")
            if name in bound:
                raise TypeError(f"expected one value for '{name}', got two; the kernel is {self}")
            bound[name] = value
        missing = [self._describe(index) for index, name in enumerate(names) if name not in bound]
        if missing:
            raise TypeError(f"expected {len(names)} arguments, got none for {', '.join(missing)}; the kernel is {self}")
        return [bound[name] for name in names]

    def _value(self, index, value, kept):
        _, type, depth, is_input = self._takes[index]
        where = self._places[index]
        if depth > 1:
            raise TypeError(f"{where}: there are no arrays of pointers in Python")
        return _pointer(where, value, type, is_input, kept) if depth else _scalar(where, value, type)


def _print(line):
    print(line, file=sys.stderr)


def _extent(number):
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"expected a grid of integers, got {number!r}") from None


def _pointer(where, value, type, is_input, kept):
    memory = arrays.memory_of(value)
    if memory is None:
        raise TypeError(f"{where}: expected an array of {arrays.expected(type)}, got {_said(value)}")
    if not arrays.fits(memory.element, type):
        raise TypeError(f"{where}: expected an array of {arrays.expected(type)}, got one of "
                        f"{getattr(value, 'dtype', memory.element)}")
    if not memory.is_contiguous:
        raise ValueError(f"{where}: expected an array that lies row by row without gaps, as numpy.ascontiguousarray and a "
                         "tensor's contiguous() make one")
    if not (memory.is_writable or is_input):
        raise ValueError(f"{where}: expected an array that may be written, for the kernel does")
    kept.append(memory.keep)
    return memory.address, memory.bytes, memory.kind


def _scalar(where, value, type):
    is_float = type.startswith(("f", "bf"))
    # An array of one number would do for Python, and is a mistake more often than not.
    if not getattr(value, "shape", ()):
        try:
            return float(value) if is_float and not isinstance(value, str) else operator.index(value)
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{where}: expected {'a number' if is_float else 'an integer'}, got {_said(value)}")


def _said(value):
    if isinstance(value, (int, float)):
        return repr(value)
    shape = getattr(value, "shape", None)
    return f"a value of {type(value).__name__}" + (f" of the shape {tuple(shape)}" if shape else "")
