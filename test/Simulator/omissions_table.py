"""The kernels and launches of omissions_examples.py, and what may be left out unnoticed."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Allowance:
    """A row of "What may be left out" in docs/simulator.md: omissions with this text in their line, and how many of
    them in which codes."""

    text: str
    codes: dict


EXCEPTIONS = [
    # 1. A mask that says what the condition says.
    Allowance("(source line 38) 'bra', its condition",
              dict.fromkeys(("online", "online-vectors", "online-2", "online-5", "online-warps", "online-bf16",
                             "online-default"), 1)),
    Allowance("(source line 70) 'bra', its condition", {"matmul-default": 1}),
    Allowance("(source line 161) 'bra', its condition", {"finish": 1}),
    Allowance("(source line 72) 'bra', its condition", {"matmul-default": 1}),
    # 2. A lock that all threads of a program open.
    Allowance("'atom.global.gpu.release.exch.b32', its condition", {"locked": 1}),
    # 3. A meeting of lanes that ptxas needs and PTX does not.
    Allowance("(source line 33) 'bar.warp.sync'",
              {**dict.fromkeys(("persistent-vectors", "persistent-2", "persistent-8", "persistent-bf16", "persistent-default"), 1),
               # And one that compute-sanitizer needs, where mbarriers are made.
               **dict.fromkeys(("persistent-bulk", "persistent-bulk-2", "persistent-bulk-bf16"), 2)}),
    Allowance("(source line 70) 'bar.warp.sync'", dict.fromkeys(("matmul-tensors", "matmul-roles", "matmul-clusters"), 2)),
    Allowance("(source line 87) 'bar.warp.sync'", dict.fromkeys(("persistent-clusters", "products-in-turn-roles"), 2)),
    Allowance("(source line 91) 'bar.warp.sync'", {"list-roles": 2}),
    # 4. A meeting in front of a store that may go to what was copied: all copies that read anything have arrived at the
    # barrier of the last iteration, which the analysis of hazards does not count on where products read the slots.
    Allowance("(source line 83) 'bar.sync'", dict.fromkeys(("matmul", "matmul-2"), 1)),
    # 6. A meeting in front of the store of a tile, for all that is known the one that was stored before.
    Allowance("(source line 98) 'bar.sync'", {"list-roles": 1}),
    # 5. The block's own meeting behind the making of mbarriers, where the cluster meets as well.
    Allowance("(source line 68) 'bar.sync'", {"matmul-clusters": 1}),
    Allowance("(source line 86) 'bar.sync'", {"persistent-clusters": 1}),
    # 7. A branch by which warps end that would compute for nobody.
    Allowance("(source line 20) 'bra', its condition", {"sum": 1}),
    Allowance("(source line 170) 'bra', its condition", {"finish": 1}),
]

STORAGE = {"f32": np.float32, "bf16": np.uint16, "f16": np.float16, "i8": np.int8, "i32": np.int32, "i64": np.int64}


@dataclass
class Array:
    """A buffer of exactly so many elements: random ones, or `fill`, one number or all of them."""

    count: int
    kind: str = "f32"
    fill: object = None

    def contents(self, random):
        storage = STORAGE[self.kind]
        if self.fill is not None:
            return np.full(self.count, self.fill, storage)
        if self.kind == "bf16":
            return (random.standard_normal(self.count).astype(np.float32).view(np.uint32) >> 16).astype(storage)
        if np.issubdtype(storage, np.integer):
            return random.integers(-5, 5, self.count).astype(storage)
        return random.standard_normal(self.count).astype(storage)


@dataclass
class Within:
    """A pointer into the buffer of another argument, so many elements from its begin."""

    argument: int
    offset: int
    kind: str = "f32"


@dataclass
class Code:
    """A kernel, compiled for each of `launches`, which are pairs of grid and arguments. `overlaps` are launches, too,
    with pointers of which the code must not have been told that they are apart."""

    name: str
    example: str
    options: list
    launches: list
    overlaps: list = field(default_factory=list)
    is_slow: bool = False
    # Where its form is that of the name; everywhere, if there are none.
    targets: tuple = ()


def options(warps, *others, STAGES=0, **parameters):
    """Stages are asked for, so that the compiler takes them all."""
    chosen = [f"--num-warps={warps}"] if warps else []
    chosen += [f"--num-stages={STAGES}"] if STAGES else []
    return [*chosen, *others, *(f"-D{name}={value}" for name, value in parameters.items())]


def flat(n, grid, inputs=1, size=None):
    """01 and 02; buffers may be shorter than n where no program goes so far."""
    return grid, [*(Array(size or n) for _ in range(inputs + 1)), n]


def rows(cols, count, kind="f32", grid=None, extra=()):
    """04 and 08, a row per program; with the number of rows as `extra` 05."""
    return grid or count, [Array(count * cols, kind), Array(count * cols, kind), cols, cols, *extra, cols]


def persistent(cols, count, grid, kind="f32"):
    return rows(cols, count, kind, grid, [count])


def strided(count, cols, grid):
    return grid, [Array(count * cols), Array(count * cols), cols, 1, cols, 1, count, cols]


def norm(cols, count):
    return count, [Array(count * cols), Array(count), Array(count), Array(count * cols), Array(cols), Array(cols), cols,
                   cols, cols, 0.5]


def derivative(cols, count, groups, *behind, locks=()):
    """11, where rows come in `groups`."""
    return [Array(count * cols), Array(groups * cols), Array(groups * cols), *locks, Array(count * cols),
            Array(count * cols), Array(cols), Array(count), Array(count), cols, cols, cols, *behind]


def gelu(n, grid, bias=7):
    """The bias may be shorter than its number of columns where no element goes so far."""
    return grid, [Array(n), Array(n), Array(bias), n, 7]


def entropy(cols, count, label):
    return count, [Array(count), Array(count * cols), Array(count * cols), Array(count, "i32", label), cols, cols, cols,
                   0.5]


def product(m, n, k, grid, kind="f32", out="f32"):
    return grid, [Array(m * n, out), Array(m * k, kind), Array(k * n, kind), m, n, k, n, k, n]


def product_with_bias(m, n, k, grid):
    """17."""
    kind = "f16"
    return grid, [Array(m * n, kind), Array(m * k, kind), Array(k * n, kind), Array(n), m, n, k, n, k, n]


def listed(products, grid):
    """18: products by their m, n and k, whose matrices follow one another."""
    ends = np.cumsum([(0, 0, 0), *((m * n, m * k, k * n) for m, n, k in products)], axis=0)
    begins, sizes = ends[:-1].flatten(), np.array(products).flatten()
    return grid, [*(Array(int(end), "f16") for end in ends[-1]), Array(begins.size, "i64", begins), Array(sizes.size, "i32", sizes),
                  len(products)]


def product_of_one_row(m, n, k, grid):
    """All rows of b are the same one, and what is read behind any of them is behind the buffer."""
    return grid, [Array(m * n), Array(m * k), Array(n), m, n, k, n, k, 0]


def product_of_bytes(m, n, k, grid):
    """19, of one row of tiles."""
    return grid, [Array(m * n, "f16"), Array(m * k, "f16"), Array(k * n, "i8"), Array(n), m, n, k, n, k, n]


# Compiled for any arguments of their types; else for what the arguments are: multiples of 16, pointers that are apart.
ANY = "--no-specialize"
BF16 = {"T": "bf16", "WIDEN": "arith.extf", "NARROW": "arith.truncf", "NINF": "0xFF80"}
F16 = {"T": "f16", "O": "f16", "NARROW": "arith.truncf", "PRECISION": "//"}
F16_SUMS = {"T": "f16", "NARROW": "arith.truncf", "PRECISION": "//", "EPILOGUE": "plain", "OF": "%sums"}
I8 = {"T": "i8", "C": "i32", "O": "i32", "PRECISION": "//", "ZERO": "0", "SLOPE": "3", "MUL": "arith.muli",
      "LESS": "arith.cmpi slt,"}

# Where rows follow one another, a load without its mask reads the next row, and leaves the buffer in the last one
# only: each of a loop's copies needs a launch in which it is the copy of the last row.
POINTWISE = [
    Code("copy", "01-copy", options(4, ANY, BLOCK=128), [flat(200, 2)],
         [(1, [Within(1, 1), Array(101), 100])]),
    Code("copy-vectors", "01-copy", options(4, BLOCK=512), [flat(592, 2)]),
    Code("copy-warps", "01-copy", options(1, ANY, "--batch-programs=never", BLOCK=64), [flat(20, 1), flat(50, 1), flat(100, 1, size=64)],
         [(1, [Within(1, 1), Array(65), 64])]),
    Code("copy-batch", "01-copy", options(1, ANY, "--batch-programs=4", BLOCK=64),
         [flat(20, 1), flat(50, 1), flat(300, 5), flat(500, 4, size=256)], [(1, [Within(1, 1), Array(65), 64])]),
    Code("add", "02-vector-add", options(4, ANY, BLOCK=128), [flat(200, 2, 2)],
         [(1, [Within(1, 1), Array(101), Array(100), 100])]),
    Code("gelu-tanh", "12-gelu", options(4, ANY, "--kernel=gelu_tanh", BLOCK=128), [gelu(200, 2), gelu(3, 1, 3)],
         [(1, [Within(1, 1), Array(101), Array(7), 100, 7])]),
    Code("gelu-erf", "12-gelu", options(4, ANY, "--kernel=gelu_erf", BLOCK=128), [gelu(200, 2), gelu(3, 1, 3)],
         [(1, [Within(1, 1), Array(101), Array(7), 100, 7])]),
    Code("dropout", "14-dropout", options(4, ANY, BLOCK=64), [(2, [Array(300), Array(300), 300, 0.5, 77])],
         [(1, [Within(1, 1), Array(201), 200, 0.5, 77])]),
]

ROWS = [
    Code("sum", "03-row-sum", options(4, ANY, BLOCK=128), [(3, [Array(3), Array(300), 100, 100])]),
    Code("sum-warps", "03-row-sum", options(1, ANY, BLOCK=64), [(1, [Array(1), Array(c), c, c]) for c in (20, 50, 64)],
         [(1, [Within(1, 1), Array(64), 64, 64])]),
    Code("softmax", "04-softmax", options(4, ANY, BLOCK=512), [rows(300, 3), rows(100, 3)]),
    Code("strided", "06-softmax-strided", options(4, ANY, BLOCK=128, ROWS=4), [strided(6, 100, 2), strided(6, 30, 2)],
         [(1, [Within(1, 1), Array(401), 100, 1, 100, 1, 4, 100])]),
    Code("strided-tall", "06-softmax-strided", options(4, ANY, BLOCK=16, ROWS=32),
         [strided(40, 13, 2), strided(6, 3, 1)], [(1, [Within(1, 1), Array(401), 10, 1, 10, 1, 30, 10])]),
    Code("backward", "07-softmax-backward", options(4, ANY, BLOCK=256),
         [(3, [*(Array(3 * c) for _ in range(3)), c, c, c, c]) for c in (193, 20)]),
    Code("rms", "09-rms-norm", options(4, ANY, BLOCK=256),
         [(3, [Array(3 * c), Array(3 * c), Array(c), c, c, c, 0.5]) for c in (193, 20)]),
    Code("norm", "10-layer-norm", options(4, ANY, BLOCK=256), [norm(193, 3), norm(20, 3)],
         [(1, [Array(100), Array(1), Within(4, 50), Array(100), Array(100), Array(100), 100, 100, 100, 0.5]),
          (1, [Within(4, 1), Array(1), Array(1), Array(100), Array(101), Array(100), 100, 100, 100, 0.5])]),
    Code("entropy", "13-cross-entropy", options(4, ANY, BLOCK=256),
         [entropy(193, 3, 5), entropy(20, 3, 5), entropy(20, 3, -1)],
         [(1, [Within(1, 5), Array(20), Array(20), Array(1, "i32", 5), 20, 20, 20, 0.5])]),
    Code("argmax", "15-argmax", options(4, ANY, BLOCK=256),
         [(3, [Array(3), Array(3, "i32"), Array(3 * c), c, c]) for c in (193, 20)]),
]

DERIVATIVES = [
    Code("locked", "11-layer-norm-backward", options(4, ANY, "--kernel=locked", BLOCK=256),
         [(5, derivative(c, 5, 2, c, 2, locks=[Array(4, "i32", 0)])) for c in (193, 20)],
         # One row of four columns; a derivative of zeros leaves a lock open that it is written to.
         [(1, [*sums, Array(4, fill=0), Array(4), Array(4, fill=1), Array(1), Array(1, fill=1), 4, 4, 4, 4, 2])
          for sums in ([Array(6, fill=0), Array(4), Array(4), Within(0, 1)],
                       [Array(4), Within(3, 2), Array(4), Array(9, "i32", 0)],
                       [Array(4), Array(9), Within(1, 1), Array(4, "i32", 0)],
                       [Array(4), Array(4), Within(3, 1), Array(9, "i32", 0)])]),
    Code("partial", "11-layer-norm-backward", options(4, ANY, "--kernel=partial", BLOCK=256),
         [(2, derivative(c, 5, 2, 5, c)) for c in (193, 20)],
         [(1, [*sums, Array(20), Array(20), Array(4), means, Array(5), 4, 4, 4, 5, 4])
          for means, sums in ((Array(30), [Within(6, 3), Array(4), Array(4)]),
                              (Array(5), [Array(25), Within(0, 17), Array(4)]),
                              (Array(5), [Array(20), Array(5), Within(1, 1)]))]),
    Code("finish", "11-layer-norm-backward", options(4, ANY, "--kernel=finish", BLOCK=256),
         # The last row of each stage, of those in front of the loop as well.
         [(2, [Array(50), Array(50), Array(p * 50), Array(p * 50), p, 50]) for p in (13, *range(3, 200, 32))]),
]

# Loads of a loop that run ahead read nothing that the iterations meanwhile store; three iterations on they may.
PIPELINED = [
    Code("persistent", "05-softmax-persistent", options(4, ANY, BLOCK=256, STAGES=3),
         [persistent(193, 7, 1), *(persistent(20, count, 1) for count in range(1, 5)), persistent(20, 1, 2)],
         [(1, [Within(1, 3 * 100 + 1), Array(1001), 100, 100, 7, 100])]),
    Code("persistent-vectors", "05-softmax-persistent", options(4, BLOCK=1024, STAGES=4),
         [persistent(592, 14, 2), *(persistent(64, count, 2) for count in (2, 4, 6, 8, 10)), persistent(64, 2, 3),
          persistent(0, 30, 2)]),
    Code("persistent-1", "05-softmax-persistent", options(4, BLOCK=256, STAGES=1),
         [persistent(192, 4, 2), persistent(64, 2, 3), persistent(0, 30, 2)]),
    Code("persistent-2", "05-softmax-persistent", options(4, BLOCK=256, STAGES=2),
         [persistent(192, 12, 2), *(persistent(64, count, 2) for count in (2, 4, 6)), persistent(64, 2, 3),
          persistent(0, 30, 2)]),
    Code("persistent-8", "05-softmax-persistent", options(4, BLOCK=256, STAGES=8),
         [persistent(192, 30, 2), *(persistent(64, count, 2) for count in range(2, 20, 2) if count != 16),
          persistent(64, 24, 3), persistent(64, 2, 3), persistent(0, 30, 2)], is_slow=True),
    Code("persistent-warps", "05-softmax-persistent", options(1, ANY, BLOCK=64, STAGES=3),
         [persistent(50, 9, 2), *(persistent(20, count, 1) for count in range(1, 7)), persistent(50, 4, 1),
          persistent(20, 2, 3), persistent(50, 5, 6)],
         [(1, [Within(1, 3 * 50 + 1), Array(601), 50, 50, 7, 50])]),
    Code("persistent-bf16", "05-softmax-persistent", options(4, BLOCK=1024, STAGES=3, **BF16),
         [persistent(592, 14, 2, "bf16"), *(persistent(64, count, 2, "bf16") for count in (2, 4, 6, 8, 10)),
          persistent(64, 2, 3, "bf16"), persistent(0, 30, 2, "bf16")]),
    # Rows that one thread copies.
    Code("persistent-bulk", "05-softmax-persistent", options(8, BLOCK=8192, STAGES=3),
         [persistent(4736, 6, 1), *(persistent(64, count, 1) for count in (2, 3, 4)), persistent(64, 2, 3),
          persistent(0, 7, 1)]),
    Code("persistent-bulk-2", "05-softmax-persistent", options(8, BLOCK=8192, STAGES=2),
         [persistent(4736, 6, 1), *(persistent(64, count, 1) for count in (2, 3)), persistent(64, 2, 3),
          persistent(0, 7, 1)], is_slow=True),
    Code("persistent-bulk-bf16", "05-softmax-persistent", options(8, BLOCK=16384, STAGES=4, **BF16),
         [persistent(9472, 9, 1, "bf16"), *(persistent(64, count, 1, "bf16") for count in (2, 3, 4, 5)),
          persistent(64, 2, 3, "bf16"), persistent(0, 9, 1, "bf16")], is_slow=True),
    Code("online", "08-softmax-online", options(4, ANY, BLOCK=128),
         [*(rows(c, 2) for c in (700, 20, 200, 300)), rows(0, 1)],
         [(1, [Within(1, 3 * 128 + 1), Array(1800), 900, 900, 900])]),
    Code("online-vectors", "08-softmax-online", options(4, BLOCK=512), [rows(c, 2) for c in (3520, 64, 592, 1104, 0)]),
    Code("online-2", "08-softmax-online", options(4, BLOCK=256, STAGES=2), [rows(c, 2) for c in (848, 64, 304, 0)]),
    Code("online-5", "08-softmax-online", options(4, BLOCK=256, STAGES=5),
         [rows(c, 2) for c in (1872, 64, 304, 560, 816, 1072, 0)], is_slow=True),
    Code("online-warps", "08-softmax-online", options(1, ANY, BLOCK=64),
         [*(rows(c, 2) for c in (350, 20, 50, 84, 100, 148, 150, 212)), rows(0, 1)],
         [(1, [Within(1, 3 * 64 + 1), Array(1800), 900, 900, 900])]),
    Code("online-bf16", "08-softmax-online", options(4, BLOCK=1024, **BF16),
         [rows(c, 2, "bf16") for c in (6080, 64, 1104, 2128, 0)], is_slow=True),
    Code("matmul", "16-matmul", options(4, ANY, BM=16, BN=16, BK=16),
         [product(30, 30, 70, 4), product(30, 30, 5, 4), *(product(5, 5, k, 1) for k in (20, 40, 0))],
         [(1, [Within(1, 1), Array(641), Array(640), 16, 16, 40, 16, 40, 16])]),
    Code("matmul-vectors", "16-matmul", options(4, BM=32, BN=32, BK=32),
         [product(48, 48, k, 4) for k in (80, 48, 16, 0)], is_slow=True),
    Code("matmul-2", "16-matmul", options(4, ANY, BM=16, BN=16, BK=16, STAGES=2),
         [product(30, 30, 40, 4), *(product(5, 5, k, 1) for k in (5, 20, 40, 0))]),
    Code("matmul-f16", "16-matmul", options(4, ANY, BM=16, BN=16, BK=16, **F16),
         [product(m, m, k, grid, "f16", "f16")
          for m, k, grid in ((30, 70, 4), (30, 5, 4), (5, 20, 1), (5, 40, 1), (5, 0, 1))]),
    Code("matmul-i8", "16-matmul", options(4, BM=32, BN=32, BK=32, **I8),
         [product(48, 48, k, 4, "i8", "i32") for k in (80, 48, 16, 0)]),
    # Tiles by tensor maps, which the first thread has copied, or a warp of its own.
    Code("matmul-tensors", "16-matmul", options(8, "--roles=never", BM=128, BN=32, BK=64, STAGES=2, **F16),
         [product(144, 48, k, 4, "f16", "f16") for k in (336, 64)], targets=("sm_90a",)),
    Code("matmul-roles", "16-matmul", options(8, "--roles=always", BM=128, BN=32, BK=64, STAGES=2, **F16),
         [product(144, 48, k, 4, "f16", "f16") for k in (336, 64)], targets=("sm_90a",)),
    # Neighbours that load for one another: the second factor, the first one, or none where a pair is in two columns.
    Code("matmul-clusters", "16-matmul", options(8, "--roles=always", "--cluster=2", BM=128, BN=32, BK=64, STAGES=2, **F16),
         [*(product(272, 48, k, 6, "f16", "f16") for k in (336, 64)), product(80, 48, 336, 2, "f16", "f16")], targets=("sm_90a",)),
    Code("persistent-clusters", "17-matmul-persistent",
         options(4, "--roles=always", "--cluster=2", BM=64, BN=64, BK=64, STAGES=2, **F16_SUMS),
         [*(product_with_bias(176, 80, k, 2) for k in (336, 64)), product_with_bias(176, 48, 336, 2)], is_slow=True, targets=("sm_90a",)),
    # From tile to tile, by a program's threads alone and with a warp that loads; through a list of products; and factors of bytes.
    Code("products-in-turn", "17-matmul-persistent", options(4, "--roles=never", BM=32, BN=32, BK=32, STAGES=2, **F16_SUMS),
         [*(product_with_bias(80, 80, k, 2) for k in (144, 32, 0)), *(product_with_bias(16, 16, k, 1) for k in (80, 48, 16))], is_slow=True),
    Code("products-in-turn-roles", "17-matmul-persistent", options(4, "--roles=always", BM=64, BN=64, BK=64, STAGES=2, **F16_SUMS),
         [product_with_bias(176, 80, k, 2) for k in (336, 64)], is_slow=True, targets=("sm_90a",)),
    Code("list", "18-matmul-grouped", options(4, BM=32, BN=32, BK=32, STAGES=2, MULTIPLE=8, **F16),
         [listed([(48, 40, 80), (16, 16, 32), (40, 72, 144)], 2), *(listed([(16, 16, 80), (8, 8, k)], 1) for k in (48, 16, 0)), listed([], 1)], is_slow=True),
    Code("bytes", "19-matmul-w8a16", options(4, BM=16, BN=32, BK=32, STAGES=2),
         [*(product_of_bytes(16, 80, k, 3) for k in (144, 32, 0)), product_of_bytes(16, 16, 16, 1)], is_slow=True),
    # A list, whose tensor maps the warp makes that loads: of several steps, of one and of none.
    Code("list-roles", "18-matmul-grouped", options(4, "--roles=always", BM=64, BN=64, BK=64, STAGES=2, MULTIPLE=8, **F16),
         [*(listed(((72, 80, 400), (64, 64, 64), (8, 16, 8), (16, 8, 0), (136, 64, 136)), grid) for grid in (1, 2)), listed((), 1)],
         is_slow=True, targets=("sm_90a",)),
    # As they stand in examples/, with the warps that the compiler chooses.
    Code("persistent-default", "05-softmax-persistent", options(0),
         [persistent(784, 14, 2), *(persistent(64, count, 2) for count in (2, 4, 6, 8, 10)), persistent(64, 2, 3),
          persistent(0, 30, 2)],
         is_slow=True),
    Code("online-default", "08-softmax-online", options(0), [rows(c, 2) for c in (1680, 64, 288, 560, 0)],
         is_slow=True),
    Code("matmul-default", "16-matmul", options(0),
         [product(96, 96, 80, 4), product(96, 96, 0, 4), product(16, 16, 80, 1),
          *(product_of_one_row(16, 16, k, 1) for k in (16, 48, 80))], is_slow=True),
]

CODES = [*POINTWISE, *ROWS, *DERIVATIVES, *PIPELINED]
