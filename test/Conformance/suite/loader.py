"""Finds the files of the ops."""

import importlib.util
import pathlib

OPS = pathlib.Path(__file__).resolve().parents[1] / "ops"


def names(folder):
    """The ops that have a file, in alphabetical order."""
    return sorted(f"{file.parent.name}.{file.stem}" for file in folder.glob("*/*.py"))


def load(folder, name):
    """The declaration of an op."""
    dialect, stem = name.split(".")
    spec = importlib.util.spec_from_file_location(name, folder / dialect / f"{stem}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.OP.name = name
    return module.OP
