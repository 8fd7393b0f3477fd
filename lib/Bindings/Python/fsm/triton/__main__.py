"""Runs a program with its kernels of Triton compiled by FSM.

Call: python -m fsm.triton [--device=gpu|cpu|sim] [--check] [--strict] [--fallback] [--launcher=triton|fsm]
                            SCRIPT [ARGUMENT...]
      python -m fsm.triton [OPTION...] -m MODULE [ARGUMENT...]

Without --device it is the GPU if there is one, else the CPU. On `cpu` and `sim` tensors that are asked of "cuda" are in the
host's memory.
"""

import runpy
import sys


def parse(words):
    """The options of enable(), whether the program is a module, and its arguments."""
    options, is_module = {}, False
    while words and words[0].startswith("-"):
        word = words.pop(0)
        name, _, value = word.partition("=")
        if name == "--device" and value in ("gpu", "cpu", "sim"):
            options["device"] = value
        elif name == "--launcher" and value in ("triton", "fsm"):
            options["launcher"] = value
        elif word in ("--check", "--strict"):
            options[word[2:]] = True
        elif word == "--fallback":
            options["fallback"] = "triton"
        elif word == "-m":
            is_module = True
            break
        elif word in ("-h", "--help"):
            sys.exit(__doc__.strip())
        else:
            sys.exit(f"fsm.triton: expected an option of `python -m fsm.triton --help`, got '{word}'")
    if not words:
        sys.exit("fsm.triton: expected a program to run, got none")
    return options, is_module, words


def main():
    options, is_module, words = parse(sys.argv[1:])
    import torch
    device = options.pop("device", "gpu" if torch.cuda.is_available() else "cpu")
    sys.argv = words
    if device == "gpu":
        return run(options, is_module, words)
    from . import tensors
    tensors.pretend()
    with tensors.HostTensors(tensors.SLACK if device == "cpu" and not options.get("check") else 0):
        return run({**options, "device": device}, is_module, words)


def run(options, is_module, words):
    from . import enable
    with enable(**options):
        if is_module:
            runpy.run_module(words[0], run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, words[0].rpartition("/")[0] or ".")
            runpy.run_path(words[0], run_name="__main__")


main()
