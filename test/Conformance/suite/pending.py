"""What does not pass yet. An entry is an op, or an op and a device; an op that passes must not stand here."""

PENDING = ()

# Types of a line of the table that came since a GPU was last asked: every device that needs none must pass them. What
# cuda.txt records must not stand here.
UNRECORDED = {"fsm.atomic_cas": ("i16", "f16", "bf16")}
