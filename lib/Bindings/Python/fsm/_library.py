"""libfsm by its C interface (include/fsm-c/fsm.h), with ctypes: nothing here is compiled."""

import ctypes
import os
import pathlib
import struct
import threading

API_VERSION = 7
UNKNOWN_SIZE = 2**64 - 1
# Of programs along one dimension of a grid, which is an int32_t in C.
MOST_PROGRAMS = 2**31 - 1
HOST_BUFFER, DEVICE_BUFFER, INTEGER, REAL = 0, 1, 2, 3


class Failure(Exception):
    """A call that failed: the status of the C interface, and the whole text of the error."""

    BAD_INPUT, NO_DEVICE, EXECUTION, INTERNAL = 1, 2, 3, 4

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind, self.message = kind, message


class _Source(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char_p), ("textLength", ctypes.c_size_t), ("fileName", ctypes.c_char_p),
                ("fileNameLength", ctypes.c_size_t), ("parameters", ctypes.POINTER(ctypes.c_char_p)),
                ("parameterCount", ctypes.c_size_t)]


class _Parameter(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("nameLength", ctypes.c_size_t), ("type", ctypes.c_char_p),
                ("typeLength", ctypes.c_size_t), ("pointerDepth", ctypes.c_uint32), ("isOutput", ctypes.c_int32)]


class _Argument(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("reserved", ctypes.c_int32), ("address", ctypes.c_uint64),
                ("bytes", ctypes.c_uint64), ("integer", ctypes.c_int64), ("real", ctypes.c_double)]


_PrintLine = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class _LaunchOptions(ctypes.Structure):
    _fields_ = [("print", _PrintLine), ("user", ctypes.c_void_p), ("printRecords", ctypes.c_uint32),
                ("allowsRaces", ctypes.c_int32)]


_HANDLE, _SIZE, _BYTES = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
_OUT, _STRINGS, _LENGTH = ctypes.POINTER(_HANDLE), ctypes.POINTER(_BYTES), ctypes.POINTER(_SIZE)
# Result and arguments of each function that is used.
_FUNCTIONS = {
    "fsmVersion": (ctypes.c_uint32, []),
    "fsmErrorStatus": (ctypes.c_int32, [_HANDLE]),
    "fsmErrorText": (_HANDLE, [_HANDLE, _LENGTH]),
    "fsmErrorDestroy": (None, [_HANDLE]),
    "fsmEmit": (ctypes.c_int32, [ctypes.POINTER(_Source), _STRINGS, _SIZE, _BYTES, _SIZE, _OUT, _OUT]),
    "fsmTextData": (_HANDLE, [_HANDLE, _LENGTH]),
    "fsmTextDestroy": (None, [_HANDLE]),
    "fsmEngineCreate": (ctypes.c_int32, [_BYTES, _SIZE, _OUT, _OUT]),
    "fsmEngineDevice": (_HANDLE, [_HANDLE, _LENGTH]),
    "fsmEngineDestroy": (None, [_HANDLE]),
    "fsmKernelLoad": (ctypes.c_int32, [_HANDLE, ctypes.POINTER(_Source), _STRINGS, _SIZE, _OUT, _OUT]),
    "fsmKernelName": (_HANDLE, [_HANDLE, _LENGTH]),
    "fsmKernelDestroy": (None, [_HANDLE]),
    "fsmKernelParameterCount": (_SIZE, [_HANDLE]),
    "fsmKernelParameter": (None, [_HANDLE, _SIZE, ctypes.POINTER(_Parameter)]),
    "fsmKernelParameterIsInput": (ctypes.c_int32, [_HANDLE, _SIZE]),
    "fsmKernelGrid": (ctypes.c_int32, [_HANDLE, ctypes.POINTER(_Argument), _SIZE, ctypes.POINTER(ctypes.c_int32), _OUT]),
    "fsmLaunch": (ctypes.c_int32, [_HANDLE, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(_Argument),
                                   _SIZE, ctypes.POINTER(_LaunchOptions), _OUT]),
    "fsmPrepare": (ctypes.c_int32, [_HANDLE, ctypes.POINTER(_Argument), _SIZE, _OUT, _OUT]),
    "fsmPreparedLaunch": (ctypes.c_int32, [_HANDLE, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32,
                                           ctypes.POINTER(ctypes.c_uint64), _SIZE, _HANDLE, _OUT]),
    "fsmPreparedWarmUp": (ctypes.c_int32, [_HANDLE, ctypes.POINTER(ctypes.c_uint64), _SIZE, _OUT]),
    "fsmPreparedWarmUpGrid": (ctypes.c_int32, [_HANDLE, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32,
                                               ctypes.POINTER(ctypes.c_uint64), _SIZE, _OUT]),
    "fsmPreparedDestroy": (None, [_HANDLE]),
}


def find():
    """The path of libfsm: FSM_LIBRARY in the environment, or beside this package as it is installed or built."""
    named = os.environ.get("FSM_LIBRARY")
    if named:
        return pathlib.Path(named)
    here = pathlib.Path(__file__).resolve()
    names = ("libfsm.so", "libfsm.so.1", "lib/libfsm.so", "build/dev/lib/libfsm.so")
    places = [folder / name for folder in here.parents[1:5] for name in names]
    for place in places:
        if place.exists():
            return place
    raise RuntimeError("expected libfsm.so beside the package, or its path in FSM_LIBRARY")


def build_id(path):
    """The number that the linker gave a file in ELF's 64-bit format, of all that is in it; None if there is none."""
    with open(path, "rb") as file:
        header = file.read(64)
        if len(header) < 64 or header[:6] != b"\x7fELF\x02\x01":
            return None
        table, (size, count) = struct.unpack_from("<Q", header, 32)[0], struct.unpack_from("<HH", header, 54)
        for index in range(count):
            file.seek(table + index * size)
            kind, _, offset, _, _, length = struct.unpack("<IIQQQQ", file.read(40))
            if kind != 4:
                continue
            file.seek(offset)
            notes = file.read(length)
            while len(notes) >= 12:
                name_length, content_length, which = struct.unpack_from("<III", notes)
                content = 12 + -(-name_length // 4) * 4
                if which == 3 and notes[12:16] == b"GNU\0":
                    return notes[content:content + content_length].hex()
                notes = notes[content + -(-content_length // 4) * 4:]
    return None


_loaded = {}


def load(path=None):
    """The library, once for each path. RuntimeError if there is none, or one of another version."""
    path = pathlib.Path(path or find()).resolve()
    if path not in _loaded:
        _loaded[path] = Library(path)
    return _loaded[path]


def _source(text, name, parameters=None):
    text, name = text.encode(), name.encode()
    words = [f"{key}={value}".encode() for key, value in (parameters or {}).items()]
    return _Source(text, len(text), name, len(name), (ctypes.c_char_p * len(words))(*words), len(words))


def _arguments(values, memory):
    """Each value is an int, a float, or (address, bytes) of memory of that kind, or of one that stands behind them."""
    arguments = (_Argument * len(values))()
    for argument, value in zip(arguments, values):
        if isinstance(value, tuple):
            address, size, *kind = value
            argument.kind, argument.address = kind[0] if kind else memory, address
            argument.bytes = UNKNOWN_SIZE if size is None else size
        elif isinstance(value, float):
            argument.kind, argument.real = REAL, value
        else:
            argument.kind, argument.integer = INTEGER, value
    return arguments


def _check_grid(x, y, z):
    """ctypes would cut a number that int32_t does not hold."""
    if not (0 <= x <= MOST_PROGRAMS and 0 <= y <= MOST_PROGRAMS and 0 <= z <= MOST_PROGRAMS):
        raise Failure(Failure.BAD_INPUT, f"expected a grid of 0 to {MOST_PROGRAMS} programs in each dimension, got {x}, {y}, {z}")


def _strings(options):
    """`KEY=VALUE` of each option that is not None; a truth is true or false."""
    words = [f"{key.replace('_', '-')}={str(value).lower() if isinstance(value, bool) else value}".encode()
             for key, value in options.items() if value is not None]
    return (ctypes.c_char_p * len(words))(*words), len(words)


class Library:
    """The functions, with Failure for a status."""

    def __init__(self, path):
        self.path = path
        try:
            self.c = ctypes.CDLL(str(path))
        except OSError as error:
            raise RuntimeError(f"expected libfsm at {path}: {error}") from None
        if self.c.fsmVersion() < API_VERSION:
            raise RuntimeError(f"expected version {API_VERSION} or later of libfsm's interface, got "
                               f"{self.c.fsmVersion()} from {path}")
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(self.c, name)
            function.restype, function.argtypes = result, arguments
        self._hash = None

    def hash(self):
        """Names this build: for keys of caches. To read all of the library would be most of a program's start."""
        if self._hash is None:
            import hashlib
            self._hash = (build_id(self.path) or hashlib.sha256(self.path.read_bytes()).hexdigest())[:16]
        return self._hash

    def _checked(self, status, error):
        if not status:
            return
        length = _SIZE()
        text = self.c.fsmErrorText(error, ctypes.byref(length))
        message = self.text(text, length)
        self.c.fsmErrorDestroy(error)
        raise Failure(status, message)

    def text(self, data, length):
        """What the library says at that address."""
        return ctypes.string_at(data, length.value).decode("utf-8", "replace")

    def emit(self, text, name, stage, parameters=None, **options):
        """The text of a stage, as `fsm-run --emit=STAGE` prints it."""
        made, error, length = _HANDLE(), _HANDLE(), _SIZE()
        words, count = _strings(options)
        self._checked(self.c.fsmEmit(ctypes.byref(_source(text, name, parameters)), words, count, stage.encode(), len(stage),
                                     ctypes.byref(made), ctypes.byref(error)), error)
        data = self.c.fsmTextData(made, ctypes.byref(length))
        result = self.text(data, length)
        self.c.fsmTextDestroy(made)
        return result

    def engine(self, device):
        """Opens "cpu", "interp", "sim" or "cuda"; "" opens a GPU if there is one, and else the CPU."""
        handle, error = _HANDLE(), _HANDLE()
        self._checked(self.c.fsmEngineCreate(device.encode(), len(device), ctypes.byref(handle), ctypes.byref(error)),
                      error)
        length = _SIZE()
        return Engine(self, handle, self.text(self.c.fsmEngineDevice(handle, ctypes.byref(length)), length))


class Engine:
    """A device that compiles and runs kernels."""

    def __init__(self, library, handle, device):
        self.library, self.handle, self.device = library, handle, device
        self.own_memory = DEVICE_BUFFER if device.startswith("cuda") else HOST_BUFFER

    def close(self):
        """Ends the engine's use here; kernels that are left keep it."""
        self.library.c.fsmEngineDestroy(self.handle)
        self.handle = None

    __del__ = close

    def load(self, text, name, parameters=None, **options):
        """A kernel of a text; code is generated when it is launched."""
        handle, error = _HANDLE(), _HANDLE()
        words, count = _strings(options)
        c = self.library.c
        self.library._checked(c.fsmKernelLoad(self.handle, ctypes.byref(_source(text, name, parameters)), words, count,
                                              ctypes.byref(handle), ctypes.byref(error)), error)
        return Kernel(self, handle)


class Kernel:
    """A kernel of an engine."""

    def __init__(self, engine, handle):
        self.engine, self.handle, self.library = engine, handle, engine.library

    def close(self):
        """Drops the kernel and its code; once is enough."""
        self.library.c.fsmKernelDestroy(self.handle)
        self.handle = None

    __del__ = close

    def name(self):
        length = _SIZE()
        return self.library.text(self.library.c.fsmKernelName(self.handle, ctypes.byref(length)), length)

    def is_input(self, index):
        """Whether the kernel never writes what the parameter points to."""
        return bool(self.library.c.fsmKernelParameterIsInput(self.handle, index))

    def grid(self, values):
        """The grid that the kernel states for a launch of these values."""
        grid, error = (ctypes.c_int32 * 3)(), _HANDLE()
        self.library._checked(self.library.c.fsmKernelGrid(self.handle, _arguments(values, HOST_BUFFER), len(values), grid,
                                                           ctypes.byref(error)), error)
        return tuple(grid)

    def parameters(self):
        """(name, type, depth of pointers, whether it is only written) of each."""
        found, c = [], self.library.c
        for index in range(c.fsmKernelParameterCount(self.handle)):
            parameter = _Parameter()
            c.fsmKernelParameter(self.handle, index, ctypes.byref(parameter))
            found.append((parameter.name.decode(), parameter.type.decode(), parameter.pointerDepth,
                          bool(parameter.isOutput)))
        return found

    def launch(self, grid, values, print_line=None, allows_races=False):
        """Runs x * y * z programs and returns when they are done.

        A value is an int, a float, or (address, bytes) of memory of the host; bytes are None where nobody knows them.
        Lines that the kernel prints go to `print_line`.
        """
        _check_grid(*grid)
        arguments = _arguments(values, HOST_BUFFER)

        def print_one(_, line, length):
            print_line(ctypes.string_at(line, length).decode("utf-8", "replace"))

        options = _LaunchOptions(_PrintLine(print_one) if print_line else _PrintLine(), None, 0, allows_races)
        error = _HANDLE()
        self.library._checked(self.library.c.fsmLaunch(self.handle, *grid, arguments, len(values),
                                                       ctypes.byref(options), ctypes.byref(error)), error)

    def prepare(self, values):
        """Launches that copy nothing, of values like these: ints, floats, and (address, bytes) of memory of the device."""
        arguments = _arguments(values, self.engine.own_memory)
        handle, error = _HANDLE(), _HANDLE()
        self.library._checked(self.library.c.fsmPrepare(self.handle, arguments, len(values), ctypes.byref(handle),
                                                        ctypes.byref(error)), error)
        return Prepared(self, handle, len(values))


def library_function(library, name):
    """A function that looks at none of its arguments: they are of its types, or Python's integers for those of 32 bits."""
    function = library.c[name]
    function.restype = _FUNCTIONS[name][0]
    return function


class Prepared:
    """Launches of one kernel on a stream, of arguments of the same kinds and sizes. Threads wait for one another."""

    def __init__(self, kernel, handle, count):
        self.kernel, self.handle, self.library = kernel, handle, kernel.library
        self.values = (ctypes.c_uint64 * count)()
        self._error = _HANDLE()
        self._pack = struct.Struct(f"{count}Q").pack_into
        # To make what ctypes hands over, of arguments whose types it is told, takes most of a launch: here it is made once.
        self._function, self._count = library_function(self.library, "fsmPreparedLaunch"), ctypes.c_size_t(count)
        self._failed = ctypes.byref(self._error)
        self._stream, self._stream_handle = None, ctypes.c_void_p()
        # The library serves one thread at a time, and these are of one launch until it returns: ctypes lets go of Python's lock.
        self._lock = threading.Lock()

    def __del__(self):
        self.library.c.fsmPreparedDestroy(self.handle)

    def take(self, bits):
        """Puts the values where the library finds them. ctypes cuts integers of Python, but takes no others."""
        try:
            self._pack(self.values, 0, *bits)
        except struct.error:
            # A negative number, or a wrong count, which ctypes says.
            self.values[:] = [int(number) for number in bits]

    def launch(self, grid, bits, stream):
        """Queues a launch. `bits` are addresses, integers modulo 2^64, and floats in the format of their types."""
        x, y, z = grid
        _check_grid(x, y, z)
        with self._lock:
            self.take(bits)
            if stream != self._stream:
                self._stream, self._stream_handle = stream, ctypes.c_void_p(stream)
            status = self._function(self.handle, x, y, z, self.values, self._count, self._stream_handle, self._failed)
            if status:
                self.library._checked(status, self._error)

    def warm_up(self, bits, grid=None):
        """Generates the code that a launch of that grid would, or one of many programs; other threads of Python go on meanwhile."""
        _check_grid(*(grid or (1, 1, 1)))
        with self._lock:
            self.take(bits)
            warm_up = self.library.c.fsmPreparedWarmUpGrid if grid else self.library.c.fsmPreparedWarmUp
            self.library._checked(warm_up(self.handle, *(grid or ()), self.values, len(bits), ctypes.byref(self._error)), self._error)
