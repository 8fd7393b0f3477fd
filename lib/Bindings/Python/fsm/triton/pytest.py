"""A plug-in for pytest: tests of Triton kernels without a GPU, `pytest -p fsm.triton.pytest [--fsm-device=cpu|sim] ...`.

What a test asks of "cuda" is in the host's memory, and its kernels run on FSM's device.
"""

import pytest

from . import enable, tensors


def pytest_addoption(parser):
    group = parser.getgroup("fsm")
    group.addoption("--fsm-device", default="cpu", choices=("cpu", "sim"), help="where kernels of Triton run")
    group.addoption("--fsm-check", action="store_true", help="each launch also on the simulator, which must find nothing")


# Before modules of tests are read: they ask for the GPU's properties.
@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    device, check = config.getoption("--fsm-device"), config.getoption("--fsm-check")
    session = enable(device=device, check=check)
    undo = tensors.pretend()
    config.fsm_mode = tensors.HostTensors(tensors.SLACK if device == "cpu" and not check else 0)
    config.add_cleanup(undo)
    config.add_cleanup(session.close)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    with item.config.fsm_mode:
        yield
