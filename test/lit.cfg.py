"""The lit suite of test/: formats, tools and features. lit.site.cfg.py of the build folder says where things are."""

import os
import platform
import shutil
import subprocess

import lit.formats

config.name = "FSM"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(__file__)
config.suffixes = [".mlir", ".test"]

# What is input of a test and not a test: the error corpus, the trees of the
# house, and whatever is called Inputs.
config.excludes = ["Inputs", "semantic", "syntax", "trees", "summaries"]


def tool(name):
    return os.path.join(config.fsm_tools, name)


config.substitutions += [
    ("%fsm_cache", tool("fsm-cache")),
    ("%fsm_opt", tool("fsm-opt")),
    ("%fsm_run", tool("fsm-run")),
    ("%fsm_lsp_server", tool("fsm-lsp-server")),
    ("%fsm_launch_threads", tool("fsm-launch-threads")),
    ("%fsm_mutate", tool("fsm-mutate")),
    ("%fsm_device_code", tool("fsm-device-code")),
    *((f"%fuzz_{name}", tool(f"fuzz-{name}")) for name in ("artifact", "lsp", "npy", "options", "ptx", "text")),
    ("%fsm_occupancy", tool("occupancy")),
    ("%fsm_kernel_in_cpp", tool("kernel-in-cpp")),
    ("%fsm_jit_frontend", tool("jit-frontend")),
    ("%fsm_npy_dump", tool("npy-dump")),
    ("%fsm_src_root", config.fsm_source_root),
    ("%fsm_build_root", config.fsm_binary_root),
    ("%python", "/usr/bin/python3"),
    ("%c11", f"cc -std=c11 -pedantic -Wall -Wextra -Werror -I{os.path.join(config.fsm_source_root, 'include')}"),
    ("%cxx17", f"c++ -std=c++17 -pedantic -Wall -Wextra -Werror -I{os.path.join(config.fsm_source_root, 'include')}"),
    ("%runtime", "-L{0} -lfsm-runtime -Wl,-rpath,{0}".format(os.path.join(config.fsm_binary_root, "lib"))),
    ("%libfsm", "-L{0} -lfsm -Wl,-rpath,{0}".format(os.path.join(config.fsm_binary_root, "lib"))),
]

# The normal run deals cases to the devices, and has fewer random kernels; `lit -Dwhole=1` has every case on every device.
config.substitutions.append(("%deal", "" if lit_config.params.get("whole") else "--deal"))
if lit_config.params.get("whole"):
    config.available_features.add("whole")

# FileCheck, not, split-file.
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, os.environ.get("PATH", "")])
for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "FSM_MUTANT", "FSM_MUTANT_REACH"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

# What the simulator runs must not race in global memory.
config.environment["FSM_SIMULATOR"] = "global_races=1"

# The compiler runs on the CPU it is on; nothing here needs a GPU.
if platform.machine() in ("x86_64", "AMD64"):
    config.available_features.add("cpu-x86")

# The assembler of the CUDA toolkit has the last word on PTX.
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")

# Programs of C find the library by its header alone.
if shutil.which("cc", path=config.environment["PATH"]):
    config.available_features.add("cc")

# Rust's compiler, for a page's program. It is found by way of the user's folder.
if shutil.which("rustc", path=config.environment["PATH"]):
    config.available_features.add("rustc")
    config.substitutions.append(("%rustc", f"env HOME={os.path.expanduser('~')} rustc"))

# Another LLVM as a library, whose symbols all can see: Debian's of the same version.
libllvm = os.path.join(os.path.dirname(config.llvm_tools), "lib", "libLLVM.so")
if os.path.exists(libllvm):
    config.available_features.add("libllvm")
    config.substitutions.append(("%libllvm", libllvm))

# Mounts that nobody else sees.
mounting = ["unshare", "--mount"] + (["--map-root-user"] if os.geteuid() else [])
if shutil.which("unshare") and subprocess.run([*mounting, "mount", "-t", "tmpfs", "tmpfs", "/tmp"], capture_output=True).returncode == 0:
    config.available_features.add("mounts")
    config.substitutions.append(("%mounting", " ".join(mounting)))

# A Python with Triton 3.6, which nothing but some tests of its import needs.
if os.environ.get("FSM_TRITON_PYTHON"):
    config.available_features.add("triton")
    config.substitutions.append(("%triton_python", os.environ["FSM_TRITON_PYTHON"]))
    library, package = os.path.join(config.fsm_binary_root, "lib", "libfsm.so"), os.path.join(config.fsm_source_root, "lib")
    config.substitutions.append((
        "%fsm_triton", f"env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={package}/Bindings/Python FSM_LIBRARY={library} "
        + os.environ["FSM_TRITON_PYTHON"]))

# Libraries of a sanitized build load into sanitized programs only, which Python is not.
if config.fsm_sanitized:
    config.available_features.add("sanitized")
