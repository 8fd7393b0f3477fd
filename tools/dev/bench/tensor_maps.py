"""The tensor maps that a launch passes behind a kernel's own arguments, made by the driver as the launch contract says."""

import ctypes
from ctypes import c_int, c_uint, c_uint32, c_uint64, c_void_p

# CUtensorMapDataType and bytes of an element; CUtensorMapSwizzle; CUtensorMapL2promotion.
TYPES = {"i1": (0, 1), "i8": (0, 1), "f8E4M3FN": (0, 1), "f8E5M2": (0, 1), "i16": (1, 2), "i32": (3, 4), "i64": (5, 8),
         "f16": (6, 2), "f32": (7, 4), "f64": (8, 8), "bf16": (9, 2)}
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
PROMOTES_LINES = 2
BYTES, ALIGNMENT = 128, 64


def evaluate(text, arguments):
    """What a launch expression gives, such as `arg3 8 * arg4 +`."""
    stack = []
    for word in text.split():
        if word in ("+", "-", "*"):
            right, left = stack.pop(), stack.pop()
            stack.append({"+": left + right, "-": left - right, "*": left * right}[word])
        else:
            stack.append(arguments[int(word[3:])] if word.startswith("arg") else int(word))
    (value, ) = stack
    return value


def aligned_bytes():
    """Memory for a map, which the driver wants at a multiple of 64 bytes."""
    memory = bytearray(BYTES + ALIGNMENT)
    begin = ctypes.addressof((ctypes.c_ubyte * len(memory)).from_buffer(memory))
    return (ctypes.c_ubyte * BYTES).from_buffer(memory, -begin % ALIGNMENT)


def encode(driver, plan, arguments):
    """The 128 bytes of a map of the contract for arguments that are integers, addresses among them."""
    number, width = TYPES[plan["element"]]
    sizes = [evaluate(text, arguments) for text in reversed(plan["sizes"])]
    strides = [evaluate(text, arguments) * width for text in reversed(plan["strides"])]
    box, rank = list(reversed(plan["box"])), len(sizes)
    if plan.get("box_ends"):
        box[-1] = min(box[-1], sizes[-1])
    made = aligned_bytes()
    driver("cuTensorMapEncodeTiled", made, c_int(number), c_uint32(rank), c_void_p(arguments[plan["pointer"]]),
           (c_uint64 * rank)(*sizes), (c_uint64 * rank)(*strides), (c_uint32 * rank)(*box), (c_uint32 * rank)(*[1] * rank),
           c_int(0), c_int(SWIZZLES[plan["swizzle"]]), c_int(PROMOTES_LINES), c_uint(0))
    return made
