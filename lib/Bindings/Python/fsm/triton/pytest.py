"""A plug-in for pytest: tests of Triton kernels on FSM, `pytest -p fsm.triton.pytest [--fsm-device=cpu|sim|gpu] ...`.

On `gpu` they run on the GPU that Triton finds. Else none is needed: what a test asks of "cuda" is in the host's memory.
"""

import contextlib

import pytest

from . import enable, tensors


def pytest_addoption(parser):
    group = parser.getgroup("fsm")
    group.addoption("--fsm-device", default="cpu", choices=("cpu", "sim", "gpu"), help="where kernels of Triton run")
    group.addoption("--fsm-check", action="store_true", help="each launch also on the simulator, which must find nothing")


# Before conftests and modules of tests are read: they ask for the GPU's properties.
@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    _begin(early_config, early_config.known_args_namespace)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    # A conftest may name this plug-in, when initial conftests are being read.
    if not hasattr(config, "fsm_mode"):
        _begin(config, config.option)


def _begin(config, options):
    device, check = options.fsm_device, options.fsm_check
    if device == "gpu":
        config.fsm_mode = contextlib.nullcontext()
        config.add_cleanup(enable(check=check).close)
        return
    session = enable(device=device, check=check)
    undo = tensors.pretend()
    config.fsm_mode = tensors.HostTensors(tensors.SLACK if device == "cpu" and not check else 0)
    config.add_cleanup(undo)
    config.add_cleanup(session.close)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    with item.config.fsm_mode:
        yield
