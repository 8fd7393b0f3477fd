"""What does not pass yet. An entry is an op, or an op and a device; an op that passes must not stand here."""

PENDING = ()

# Types of a line of the table that came since a GPU was last asked: every device that needs none must pass them. What
# cuda.txt records must not stand here.
TILED = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2")
UNRECORDED = {"fsm.atomic_cas": ("i16", "f16", "bf16"), "fsm.descriptor": TILED, "fsm.load_tile": TILED, "fsm.store_tile": TILED}
