"""The suite of kernels of rows beside softmax: what is measured. Nothing here needs a GPU."""

from dataclasses import dataclass, field

from .package import ELEMENT_PARAMETERS
from .suites import BYTES, array

EPSILON = 1e-5
# Rows x columns of each type.
SHAPES = (("f16", 4096, 4096), ("f16", 4096, 16384), ("f32", 4096, 4096), ("f32", 2048, 65536), ("f16", 16384, 781),
          ("bf16", 4096, 50257))
# Rows that begin anywhere.
ODD_COLUMNS = (515, 2047, 4095, 12289)
QUICK_SHAPES = SHAPES[:1]
BLOCKED_SHAPE, BLOCKED_BLOCKS, BLOCKED_WARPS = ("f16", 4096, 4096), (512, 1024, 2048, 4096), (4, 8, 16)
ONLINE_BLOCKS = (1024, 4096)
# Programs of the persistent backward pass, each of which writes a row of partial sums: at most so many, or one for so many rows where
# that is more, as short rows need; and the columns that a program adds up.
PARTS, ROWS_OF_PART, COLUMNS = 264, 16, 16


@dataclass(frozen=True)
class Kernel:
    """A kernel, and its arguments in order: `name:T:rc` is an array of rows x columns of the case's type, `:C:` of what is
    computed in, `:c` and `:r` are one number a column or row, `:pc` one a column for each program; anything else is a scalar."""

    name: str
    file: str
    arguments: tuple
    # Arrays of rows x columns that have to be read or written.
    streams: int = 2
    entry: str = ""
    # Programs a launch: "rows", "blocks" of a flat array, "columns" in groups of COLUMNS, "parts" as many as run at once.
    programs: object = "rows"
    # What is launched behind it, of the same arrays.
    then: object = None

    @property
    def launched(self):
        return (self, *(self.then.launched if self.then else ()))


ROW = ("cols", "cols", "cols")
BLOCKED = Kernel("layer norm, three loops", "layer_norm_blocked.mlir",
                 ("out:T:rc", "in:T:rc", "weight:T:c", "bias:T:c", *ROW, "eps"))
ONLINE = Kernel("softmax, online", "08-softmax-online.mlir", ("out:T:rc", "in:T:rc", *ROW), 3)
FINISH = Kernel("layer norm backward", "11-layer-norm-backward.mlir",
                ("dw:T:c", "db:T:c", "dw_parts:C:pc", "db_parts:C:pc", "parts", "cols"), 0, "finish", "columns")
KERNELS = (
    Kernel("softmax", "04-softmax.mlir", ("out:T:rc", "in:T:rc", *ROW)),
    Kernel("softmax backward", "07-softmax-backward.mlir", ("out:T:rc", "y:T:rc", "dy:T:rc", "cols", *ROW), 3),
    Kernel("RMS norm", "09-rms-norm.mlir", ("out:T:rc", "in:T:rc", "weight:T:c", *ROW, "eps")),
    Kernel("layer norm", "10-layer-norm.mlir",
           ("out:T:rc", "means:C:r", "rstds:C:r", "in:T:rc", "weight:T:c", "bias:T:c", *ROW, "eps")),
    Kernel("layer norm backward", "11-layer-norm-backward.mlir",
           ("out:T:rc", "dw_parts:C:pc", "db_parts:C:pc", "dy:T:rc", "in:T:rc", "weight:T:c", "means:C:r", "rstds:C:r", *ROW,
            "rows", "cols"), 3, "partial", "parts", FINISH),
    Kernel("cross-entropy and gradient", "13-cross-entropy.mlir",
           ("losses:C:r", "out:T:rc", "in:T:rc", "labels:i32:r", *ROW, "one")),
    Kernel("cross-entropy", "cross_entropy.mlir", ("losses:C:r", "in:T:rc", "labels:i32:r", "cols", "cols"), 1),
    Kernel("dropout", "14-dropout.mlir", ("out:T:rc", "in:T:rc", "count", "half", "seed"), 2, "", "blocks"),
)


@dataclass(frozen=True)
class FamilyCase:
    """A kernel and the rows that it gets; `ways` are what it is compiled with: {a name: further words of the command line}."""

    kernel: Kernel
    type: str
    rows: int
    cols: int
    ways: tuple = field(default=(("fsm", ()), ))

    @property
    def title(self):
        return f"{self.kernel.name} {self.type} {self.rows} x {self.cols}"

    @property
    def copied(self):
        """Bytes that a copy of one array reads and writes."""
        return 2 * self.rows * self.cols * BYTES[self.type]

    @property
    def moved(self):
        return self.copied // 2 * self.kernel.streams

    @property
    def block(self):
        return 256 if self.kernel.programs == "blocks" else self.cols

    @property
    def parts(self):
        """The most rows of partial sums."""
        return max(PARTS, self.rows // ROWS_OF_PART)

    @property
    def scalars(self):
        return {"cols": str(self.cols), "rows": str(self.rows), "eps": str(EPSILON), "one": "1.0", "half": "0.5", "seed": "781",
                "count": str(self.rows * self.cols), "parts": str(self.parts)}

    @property
    def arrays(self):
        """[(name, what its elements are called, extents)] of all that is launched."""
        texts = dict.fromkeys(text for kernel in self.kernel.launched for text in kernel.arguments if ":" in text)
        return [tuple(text.split(":")) for text in texts]

    def extent(self, letters):
        return {"rc": (self.rows, self.cols), "r": (self.rows,), "c": (self.cols,), "pc": (self.parts, self.cols)}[letters]

    def element(self, letter):
        return {"T": self.type, "C": "f32"}.get(letter, letter)

    def programs(self, kernel):
        named = {"rows": self.rows, "blocks": -(-self.rows * self.cols // (4 * self.block)), "columns": -(-self.cols // COLUMNS),
                 "parts": self.parts}
        return named[kernel.programs]

    def options(self, kernel, words, target):
        """How compile_kernel and emit_command make one of what is launched."""
        arguments = []
        for text in kernel.arguments:
            if ":" not in text:
                arguments.append(self.scalars[text])
                continue
            _, letter, extent = text.split(":")
            count = 1
            for length in self.extent(extent):
                count *= length
            arguments.append(array(self.element(letter), count))
        parameters = dict(ELEMENT_PARAMETERS[self.type])
        if "softmax" not in self.kernel.name and "cross" not in self.kernel.name or "backward" in self.kernel.name:
            parameters.pop("NINF", None)
        if self.kernel.name == "cross-entropy":
            parameters.pop("NARROW", None)
        own = dict(word.split("=") for word in words if not word.startswith("-"))
        return {"target": target, "arguments": arguments, "kernel": kernel.entry,
                "parameters": {**parameters, "BLOCK": self.block, **own}, "options": tuple(word for word in words if word.startswith("-"))}


def cases(quick=False):
    shapes = QUICK_SHAPES if quick else SHAPES
    found = [FamilyCase(kernel, *shape) for kernel in KERNELS for shape in shapes]
    if not quick:
        found += [FamilyCase(kernel, "f16", 2**25 // cols, cols) for kernel in KERNELS[:4] for cols in ODD_COLUMNS]
    blocked = tuple((f"fsm block {block} warps {warps}", (f"BLOCK={block}", f"--num-warps={warps}"))
                    for block in BLOCKED_BLOCKS for warps in BLOCKED_WARPS)
    online = tuple((f"fsm block {block}", (f"BLOCK={block}",)) for block in ONLINE_BLOCKS)
    found.append(FamilyCase(BLOCKED, *BLOCKED_SHAPE, blocked[:1] if quick else blocked))
    found.append(FamilyCase(ONLINE, "f32", 4096, 16384, online[:1] if quick else online))
    return found
