"""The few functions of the CUDA driver that launch PTX, called through ctypes.

The primary context of device 0 is used, which is also PyTorch's, so kernels loaded here may run on PyTorch's streams and
buffers. Every function raises DriverError with the driver's own words.
"""

import ctypes
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

LIBRARY = "libcuda.so.1"
# CUfunction_attribute, CUdevice_attribute and CUjit_option numbers.
SHARED_BYTES, LOCAL_BYTES, REGISTERS, MAX_DYNAMIC_SHARED = 1, 3, 4, 8
NON_PORTABLE_CLUSTER = 14
# CUlaunchAttributeID.
CLUSTER_DIMENSION, OVERLAPS = 4, 6
MULTIPROCESSORS, CAPABILITY_MAJOR, CAPABILITY_MINOR = 16, 75, 76
ERROR_LOG_BUFFER, ERROR_LOG_SIZE = 5, 6


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute: a number, and 64 bytes from a multiple of 8 on."""

    _fields_ = (("id", c_uint), ("pad", c_uint), ("value", c_uint * 16))


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig: the extents of grid and block first."""

    _fields_ = (("extents", c_uint * 6), ("shared_bytes", c_uint), ("stream", c_void_p), ("attributes", ctypes.POINTER(LaunchAttribute)),
                ("count", c_uint))


class DriverError(RuntimeError):
    """A call of the driver failed."""


class Driver:
    """The driver and the primary context of a device, made current."""

    def __init__(self, library=LIBRARY, device=0):
        try:
            self.cuda = ctypes.CDLL(library)
        except OSError as error:
            raise DriverError(f"there is no CUDA driver: {error}") from error
        self("cuInit", c_uint(0))
        self.device = c_int()
        self("cuDeviceGet", byref(self.device), c_int(device))
        self.context = c_void_p()
        self("cuDevicePrimaryCtxRetain", byref(self.context), self.device)
        self("cuCtxSetCurrent", self.context)

    def __call__(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status != 0:
            text = c_char_p()
            self.cuda.cuGetErrorString(c_int(status), byref(text))
            raise DriverError(f"{name}: error {status}, {(text.value or b'unknown').decode()}")

    def device_attribute(self, attribute):
        value = c_int()
        self("cuDeviceGetAttribute", byref(value), c_int(attribute), self.device)
        return value.value

    @property
    def multiprocessors(self):
        return self.device_attribute(MULTIPROCESSORS)

    def load(self, ptx):
        """A module of PTX text; the JIT's complaints are part of the error."""
        module, log = c_void_p(), ctypes.create_string_buffer(16384)
        options = (c_int * 2)(ERROR_LOG_BUFFER, ERROR_LOG_SIZE)
        values = (c_void_p * 2)(ctypes.cast(log, c_void_p), c_void_p(len(log)))
        try:
            self("cuModuleLoadDataEx", byref(module), c_char_p(ptx.encode()), c_uint(2), options, values)
        except DriverError as error:
            raise DriverError(f"{error}\n{log.value.decode(errors='replace')}".rstrip()) from error
        return module

    def function(self, module, name, shared_bytes=0):
        """An entry of a module that may use so much dynamic shared memory, and clusters of 16 CTAs where there are any."""
        function = c_void_p()
        self("cuModuleGetFunction", byref(function), module, c_char_p(name.encode()))
        if shared_bytes > 48 * 1024:
            self("cuFuncSetAttribute", function, c_int(MAX_DYNAMIC_SHARED), c_int(shared_bytes))
        # What has no clusters refuses it, and needs none.
        self.cuda.cuFuncSetAttribute(function, c_int(NON_PORTABLE_CLUSTER), c_int(1))
        return function

    def function_attribute(self, function, attribute):
        value = c_int()
        self("cuFuncGetAttribute", byref(value), c_int(attribute), function)
        return value.value

    def ctas_per_multiprocessor(self, function, threads, shared_bytes=0):
        count = c_int()
        self("cuOccupancyMaxActiveBlocksPerMultiprocessor", byref(count), function, c_int(threads),
             c_size_t(shared_bytes))
        return count.value

    def active_clusters(self, function, threads, ctas, shared_bytes):
        """How many clusters of so many CTAs run at once: fewer than the multiprocessors by number, where their groups do not divide."""
        attribute = LaunchAttribute(CLUSTER_DIMENSION, 0, (c_uint * 16)(ctas, 1, 1))
        config = LaunchConfig((c_uint * 6)(ctas, 1, 1, threads, 1, 1), shared_bytes, None, ctypes.pointer(attribute), 1)
        count = c_int()
        self("cuOccupancyMaxActiveClusters", byref(count), function, byref(config))
        return count.value

    def launch(self, function, grid, block, shared_bytes, arguments, stream=0, overlaps=False):
        """Launches with arguments that are ctypes values; grid and block are (x, y, z). One that overlaps may begin before the launches
        before it have ended, for which its code waits."""
        pointers = (c_void_p * max(1, len(arguments)))(*(ctypes.addressof(value) for value in arguments))
        if overlaps:
            attribute = LaunchAttribute(OVERLAPS, 0, (c_uint * 16)(1))
            config = LaunchConfig((c_uint * 6)(*grid, *block), shared_bytes, stream, ctypes.pointer(attribute), 1)
            self("cuLaunchKernelEx", byref(config), function, pointers, None)
            return
        self("cuLaunchKernel", function, *map(c_uint, (*grid, *block)), c_uint(shared_bytes), c_void_p(stream), pointers,
             None)

    def allocate(self, count):
        """The address of so many bytes."""
        address = c_uint64()
        self("cuMemAlloc_v2", byref(address), c_size_t(max(1, count)))
        return address

    def copy_in(self, address, array):
        if array.nbytes:
            self("cuMemcpyHtoD_v2", address, c_void_p(array.ctypes.data), c_size_t(array.nbytes))

    def copy_out(self, array, address):
        if array.nbytes:
            self("cuMemcpyDtoH_v2", c_void_p(array.ctypes.data), address, c_size_t(array.nbytes))

    def synchronize(self):
        self("cuCtxSynchronize")
