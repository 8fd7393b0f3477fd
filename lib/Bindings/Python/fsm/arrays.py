"""What a kernel's pointer may be given: arrays of NumPy, tensors of torch, and what else has a buffer or says where it is.

Neither NumPy nor torch is imported: an array is known by what it says of itself.
"""

import collections
import ctypes

from ._library import DEVICE_BUFFER, HOST_BUFFER

# `element` is a name such as "f32", or what the array itself calls its type where there is none; `keep` lives as long as the memory.
Memory = collections.namedtuple("Memory", "address bytes kind element is_contiguous is_writable keep")

# By kind and bytes of an element, of NumPy's descriptions and of the module struct. FSM's integers have no sign.
_BY_KIND = {"b1": "i1", "f2": "f16", "f4": "f32", "f8": "f64",
            **{f"{kind}{size}": f"i{8 * size}" for kind in "iu" for size in (1, 2, 4, 8)}}
_BY_FORMAT = {"?": "b", "e": "f", "f": "f", "d": "f", **dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQNc", "u")}
_BY_TORCH = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "float8_e4m3fn": "f8E4M3FN",
             "float8_e5m2": "f8E5M2", "bool": "i1", "uint8": "i8", "int8": "i8", "uint16": "i16", "int16": "i16",
             "uint32": "i32", "int32": "i32", "uint64": "i64", "int64": "i64"}
# Elements that NumPy has no type for are integers of their bits.
_BITS = {"bf16": "i16", "f8E4M3FN": "i8", "f8E5M2": "i8"}


def fits(element, wanted):
    """Whether an array of these elements may be a kernel's of those."""
    return element in (wanted, _BITS.get(wanted))


def expected(wanted):
    """What one calls an array of a kernel's elements."""
    names = {"i1": "bool", "f16": "float16", "f32": "float32", "f64": "float64"}
    if wanted in _BITS:
        return f"{_BITS[wanted].replace('i', 'uint')} (the bits of {wanted})"
    return names.get(wanted) or f"int{wanted[1:]} or uint{wanted[1:]}"


def _of_torch(tensor):
    kind = HOST_BUFFER if tensor.device.type == "cpu" else DEVICE_BUFFER
    name = str(tensor.dtype).split(".")[-1]
    return Memory(tensor.data_ptr(), tensor.numel() * tensor.element_size(), kind, _BY_TORCH.get(name, name),
                  tensor.is_contiguous(), True, tensor)


def _lies_by_rows(shape, strides, size):
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent > 1 and stride != size:
            return False
        size *= extent
    return True


def _of_interface(array, described, kind):
    """What `__array_interface__` says, or `__cuda_array_interface__`."""
    order, code, size, shape = described["typestr"][0], described["typestr"][1], int(described["typestr"][2:]), described["shape"]
    element = _BY_KIND.get(f"{code}{size}") if order != ">" else None
    address, is_read_only = described["data"]
    count = 1
    for extent in shape:
        count *= extent
    if not element:
        # Of ml_dtypes NumPy knows the bytes alone; its integers keep their names, for their order is another.
        name = str(getattr(array, "dtype", described["typestr"]))
        element = {"bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2"}.get(name, name)
    strides = described.get("strides")
    # One of NumPy's numbers shows a copy of itself, which is nobody's to write.
    is_read_only = is_read_only or not getattr(getattr(array, "flags", None), "writeable", True)
    is_contiguous = count == 0 or strides is None or _lies_by_rows(shape, strides, size)
    return Memory(address, count * size, kind, element, is_contiguous, not is_read_only, array)


def _of_buffer(array):
    view = memoryview(array)
    code = view.format.lstrip("@=<")
    element = _BY_KIND.get(f"{_BY_FORMAT.get(code)}{view.itemsize}", view.format)
    if not view.c_contiguous:
        return Memory(0, view.nbytes, HOST_BUFFER, element, False, not view.readonly, view)
    # The address of what may not be written is ctypes' to refuse: a copy of it will do.
    whole = view.cast("B") if view.nbytes else bytearray(1)
    make = (ctypes.c_char * max(view.nbytes, 1))
    place = make.from_buffer_copy(whole) if view.readonly else make.from_buffer(whole)
    return Memory(ctypes.addressof(place), view.nbytes, HOST_BUFFER, element, True, not view.readonly, (view, place))


def memory_of(array):
    """Where an array is and what it holds; None of what is no array."""
    if hasattr(array, "data_ptr") and hasattr(array, "element_size"):
        return _of_torch(array)
    for name, kind in (("__array_interface__", HOST_BUFFER), ("__cuda_array_interface__", DEVICE_BUFFER)):
        described = getattr(array, name, None)
        if described is not None:
            return _of_interface(array, described, kind)
    try:
        return _of_buffer(array)
    except TypeError:
        return None
