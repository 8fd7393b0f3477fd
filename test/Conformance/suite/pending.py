"""What does not pass yet. An entry is an op, or an op and a device; an op that passes must not stand here."""

PENDING = ()
