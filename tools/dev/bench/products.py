"""Which matrix products are measured, and the FSM kernels that take part. Nothing here needs a GPU."""

from dataclasses import dataclass, field, replace

from .suites import array

SQUARES = (1024, 2048, 4096, 8192)
# (rows, columns, inner extent, how much longer than its columns a row is): what tiles do not divide, rows that do not
# begin at 16 bytes, and few rows.
AWKWARD = ((4096, 4096, 4096, 1), (4096, 4096, 4100, 0), (4096, 4096, 4095, 0), (1000, 1048, 712, 0),
           (7168, 2112, 16384, 0), (1, 8192, 8192, 0), (8, 8192, 8192, 0), (16, 8192, 8192, 0), (33, 8192, 8192, 0),
           (64, 8192, 8192, 0))
# Rows, columns and inner extent of a tile, stages and warps; 0 warps are the compiler's choice.
TILES = ((128, 128, 32, 4, 0), (128, 128, 64, 3, 0), (128, 256, 32, 3, 0), (64, 128, 64, 4, 0), (64, 64, 64, 4, 0))
# Where groups of four warps multiply elements of 16 bits.
GROUP_TILES = ((128, 128, 64, 2, 0), (128, 128, 64, 2, 8), (128, 256, 64, 3, 0), (128, 128, 64, 4, 8), (256, 128, 64, 3, 0),
               (64, 128, 64, 4, 0), (64, 128, 64, 3, 0), (64, 128, 64, 6, 0), (64, 256, 64, 4, 0), (64, 64, 64, 6, 0),
               (64, 64, 128, 4, 0), (64, 128, 128, 3, 0), (128, 64, 128, 3, 0), (128, 128, 128, 2, 0), (128, 256, 32, 6, 0),
               (128, 128, 64, 3, 0), (64, 128, 64, 8, 0), (128, 256, 32, 8, 0), (128, 192, 64, 4, 0),
               (128, 128, 64, 5, 8), (64, 192, 64, 6, 0))
# Of f32 by multiply-adds.
SCALAR_TILES = ((128, 256, 16, 4, 8), (128, 128, 16, 4, 8), (128, 128, 16, 4, 4), (64, 128, 16, 4, 4), (64, 64, 16, 4, 4))
# Of example 17, whose programs go from tile to tile, and how many rows of tiles are a group: what programs that run at the
# same time read is least where their tiles are about a square, or whole rows of tiles.
PERSISTENT_TILES = ((128, 256, 64, 4, 8, 8), (128, 256, 64, 4, 8, 16), (128, 256, 32, 8, 8, 8), (256, 128, 32, 8, 8, 8),
                    (128, 128, 64, 4, 4, 8), (128, 192, 64, 4, 8, 8), (128, 192, 64, 4, 8, 4),
                    (128, 192, 64, 4, 8, 12))
GROUP = 8
# Of the GPUs that this is for.
MULTIPROCESSORS = 132
FLAT_TILES = ((16, 64, 128, 4, 0), (16, 128, 128, 4, 0), (32, 64, 128, 4, 0), (64, 64, 128, 4, 0))
QUICK_TILES = 2
# How a tile is named.
ROLES = {"": "", "auto": "", "always": " roles", "never": " no roles"}
FEW_ROWS = 64
# A type that 16-matmul.mlir does not take from T's: the parameters that follow it, without its leaky ReLU.
WHOLE = {"C": "i32", "O": "i32", "ZERO": "0", "MUL": "arith.muli", "LESS": "arith.cmpi slt,", "SLOPE": "1"}
NARROWED = {"NARROW": "arith.truncf", "SLOPE": "1.0"}


@dataclass(frozen=True)
class Kind:
    """What a product's factors and result are. `by_columns`: the second factor's columns lie one behind the other."""

    stored: str
    result: str
    parameters: dict = field(hash=False)
    by_columns: bool = False


KINDS = {
    "f16": Kind("f16", "f16", {"T": "f16", "O": "f16", "PRECISION": "//", **NARROWED}),
    "bf16": Kind("bf16", "bf16", {"T": "bf16", "O": "bf16", "PRECISION": "//", **NARROWED}),
    "f32": Kind("f32", "f32", {"T": "f32", "O": "f32", "PRECISION": "precision = ieee", "SLOPE": "1.0"}),
    "tf32": Kind("f32", "f32", {"T": "f32", "O": "f32", "PRECISION": "precision = tf32", "SLOPE": "1.0"}),
    # What groups of warps multiply of these types lies along the inner extent.
    "tf32-by-columns": Kind("f32", "f32", {"T": "f32", "O": "f32", "PRECISION": "precision = tf32", "SLOPE": "1.0"}, True),
    "f8": Kind("f8E4M3FN", "f16", {"T": "f8E4M3FN", "O": "f16", "PRECISION": "accumulate = 128", **NARROWED}, True),
    "i8": Kind("i8", "i32", {"T": "i8", "PRECISION": "//", **WHOLE}, True),
}
BYTES = {"f32": 4, "f16": 2, "bf16": 2, "f8E4M3FN": 1, "i8": 1, "i32": 4}


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
    # Whether warps of their own begin the copies: always, never, or where the compiler likes to.
    roles: str = ""
    # Whether as many programs as the GPU runs at once go from tile to tile, with a bias behind the matrices that counts for nothing.
    is_persistent: bool = False
    # How many neighbouring programs load for one another.
    cluster: int = 1
    # Whether such programs have the second factor by columns, and no bias.
    by_columns: bool = False
    # Rows of tiles that are a group.
    group: int = GROUP
    # Whether there are more programs than multiprocessors, which the engine finds by the launch.
    has_many: bool = False

    @property
    def file(self):
        if self.is_persistent:
            return "matmul_by_columns.mlir" if self.by_columns else "17-matmul-persistent.mlir"
        return "16-matmul.mlir"

    @property
    def name(self):
        kind = "persistent " if self.is_persistent else ""
        warps = f" warps {self.num_warps}" if self.num_warps else ""
        return f"fsm {self.target} {kind}{self.rows}x{self.columns}x{self.inner} stages {self.num_stages}{warps}{ROLES[self.roles]}" + (
            f" cluster {self.cluster}" if self.cluster > 1 else "") + (f" group {self.group}" if self.group != GROUP else "")

    @property
    def options(self):
        return {"target": self.target, "arguments": self.arguments, "parameters": self.parameters,
                "num_warps": self.num_warps, "roles": self.roles,
                "options": [*([f"--cluster={self.cluster}"] if self.cluster > 1 else []), *(["--many-programs"] if self.has_many else [])]}


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

    @property
    def kind(self):
        return KINDS[self.type]

    @property
    def precision(self):
        """How factors of f32 may be rounded, as Triton calls it."""
        return "ieee" if self.type == "f32" else "tf32"

    def step(self, inner):
        """As many bytes as `inner` elements of 16 bits, of f32 only where factors lie along the inner extent."""
        return inner if self.type in ("f32", "tf32") else inner * 2 // BYTES[self.kind.stored]

    def shapes(self, target):
        if self.type == "f32":
            return SCALAR_TILES
        tiles = FLAT_TILES if self.rows <= FEW_ROWS else TILES if target != "sm_90a" or self.type == "tf32" else GROUP_TILES
        return tuple((rows, columns, self.step(inner), *rest) for rows, columns, inner, *rest in tiles)

    def roles(self, target):
        """Both forms, where the hardware may copy: rows begin at multiples of 16 bytes."""
        in_groups = target == "sm_90a" and self.type not in ("f32", "tf32") and self.rows > FEW_ROWS
        extents = (self.inner, self.inner if self.kind.by_columns else self.columns)
        are_aligned = all((extent + self.padding) * BYTES[self.kind.stored] % 16 == 0 for extent in extents)
        return ("never", "always") if in_groups and are_aligned else ("",)

    def tiles(self, target, quick=False, clusters=()):
        """The kernels for a target. What a tile of shared memory does not hold is refused when it is compiled."""
        alone = self.tiles_alone(target, quick)
        return alone + [replace(tile, cluster=cluster) for tile in alone for cluster in clusters
                        if tile.roles in ("auto", "always") and (tile.is_persistent or self.programs(tile) % cluster == 0)]

    def tiles_alone(self, target, quick):
        kind, (b_rows, b_columns) = self.kind, (self.inner, self.columns)
        if kind.by_columns:
            b_rows, b_columns = b_columns, b_rows
        strides = (self.columns + self.padding, self.inner + self.padding, b_columns + self.padding)
        arguments = (array(kind.result, self.rows * strides[0]), array(kind.stored, self.rows * strides[1]),
                     array(kind.stored, b_rows * strides[2]),
                     *map(str, (self.rows, self.columns, self.inner, *strides)))
        order = {"B_STRIDES": "1, %b_stride"} if kind.by_columns else {}
        shapes = self.shapes(target)
        shapes = shapes[:QUICK_TILES] if quick else shapes
        tiles = [Tile(rows, columns, inner, stages, warps, target,
                      {**kind.parameters, **order, "BM": rows, "BN": columns, "BK": inner, "STAGES": stages}, arguments, roles)
                 for rows, columns, inner, stages, warps in shapes for roles in self.roles(target)]
        tiles = [replace(tile, has_many=self.programs(tile) > MULTIPROCESSORS) for tile in tiles]
        return tiles + self.persistent_tiles(target, arguments)[:QUICK_TILES if quick else None]

    def persistent_tiles(self, target, arguments):
        """Where groups of four warps multiply, and the hardware copies."""
        kind = self.kind
        if "always" not in self.roles(target):
            return []
        if kind.by_columns:
            parameters = {name: value for name, value in kind.parameters.items() if name not in ("SLOPE", "MUL", "LESS")}
        else:
            parameters = {"T": kind.stored, "C": "f32", "NARROW": "arith.truncf", "PRECISION": "//", "EPILOGUE": "plain", "OF": "%sums"}
            arguments = (*arguments[:3], array("f32", self.columns), *arguments[3:])
        return [Tile(rows, columns, self.step(inner), stages, warps, target,
                     {**parameters, "BM": rows, "BN": columns, "BK": self.step(inner), "STAGES": stages, "GROUP": group}, arguments, "auto",
                     True, by_columns=kind.by_columns, group=group)
                for rows, columns, inner, stages, warps, group in PERSISTENT_TILES]


def products(types=("f16",), quick=False):
    """The points: squares of each type, and awkward ones of the first."""
    sizes = SQUARES[2:3] if quick else SQUARES
    squares = [Product(kind, size, size, size) for kind in types for size in sizes]
    return squares if quick else squares + [Product(types[0], *shape) for shape in AWKWARD]
