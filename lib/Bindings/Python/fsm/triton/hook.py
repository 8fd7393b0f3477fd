"""The stages behind Triton's first: FSM takes the module there and makes everything behind it.

Stages: `ttir` is Triton's own. `fsm` is the text that FSM is given, with what Triton knows beside its module (warps, stages,
registers) as attributes of it, so that `fsm-run K.ttir` does the same. Then `ptx`, and `cubin` by Triton's own ptxas. There is
no `ttgir`. `llir`, and without a GPU all that is behind `fsm`, is made when somebody asks for it; so is `ptx` of what FSM's
engine launches.
"""

import json
import re
import sys
import tempfile

from triton import knobs
from triton._C.libtriton import ir
from triton.compiler import compiler as triton_compiler

from .._library import Failure
from . import descriptors, errors, records
from .device import NAME

# What the launcher is told of a kernel that has no PTX. Programs that divide the GPU's shared memory by a kernel's own
# must find a number that is not 0.
NOMINAL_SHARED = 1024
# The GPU that a machine without one is taken for, by its compute capability.
GPU = 90
# What stands in place of the code of a kernel that FSM's engine launches (launcher.py).
MARK = b"fsm.triton"
# What stands in place of its PTX, until somebody asks for that.
LATER = "// made by the launch"
# Where inductor launches kernels.
INDUCTOR = "torch._inductor.runtime.triton_heuristics"
# What is dumped in place of a disassembly where there is no code yet.
NO_SASS = "// the launch makes the code\n"


def target_of(capability):
    """FSM's name of a GPU: those from 90 on have instructions of their own."""
    return f"sm_{capability}a" if capability == 90 else f"sm_{capability}"


def text_of(module, options):
    """Triton's IR with locations and with the options of its launch in it. Descriptors are taken apart."""
    descriptors.taken_apart(module)
    builder = ir.builder(module.context)
    numbers = {"tt.num_warps": options.num_warps, "tt.num_stages": options.num_stages, "tt.maxnreg": options.maxnreg,
               "tt.no_fp_fusion": not options.enable_fp_fusion}
    for name, number in numbers.items():
        if number:
            module.set_attr(name, builder.get_int32_attr(int(number)))
    return str(module)


class Stages:
    """The stages of one kernel for one device of FSM's, or for Triton's launcher (`device` is None)."""

    def __init__(self, session, options, capability):
        self.session = session
        self.options = options
        self.target = target_of(capability)

    def fsm(self, module, metadata):
        metadata.update(name=module.get_entry_func_name(), shared=NOMINAL_SHARED, tmem_size=0, global_scratch_size=0,
                        global_scratch_align=1, profile_scratch_size=0, profile_scratch_align=1, tensordesc_meta=[],
                        fsm_target=self.target)
        # Triton's launcher makes so many blocks of each program, and a program is one here, whatever was asked for.
        metadata["num_ctas"] = 1
        is_described = descriptors.are_of_arguments(module)
        text = text_of(module, self.options)
        metadata["fsm_launches"] = self.is_launched(text, is_described)
        # A check of a launch needs it, and a launch knows of a kernel what stands here.
        metadata["fsm_text"] = text
        return text

    def emit(self, text, stage):
        return emitted(self.session, text, self.target, stage)

    def ptx(self, text, metadata):
        launch = json.loads(self.emit(text, "launch"))
        hidden = launch["hidden_arguments"]
        if hidden not in ([], ["debug_records"]):
            raise errors.Defect(f"expected nothing hidden but records in a launch of Triton's, got {hidden}")
        metadata["shared"] = launch["shared_bytes"]
        # What waits for the launches before it may begin before they have ended, by Triton's launcher as by FSM's. Inductor has a launcher
        # of its own, which has less to do, but takes nothing of the kind.
        metadata["launch_pdl"] = launch.get("overlaps_launches", False) and INDUCTOR not in sys.modules
        metadata["fsm_debug_ops"] = launch["debug_ops"] if hidden else []
        return records.with_variable(launch["ptx"]) if hidden else launch["ptx"]

    def bytes_of_text(self, text, _):
        """What stands in place of code where the launch compiles."""
        return text.encode()

    def is_launched(self, text, is_described):
        """Whether FSM's engine launches the kernel. Prints, asserts and launches of several kinds need Triton's launcher; but
        that knows nothing of the extents of a tensor that it is handed a descriptor of, without which each element would be
        accessed by itself, and has no tensor maps for what a kernel describes itself."""
        options, session = self.options, self.session
        if session.device or options.launch_cooperative_grid or options.launch_pdl or "tt.print" in text or "tt.assert" in text:
            return False
        return session.launcher == "fsm" or session.launches_described and is_described

    def ptx_or_mark(self, text, metadata):
        return f"{LATER}\n.target {self.target}\n" if metadata["fsm_launches"] else self.ptx(text, metadata)

    def code_or_mark(self, their_cubin):
        """Code where Triton launches the kernel."""

        def cubin(text, metadata):
            if metadata["fsm_launches"]:
                return MARK
            return their_cubin(text, metadata)

        return cubin


def emitted(session, text, target, stage):
    """The text of a stage of FSM's; errors are Triton's kind. Triton's launcher makes no tensor maps, and is asked for no
    clusters."""
    try:
        return session.library.emit(text, NAME, stage, target=target, pack=False, tensor_maps=False, num_ctas=1,
                                    strict=session.strict)
    except Failure as failure:
        raise errors.translated(failure) from None


def make_hook(session):
    """What Triton calls when it has put together the stages of a kernel."""

    def hook(backend, stages, options, language, capability):
        if str(language).endswith("GLUON"):
            return
        own = Stages(session, options, capability)
        theirs = dict(stages)
        for name in [name for name in stages if name != "ttir"]:
            del stages[name]
        if session.device is not None:
            stages["fsm"] = own.fsm
            stages["cubin"] = own.bytes_of_text
            return
        if session.fallback == "triton":
            _add_with_fallback(session, stages, theirs, own)
            return
        stages["fsm"] = own.fsm
        stages["ptx"] = own.ptx_or_mark
        stages["cubin"] = own.code_or_mark(theirs["cubin"])

    return hook


def _add_with_fallback(session, stages, theirs, own):
    """FSM's code where it compiles the kernel, and Triton's where it refuses it."""
    made = {}

    def ttgir(module, metadata):
        text, before = str(module), dict(metadata)
        try:
            made["fsm"] = own.fsm(module, metadata)
            made["ptx"] = own.ptx(made["fsm"], metadata)
            made["llir"] = own.emit(made["fsm"], "llvmir")
            return made["fsm"]
        except errors.CompileError as error:
            session.refused.append((module.get_entry_func_name(), str(error)))
            made.clear()
            # FSM's own stages have changed the module, and said of the launch what is true of their code.
            metadata.clear()
            metadata.update(before)
            return theirs["ttgir"](_parsed(text, module.context), metadata)

    stages["ttgir"] = ttgir
    stages["llir"] = lambda source, metadata: made.get("llir") or theirs["llir"](source, metadata)
    stages["ptx"] = lambda source, metadata: made.get("ptx") or theirs["ptx"](source, metadata)
    stages["cubin"] = theirs["cubin"]


def _parsed(text, context):
    with tempfile.NamedTemporaryFile("w", suffix=".ttir", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        module = ir.parse_mlir_module(file.name, context)
    module.context = context
    return module


class AskedFor(triton_compiler.AsmDict):
    """The texts of a kernel: `llir`, and `ptx` if it was compiled without a GPU, are made when somebody asks."""

    STAGES = {"llir": "llvmir", "ptx": "ptx"}
    session = None

    def __getitem__(self, key):
        given = super().__getitem__(key)
        if key == "ptx" and given.startswith(LATER):
            given = self[key] = self.made(key)
        return given

    def __missing__(self, key):
        if key not in self.STAGES or "fsm" not in self:
            return super().__missing__(key)
        self[key] = self.made(key)
        return self[key]

    def made(self, key):
        target = re.search(r"^\.target (\w+)", self.get("ptx", ""), re.MULTILINE)
        return emitted(self.session, self["fsm"], target[1] if target else target_of(GPU), self.STAGES[key])


def sass_of_code(theirs):
    """Triton's disassembler, which TRITON_KERNEL_DUMP calls for whatever is called a cubin."""

    def sass(code, *rest):
        return theirs(code, *rest) if code.startswith(b"\x7fELF") else NO_SASS

    return sass


def install(session):
    """Puts the hook in place; what undoes it."""
    before = knobs.runtime.add_stages_inspection_hook, knobs.compilation.instrumentation_mode
    knobs.runtime.add_stages_inspection_hook = make_hook(session)
    # The hook is in no key of Triton's caches, on disk or in memory; this is in both, and means nothing but "consan".
    knobs.compilation.instrumentation_mode = session.mode
    texts, sass = triton_compiler.AsmDict, triton_compiler.get_sass
    triton_compiler.get_sass = sass_of_code(sass)
    triton_compiler.AsmDict = type("AskedFor", (AskedFor, ), {"session": session})

    def undo():
        knobs.runtime.add_stages_inspection_hook, knobs.compilation.instrumentation_mode = before
        triton_compiler.AsmDict, triton_compiler.get_sass = texts, sass

    return undo
