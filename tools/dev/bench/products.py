"""Which matrix products are measured, and the FSM kernels that take part. Nothing here needs a GPU."""

from dataclasses import dataclass, field

from .suites import array

SQUARES = (1024, 2048, 4096, 8192)
# (rows, columns, inner extent, how much longer than its columns a row is): what tiles do not divide, rows that do not
# begin at 16 bytes, and few rows.
AWKWARD = ((4096, 4096, 4096, 1), (4096, 4096, 4100, 0), (4096, 4096, 4095, 0), (1000, 1048, 712, 0),
           (7168, 2112, 16384, 0), (16, 8192, 8192, 0), (64, 8192, 8192, 0))
# Rows, columns and inner extent of a tile, stages and warps; 0 warps are the compiler's choice.
TILES = ((128, 128, 32, 4, 0), (128, 128, 64, 3, 0), (128, 256, 32, 3, 0), (64, 128, 64, 4, 0), (64, 64, 64, 4, 0))
# Where groups of four warps multiply elements of 16 bits.
GROUP_TILES = ((128, 128, 64, 2, 0), (128, 128, 64, 2, 8), (128, 256, 64, 3, 0), (128, 128, 64, 4, 8), (256, 128, 64, 3, 0),
               (64, 128, 64, 4, 0), (64, 256, 64, 4, 0))
FLAT_TILES = ((16, 64, 128, 4, 0), (16, 128, 128, 4, 0), (32, 64, 128, 4, 0), (64, 64, 128, 4, 0))
QUICK_TILES = 2
FEW_ROWS = 64
# Parameters of 16-matmul.mlir for each type of the factors, without its leaky ReLU.
PARAMETERS = {
    "f16": {"T": "f16", "O": "f16", "NARROW": "arith.truncf", "PRECISION": "//", "SLOPE": "1.0"},
    "bf16": {"T": "bf16", "O": "bf16", "NARROW": "arith.truncf", "PRECISION": "//", "SLOPE": "1.0"},
    "tf32": {"T": "f32", "O": "f32", "PRECISION": "precision = tf32", "SLOPE": "1.0"},
}
STORED = {"f16": "f16", "bf16": "bf16", "tf32": "f32"}


@dataclass(frozen=True)
class Tile:
    """How example 16 is compiled for a product."""

    rows: int
    columns: int
    inner: int
    num_stages: int
    num_warps: int
    target: str
    parameters: dict = field(hash=False)
    arguments: tuple = ()

    file = "16-matmul.mlir"

    @property
    def name(self):
        warps = f" warps {self.num_warps}" if self.num_warps else ""
        return f"fsm {self.target} {self.rows}x{self.columns}x{self.inner} stages {self.num_stages}{warps}"

    @property
    def options(self):
        return {"target": self.target, "arguments": self.arguments, "parameters": self.parameters,
                "num_warps": self.num_warps}


@dataclass(frozen=True)
class Product:
    """A rows x inner matrix times an inner x columns one; their rows and the result's are `padding` elements longer."""

    type: str
    rows: int
    columns: int
    inner: int
    padding: int = 0

    @property
    def title(self):
        longer = f", rows + {self.padding}" if self.padding else ""
        return f"{self.type} {self.rows} x {self.columns} x {self.inner}{longer}"

    @property
    def operations(self):
        """Products and sums."""
        return 2 * self.rows * self.columns * self.inner

    def programs(self, tile):
        return -(-self.rows // tile.rows) * -(-self.columns // tile.columns)

    def tiles(self, target, quick=False):
        """The kernels for a target. What a tile of shared memory does not hold is refused when it is compiled."""
        strides = (self.columns + self.padding, self.inner + self.padding, self.columns + self.padding)
        stored = STORED[self.type]
        sizes = (self.rows * strides[0], self.rows * strides[1], self.inner * strides[2])
        arguments = (*(array(stored, size) for size in sizes),
                     *map(str, (self.rows, self.columns, self.inner, *strides)))
        in_groups = target == "sm_90a" and self.type != "tf32"
        shapes = FLAT_TILES if self.rows <= FEW_ROWS else GROUP_TILES if in_groups else TILES
        shapes = shapes[:QUICK_TILES] if quick else shapes
        return [Tile(rows, columns, inner, stages, warps, target,
                     {**PARAMETERS[self.type], "BM": rows, "BN": columns, "BK": inner, "STAGES": stages}, arguments)
                for rows, columns, inner, stages, warps in shapes]


def products(types=("f16",), quick=False):
    """The points: squares of each type, and awkward ones of the first."""
    sizes = SQUARES[2:3] if quick else SQUARES
    squares = [Product(kind, size, size, size) for kind in types for size in sizes]
    return squares if quick else squares + [Product(types[0], *shape) for shape in AWKWARD]
