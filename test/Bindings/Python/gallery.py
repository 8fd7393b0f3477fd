"""What check=True says of each kernel of Inputs/buggy_kernels.py: the words below, at the line that says `bug`.

Call: gallery.py [--print]     with a Python that has Triton
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Inputs"))

import buggy_kernels
import fsm.triton
import torch
import triton
import triton.language as tl
from fsm.triton import unwritten
from fsm.triton.errors import CheckError
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

SAYS = {
    "no_mask": "out of bounds",
    "off_by_one": "out of bounds",
    "lost_sum": "race",
    "overlapping_blocks": "race",
    "wrong_stride": "out of bounds",
    "in_place_shift": "race",
    "wrong_index": "out of bounds",
    "swapped_bounds": "out of bounds",
    "failed_assumption": "a logarithm of what is not positive",
    "late_reader": "race",
    "mean_in_its_row": "race",
    "never_zeroed": "uninitialized memory",
    "misaligned_descriptor": "its address and its strides are multiples of 16 bytes",
    "misaligned_rows": "its address and its strides are multiples of 16 bytes",
    "swapped_strides": "past the end of argument %x",
    "unmasked_store": "past the end of argument %y",
    "cast_too_late": "misaligned: elements of 4 bytes are at multiples of these",
    "relaxed_flag": "with no release and acquire between",
    "first_one_stores": "race",
    "one_scratch_for_all": "race",
    "last_step": "past the end of argument %x",
    "swapped_programs": "race",
    "everybody_does_all": "race",
    "too_few_programs": "uninitialized memory",
}


def said(name, is_fixed):
    """The error of a launch, or None."""
    try:
        getattr(buggy_kernels, f"launch_{name}")(is_fixed)
    except CheckError as error:
        return error
    return None


def line_of(name):
    """The line of the mistake."""
    lines = pathlib.Path(buggy_kernels.__file__).read_text(encoding="utf-8").split("\n")
    start = lines.index(f"def {name}({getattr(buggy_kernels, name).src.partition('(')[2].partition(chr(10))[0]}")
    return next(number for number, line in enumerate(lines[start:], start + 1) if "# bug" in line)


@triton.jit
def moved(x, y, by):
    tl.store(y, tl.load(x + by))


@triton.jit
def written_late(x, y):
    tl.store(y, tl.load(x + tl.program_id(0)) + tl.program_id(0))


def check_views():
    """A view begins at its first element and ends where its storage does; one without elements has no address."""
    x, y = torch.ones(64), torch.zeros(1)
    buggy_kernels.off_by_one[(1, )](x[5:5], torch.ones(4)[4:], 0, -1, BLOCK=128)
    moved[(1, )](x[16:32], y, 47)
    for by, words in ((-1, "4 bytes before the begin of argument %x (192 bytes)"), (48, "out of bounds")):
        try:
            moved[(1, )](x[16:32], y, by)
        except CheckError as error:
            assert words in str(error), error
        else:
            raise AssertionError(f"expected a CheckError of element {by}, got none")


def check_after_a_launch():
    """A kernel that was launched without a check is checked as well, and one that was checked is launched without."""
    x, y = torch.zeros(64), torch.zeros(1)
    for is_checked in (False, True, False):
        with fsm.triton.enable(device="cpu", check=is_checked):
            try:
                # Within the storage, and so nothing to end a process on a CPU.
                written_late[(4, )](x, y)
            except CheckError as error:
                assert is_checked and "race" in str(error), error
            else:
                assert not is_checked, "expected a CheckError behind a launch without a check"


def scripted(x: torch.Tensor):
    return torch.empty_like(x).copy_(x) + torch.empty(3).fill_(1.0)


def check_torch():
    """What torch makes without memory of its own, or while something watches, is as without a check."""
    x = torch.arange(3.0)

    def doubled(y):
        return (torch.empty_like(y).copy_(y) + y.new_empty(3).fill_(0.0) + torch.empty(3).fill_(0.0) + y).sum()

    assert torch.func.vmap(doubled)(torch.stack([x, x + 1])).tolist() == [6, 12]
    assert torch.func.grad(doubled)(x).tolist() == [2] * 3
    assert make_fx(doubled)(x)(x).item() == 6
    assert torch.compile(doubled, backend="eager")(x).item() == 6
    assert torch.jit.script(scripted)(x).tolist() == [1, 2, 3]
    mode = FakeTensorMode()
    assert torch.empty_like(mode.from_tensor(x)).shape == (3, )
    with mode:
        assert torch.empty(4).shape == (4, )
    assert torch.empty(2, dtype=torch.int64).tolist() == [unwritten.NUMBER] * 2
    assert torch.empty_like(torch.nn.Parameter(x)).view(torch.int32)[0] == x.new_empty(3).view(torch.int32)[0] != 0


def main():
    wrong = 0
    assert buggy_kernels.KERNELS == list(SAYS)
    check_after_a_launch()
    with fsm.triton.enable(device="cpu", check=True):
        check_views()
        check_torch()
        for name, words in SAYS.items():
            if right := said(name, True):
                print(f"{name}: without the mistake it says {right}")
                wrong += 1
            error = said(name, False)
            if "--print" in sys.argv:
                print(f"{name}: {error}\n")
            if error is None or words not in str(error) or error.line != line_of(name):
                print(f"{name}: expected '{words}' at line {line_of(name)}, got {error}")
                wrong += 1
    assert torch.jit.script(scripted)(torch.zeros(3)).tolist() == [1] * 3
    print(f"{len(SAYS)} kernels, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
