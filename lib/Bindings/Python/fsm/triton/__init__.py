"""Kernels of Triton, unchanged, compiled and run by FSM.

    import fsm.triton
    with fsm.triton.enable():                    # a GPU: Triton's launcher, FSM's code
        kernel[grid](x, y, n, BLOCK=1024)
    with fsm.triton.enable(device="cpu"): ...    # no GPU: FSM's engine on tensors in the host's memory
    with fsm.triton.enable(check=True): ...      # each launch also on FSM's simulator, which says what is wrong

`python -m fsm.triton SCRIPT` runs a program so, `pytest -p fsm.triton.pytest` its tests. docs/triton.md is the manual.
"""

TRITON = "3.6"


def enable(device=None, *, strict=False, fallback=None, check=False, launcher="triton"):
    """From now on, kernels of Triton are FSM's; until `disable()`, or to the end of a `with`.

    device    None: the GPU that Triton finds, by its own launcher. "cpu": this machine's cores. "sim": FSM's simulator
              of a GPU, which reports accesses out of bounds, races and what was never written.
    strict    on a GPU, what has to wait in local memory is OutOfResources instead of slow.
    fallback  "triton": what FSM refuses is compiled by Triton; `refused` of what is returned says what and why.
    check     each launch is first done by the simulator on copies of its arguments; what it finds is a CheckError.
    launcher  on a GPU, who launches. "fsm": FSM's engine, which generates code by the arguments of each launch: that their
              memory does not overlap, what is copied by the hardware, clusters.

    Raises RuntimeError if Triton is of another release, or if libfsm is not found; ValueError for other arguments.
    """
    from . import session
    return session.begin(device, strict, fallback, check, launcher)


def disable():
    """Ends what the last `enable()` began; does nothing if there is none."""
    from . import session
    session.end()
