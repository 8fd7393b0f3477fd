"""What is measured: points, and for each the FSM kernels that take part. Nothing here needs a GPU."""

from dataclasses import dataclass, field, replace

from .package import ELEMENT_PARAMETERS, PERSISTENT_WAVES

ROWS = 4096
F32_COLUMNS = (256, 512, 781, 1024, 1536, 2048, 2560, 4096, 6144, 8192, 12672, 16384)
F16_COLUMNS = (1024, 4096, 16384)
QUICK_COLUMNS = (256, 781, 1024, 4096, 16384)
ADD_ELEMENTS = 2**27
ADD_BLOCKS = (1024, 2048, 4096)
SWEPT_WARPS = (1, 2, 4, 8, 16, 32)
BYTES = {"f32": 4, "f16": 2, "bf16": 2}
# What fsm-run is told of a buffer's size matters no further.
LARGEST_ARRAY = 2**23
# How far loads run ahead: a table of softmax, and of a long row summed block by block.
STAGES = (1, 2, 3, 4)
STAGES_COLUMNS = (781, 1024, 4096, 12672)
# Programs of a persistent kernel, in multiples of those that run at once. The more, the more evenly uneven
# multiprocessors share them.
WAVES = (1, 4, 8, 16)
WAVES_CASES = (("f32", ROWS, 1024), ("f32", ROWS, 2048), ("f32", ROWS, 4096), ("f32", ROWS, 12672), ("f32", ROWS, 16384),
               ("f32", 65536, 1024), ("f32", 32768, 4096), ("f32", 16384, 12672), ("f16", ROWS, 16384))
NORMS_CASES = (("f32", ROWS, 1024), ("f32", ROWS, 4096), ("f32", ROWS, 12672), ("f32", 32768, 4096))
NORMS_EPSILON = 1e-5
# Very many tiny rows, many short ones, those in between, few long ones, for which a launch on 132 multiprocessors would have eight
# CTAs a program, and rows on clusters, as many as make 256 MiB.
TINY_ROWS, TINY_COLUMNS = 2**20, (8, 16, 32, 48, 64)
SHORT_ROWS, SHORT_COLUMNS = 262144, (32, 64, 128)
FEW_ROWS, FEW_COLUMNS, SPREADS = 16, (4096, 16384, 32768, 65536, 131072, 262144), (1, 2, 4, 8)
LONG_COLUMNS, LONG_ELEMENTS = (65536, 131072, 262144), 2**26
# Of 16-bit elements, lengths among them whose rows begin anywhere.
HALVES_COLUMNS, HALVES_SHAPES = (781, 1024, 4096, 16384, 32768), ((4096, 50257), (1024, 65536))
# How rows are held, each way against each other: {CTAs: warps of each}, and elements of a piece. A thread has from 8 to 128.
BORDER_COLUMNS = (2048, 4096, 8192, 12672, 16384, 24576, 32768, 49152, 65536, 98304, 131072, 196608, 262144, 393216, 524288, 1048576)
HELD = {1: (4, 8, 16, 32), 2: (8, 16), 4: (4, 8, 16), 8: (4, 8, 16), 16: (4, 8, 16)}
LEAST_OF_THREAD, MOST_OF_THREAD = 8, 128
PIECES, SHORTEST_IN_PIECES = (4096, 8192, 16384), 65536
SUM_COLUMNS, SUM_ROWS = 262144, (132, 1024)


@dataclass(frozen=True)
class Variant:
    """An FSM kernel and how it is compiled; num_warps 0 and num_stages 0 are the compiler's choice. The file is one of
    the package's examples, or of tools/dev/bench."""

    name: str
    file: str
    block: int
    parameters: dict = field(hash=False)
    arguments: tuple = ()
    num_warps: int = 0
    num_stages: int = 0
    waves: int = PERSISTENT_WAVES
    # Further words of the command line.
    options: tuple = ()

    @property
    def persistent(self):
        return "persistent" in self.file


@dataclass(frozen=True)
class Case:
    """One point: softmax, norms or sums of rows x cols, or (rows 1) a sum of vectors."""

    suite: str
    type: str
    rows: int
    cols: int

    @property
    def title(self):
        return f"{self.type} {self.cols} added" if self.suite == "add" else f"{self.type} {self.rows} x {self.cols}"

    @property
    def is_softmax(self):
        return self.suite in ("softmax", "stages", "waves", "rows", "borders")

    @property
    def group(self):
        """The points of one table."""
        return f"{self.suite} {self.type}"

    @property
    def moved(self):
        """Bytes read and written."""
        return {"add": self.copied // 2 * 3, "sums": self.copied // 2}.get(self.suite, self.copied)

    @property
    def copied(self):
        """Bytes that a copy of one array reads and writes."""
        return 2 * self.rows * self.cols * BYTES[self.type]


def power_of_two(count):
    return 1 << max(0, count - 1).bit_length()


def array(kind, count):
    return f"{kind}[{min(count, LARGEST_ARRAY)}]"


def softmax_variants(case, warps=(0,)):
    """Both examples, with a block as long as the row and with the next power of two."""
    buffers = [array(case.type, case.rows * case.cols)] * 2
    variants = []
    for file, short in (("04-softmax.mlir", "04"), ("05-softmax-persistent.mlir", "05")):
        shape = [case.cols, case.cols, case.rows, case.cols] if short == "05" else [case.cols] * 3
        for block in sorted({case.cols, power_of_two(case.cols)}):
            for count in warps:
                name = f"fsm {short} block {'N' if block == case.cols else '2^k'}" + (f" warps {count}" if count else "")
                variants.append(Variant(name, file, block, {**ELEMENT_PARAMETERS[case.type], "BLOCK": block},
                                        (*buffers, *map(str, shape)), count))
    return variants


def add_variants(case, warps=(0,)):
    return [Variant(f"fsm block {block}" + (f" warps {count}" if count else ""), "02-vector-add.mlir", block,
                    {"BLOCK": block}, (*[array(case.type, case.cols)] * 3, str(case.cols)), count)
            for block in ADD_BLOCKS for count in warps]


def stages_variants(case):
    """The persistent softmax with every number of stages, by the compiler's number of warps and by others."""
    chosen = [variant for variant in softmax_variants(case, (0, 4, 8, 16))
              if variant.persistent and variant.block == case.cols]
    return [replace(variant, name=f"{variant.name} stages {stages or 'chosen'}", num_stages=stages)
            for variant in chosen for stages in (0, *STAGES) if stages or not variant.num_warps]


def by_waves(variants):
    """Persistent kernels with more programs than run at once."""
    return [replace(variant, name=f"{variant.name} waves {waves}", waves=waves) for variant in variants for waves in WAVES]


def waves_variants(case):
    """A program for each row, and the persistent softmax."""
    single = [variant for variant in softmax_variants(case) if not variant.persistent and variant.block == case.cols]
    return single + by_waves(variant for variant in stages_variants(case)
                             if variant.num_stages != 4 and not variant.num_warps)


def norms_variants(case):
    """Norms of rows, with the weights loaded once a program."""
    buffers = (*[array("f32", case.rows * case.cols)] * 2, array("f32", case.cols))
    parameters = {"BLOCK": case.cols}
    single = Variant("fsm 09", "09-rms-norm.mlir", case.cols, parameters,
                     (*buffers, *[str(case.cols)] * 3, str(NORMS_EPSILON)))
    arguments = (*buffers, str(case.cols), str(case.cols), str(case.rows), str(case.cols), str(NORMS_EPSILON))
    return [single, *by_waves(Variant(f"fsm persistent stages {stages or 'chosen'}", "rms_norm_persistent.mlir", case.cols,
                                      parameters, arguments, 0, stages) for stages in (0, 1, 2, 3))]


def row_variant(case):
    """A program for each row, in a block as long as that."""
    return next(variant for variant in softmax_variants(case) if variant.block == case.cols)


def rows_variants(case):
    """What the compiler chooses: of few rows for so many CTAs a program as a launch may have."""
    single = row_variant(case)
    if case.rows != FEW_ROWS:
        return [single]
    return [replace(single, name=f"{single.name} spread {spread}", options=(f"--spread={spread}",)) for spread in SPREADS]


def border_variants(case):
    """What the compiler chooses, and each other way to hold a row."""
    single = row_variant(case)
    held = [replace(single, name=f"fsm ctas {ctas} warps {warps}", num_warps=warps, options=(f"--num-ctas={ctas}",))
            for ctas, counts in HELD.items() for warps in counts
            if LEAST_OF_THREAD <= case.cols // (32 * warps * ctas) <= MOST_OF_THREAD]
    walked = [replace(single, name=f"fsm pieces {piece}", file="softmax_in_pieces.mlir", parameters={**single.parameters, "PIECE": piece})
              for piece in PIECES if case.cols >= SHORTEST_IN_PIECES]
    return [single, *held, *walked]


def sums_variants(case):
    arguments = (array("f32", case.rows), array("f32", case.rows * case.cols), str(case.cols), str(case.cols))
    return [Variant(f"fsm warps {warps or 'chosen'} stages {stages or 'chosen'}", "row_sum.mlir", 4096, {"BLOCK": 4096},
                    arguments, warps, stages)
            for warps in (0, 8, 16) for stages in (0, *STAGES)]


def variants_of(case, sweep=False):
    if case.suite == "stages":
        return stages_variants(case)
    if case.suite == "waves":
        return waves_variants(case)
    if case.suite == "sums":
        return sums_variants(case)
    if case.suite == "rows":
        return rows_variants(case)
    if case.suite == "borders":
        return border_variants(case)
    if case.suite == "norms":
        return norms_variants(case)
    warps = (0, *SWEPT_WARPS) if sweep else (0,)
    return softmax_variants(case, warps) if case.suite == "softmax" else add_variants(case, warps)


def cases_of(suite, quick=False):
    cases = []
    if suite in ("softmax", "all"):
        cases += [Case("softmax", "f32", ROWS, cols) for cols in (QUICK_COLUMNS if quick else F32_COLUMNS)]
        cases += [Case("softmax", "f16", ROWS, cols) for cols in (F16_COLUMNS[1:2] if quick else F16_COLUMNS)]
    if suite == "stages":
        cases += [Case("stages", "f32", ROWS, cols) for cols in STAGES_COLUMNS]
        cases += [Case("sums", "f32", rows, SUM_COLUMNS) for rows in SUM_ROWS]
    if suite == "waves":
        cases += [Case("waves", *shape) for shape in WAVES_CASES]
        cases += [Case("norms", *shape) for shape in NORMS_CASES]
    if suite == "rows":
        cases += [Case("rows", "f32", rows, cols) for rows, all_cols in ((TINY_ROWS, TINY_COLUMNS), (SHORT_ROWS, SHORT_COLUMNS), (131072, (1024,)))
                  for cols in all_cols]
        cases += [Case("rows", "f32", ROWS, cols) for cols in (*F32_COLUMNS, 32768)]
        cases += [Case("rows", "f32", FEW_ROWS, cols) for cols in FEW_COLUMNS]
        cases += [Case("rows", "f32", LONG_ELEMENTS // cols, cols) for cols in LONG_COLUMNS]
        cases += [Case("rows", kind, *shape) for kind in ("f16", "bf16") for shape in (*((ROWS, cols) for cols in HALVES_COLUMNS), *HALVES_SHAPES)]
    if suite == "borders":
        cases += [Case("borders", "f32", LONG_ELEMENTS // cols, cols) for cols in BORDER_COLUMNS]
    if suite in ("add", "all"):
        cases.append(Case("add", "f32", 1, ADD_ELEMENTS))
    return cases
