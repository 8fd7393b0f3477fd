"""Prints a row softmax at the stage `gpu`: four warps, and so many f32 per thread as the argument says."""

import sys

PER_THREAD = int(sys.argv[1])
BLOCK = f"vector<{PER_THREAD}xf32>"

HEAD = f"""\
gpu.module @kernels {{
  llvm.mlir.global external @fsm_shared() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<0 x i8>
  gpu.func @softmax(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i32, %stride: i32) kernel
      attributes {{fsm.num_warps = 4 : i32, fsm.programs_per_cta = 1 : i32, fsm.shared_bytes = 16 : i32}} {{
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c31 = arith.constant 31 : i32
    %all = arith.constant -1 : i32
    %ninf = arith.constant dense<0xFF800000> : vector<4xf32>
    %log2e = arith.constant dense<1.44269502> : {BLOCK}
    %zero = arith.constant dense<0.0> : {BLOCK}
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %row = nvvm.read.ptx.sreg.ctaid.x : i32
    %start = arith.muli %row, %stride overflow<nsw> : i32
    %first = arith.muli %tid, %c4 overflow<nsw, nuw> : i32
    %in = llvm.getelementptr inbounds %x[%start] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %out = llvm.getelementptr inbounds %y[%start] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32"""


def load(index, block):
    """One masked access of 16 bytes, into its place in the block."""
    return f"""\
    %o{index} = arith.constant {index * 512} : i32
    %c_{index} = arith.addi %first, %o{index} overflow<nsw, nuw> : i32
    %i{index} = arith.cmpi slt, %c_{index}, %n : i32
    %m{index} = vector.broadcast %i{index} : i1 to vector<4xi1>
    %p{index} = llvm.getelementptr inbounds %in[%c_{index}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %l{index} = llvm.intr.masked.load %p{index}, %m{index}, %ninf {{alignment = 16 : i32}}
        : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    %v{index} = vector.insert_strided_slice %l{index}, {block}
        {{offsets = [{4 * index}], strides = [1]}} : vector<4xf32> into {BLOCK}"""


def store(index):
    return f"""\
    %s{index} = vector.extract_strided_slice %quotient
        {{offsets = [{4 * index}], sizes = [4], strides = [1]}} : {BLOCK} to vector<4xf32>
    %q{index} = llvm.getelementptr inbounds %out[%c_{index}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.intr.masked.store %s{index}, %q{index}, %m{index} {{alignment = 16 : i32}}
        : vector<4xf32>, vector<4xi1> into !llvm.ptr<1>"""


def halves(block, name, op):
    """A block reduced to a scalar within the thread."""
    size, lines = PER_THREAD, []
    while size > 1:
        half = size // 2
        source, whole, part = block, f"vector<{size}xf32>", f"vector<{half}xf32>"
        for side, offset in (("a", 0), ("b", half)):
            lines.append(
                f"    %{name}{side}{half} = vector.extract_strided_slice {source}"
                f" {{offsets = [{offset}], sizes = [{half}], strides = [1]}} : {whole} to {part}"
            )
        lines.append(f"    %{name}h{half} = {op} %{name}a{half}, %{name}b{half} : {part}")
        block, size = f"%{name}h{half}", half
    lines.append(f"    %{name}t = vector.extract {block}[0] : f32 from vector<1xf32>")
    return lines, f"%{name}t"


def butterfly(value, name, op):
    """A scalar of each lane reduced over the warp."""
    lines = []
    for distance in (16, 8, 4, 2, 1):
        lines.append(f"""\
    %{name}d{distance} = arith.constant {distance} : i32
    %{name}s{distance} = nvvm.shfl.sync bfly %all, {value}, %{name}d{distance}, %c31 : f32 -> f32
    %{name}w{distance} = {op} {value}, %{name}s{distance} : f32""")
        value = f"%{name}w{distance}"
    return lines, value


def across_warps(value, name, op):
    """The warps meet in shared memory."""
    return f"""\
    %{name}lane = arith.andi %tid, %c31 : i32
    %{name}warp = arith.shrui %tid, %c5 : i32
    %{name}c0 = arith.constant 0 : i32
    %{name}first = arith.cmpi eq, %{name}lane, %{name}c0 : i32
    %{name}memory = llvm.mlir.addressof @fsm_shared : !llvm.ptr<3>
    nvvm.barrier
    scf.if %{name}first {{
      %slot = llvm.getelementptr inbounds %{name}memory[%{name}warp] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      llvm.store {value}, %slot {{alignment = 4 : i64}} : f32, !llvm.ptr<3>
    }}
    nvvm.barrier
    %{name}all = llvm.load %{name}memory {{alignment = 16 : i64}} : !llvm.ptr<3> -> vector<4xf32>
    %{name}0 = vector.extract %{name}all[0] : f32 from vector<4xf32>
    %{name}1 = vector.extract %{name}all[1] : f32 from vector<4xf32>
    %{name}2 = vector.extract %{name}all[2] : f32 from vector<4xf32>
    %{name}3 = vector.extract %{name}all[3] : f32 from vector<4xf32>
    %{name}01 = {op} %{name}0, %{name}1 : f32
    %{name}23 = {op} %{name}2, %{name}3 : f32
    %{name} = {op} %{name}01, %{name}23 : f32"""


def reduce(block, name, op):
    thread, value = halves(block, name, op)
    warp, value = butterfly(value, name, op)
    return thread + warp + [across_warps(value, name, op)]


def exponential(index, block):
    return f"""\
    %x{index} = vector.extract %difference[{index}] : f32 from {BLOCK}
    %e{index} = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x{index}) : (f32) -> f32
    %f{index} = vector.insert %e{index}, {block} [{index}] : f32 into {BLOCK}"""


def kernel():
    lines, block = [HEAD], "%zero"
    for index in range(PER_THREAD // 4):
        lines.append(load(index, block))
        block = f"%v{index}"
    lines += reduce(block, "max", "arith.maxnumf")
    lines.append(f"""\
    %highest = vector.broadcast %max : f32 to {BLOCK}
    %scaled = arith.mulf {block}, %log2e fastmath<contract> : {BLOCK}
    %shift = arith.mulf %highest, %log2e fastmath<contract> : {BLOCK}
    %difference = arith.subf %scaled, %shift fastmath<contract> : {BLOCK}""")
    block = "%zero"
    for index in range(PER_THREAD):
        lines.append(exponential(index, block))
        block = f"%f{index}"
    lines += reduce(block, "sum", "arith.addf")
    lines.append(f"""\
    %inverse = nvvm.rcp.approx.ftz.f %sum : f32
    %factor = vector.broadcast %inverse : f32 to {BLOCK}
    %quotient = arith.mulf {block}, %factor : {BLOCK}""")
    lines += [store(index) for index in range(PER_THREAD // 4)]
    return lines + ["    gpu.return", "  }", "}"]


print("\n".join(kernel()))
