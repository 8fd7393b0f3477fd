#!/usr/bin/python3
"""Plants one-line mistakes in the examples; the check of the example must notice each.

Call: mutants.py --fsm-run=PROGRAM [--only=TEXT]

A mutant that every case accepts survived: the check is too weak. One whose pattern matches nothing or that does not run
proves nothing. Each of these is an error.
"""

import argparse
import re
import shlex
import sys
import tempfile
from pathlib import Path

from cases import EXAMPLES
from check import complaint, declared_parameters

FOLDER = Path(__file__).resolve().parents[2] / "examples"

# Mistakes that fit several examples: (what, pattern, replacement). The first match is replaced.
UNMASKED_STORE = ("the store has no mask", r"(fsm\.store %\w+, %\w+\[%\w+\]), %mask", r"\1")
LATE_MASK = ("the mask takes one element too many", r"cmpi slt, %offs", "cmpi sle, %offs")
MAX_TO_MIN = ("min instead of max", r"fsm\.reduce <max>", "fsm.reduce <min>")
NOT_SHIFTED = ("the maximum is not subtracted", r"arith\.subf %x, %maxes", "arith.addf %x, %maxes")
ZERO_PADDING = ("0 instead of -inf where masked off", r"\], %mask, %ninf", "], %mask")
IN_FOR_OUT = ("the input's stride for the output", r"arith\.muli %row, %out_stride", "arith.muli %row, %in_stride")
# What fsm-run says of a kernel that touches what lies beside an array.
BESIDE = re.compile(r"the kernel (touched|wrote to) byte \d+ (before its begin|behind its end)")

MUTANTS = {
    "01-copy": [
        UNMASKED_STORE,
        LATE_MASK,
        ("the input does not move with the program", r"%src\[%offs\]", "%in[%offs]"),
    ],
    "02-vector-add": [
        UNMASKED_STORE,
        ("one operand twice", r"\$\{ADD\} %x, %y", "${ADD} %x, %x"),
        ("the second operand does not move with the program", r"%pb\[%offs\]", "%b[%offs]"),
    ],
    "03-row-sum": [
        ("the product", r"fsm\.reduce <sum>", "fsm.reduce <prod>"),
        ("the load has no mask", r"(%src\[%offs\]), %mask", r"\1"),
        ("all sums to one place", r"fsm\.offset %out, %row", "fsm.offset %out, %cols"),
    ],
    "04-softmax": [NOT_SHIFTED, ZERO_PADDING, UNMASKED_STORE],
    "05-softmax-persistent": [
        MAX_TO_MIN,
        IN_FOR_OUT,
        ("the first rows are left out", r"%row = %first to", "%row = %step to"),
    ],
    "06-softmax-strided": [
        ("row and column strides swapped", r"%c, %in_row, %in_col\)", "%c, %in_col, %in_row)"),
        ("rows beyond the last are stored", r"arith\.andi %row_mask, %col_mask", "arith.andi %col_mask, %col_mask"),
        ("the sum down the columns of the tile is not divided by", r"arith\.divf %num, %den", "arith.divf %num, %num"),
    ],
    "07-softmax-backward": [
        ("the dot product is not subtracted", r"arith\.subf %dys, %dots", "arith.addf %dys, %dots"),
        ("the strides of y and dy swapped", r"arith\.muli %row, %dy_stride", "arith.muli %row, %y_stride"),
        UNMASKED_STORE,
    ],
    "08-softmax-online": [
        ("the sum is not scaled when the maximum grows", r"arith\.mulf %s, %factor", "arith.mulf %s, %s"),
        ("a row of -inf so far is relative to -inf", r"arith\.select %none, %zero, %larger",
         "arith.select %none, %larger, %larger"),
        ("the maximum of the last block alone", r"scf\.yield %larger", "scf.yield %here"),
        UNMASKED_STORE,
    ],
    "09-rms-norm": [
        ("eps is left out", r"arith\.addf %mean, %eps", "arith.addf %mean, %mean"),
        ("the mean over the stride, not over the columns", r"arith\.sitofp %cols", "arith.sitofp %in_stride"),
        ("the weight is left out", r"arith\.mulf %normal, %w", "arith.mulf %normal, %normal"),
    ],
    "10-layer-norm": [
        ("what is masked off is summed up", r"arith\.select %mask, %difference, %zeros",
         "arith.select %mask, %difference, %difference"),
        ("the statistics are stored one place further", r"fsm\.offset %rstds, %row", "fsm.offset %rstds, %cols"),
        ("weight and bias swapped", r"arith\.addf %weighted, %b ", "arith.addf %weighted, %w "),
    ],
    "11-layer-norm-backward": [
        ("the mean of w * dy is left out", r"arith\.addf %along, %c2s", "arith.subf %along, %along"),
        ("partial sums that are not there are added to", r"arith\.andi %mask, %have_sums", "arith.andi %mask, %mask"),
        ("parts of a sum are left out", r"bounds \[%parts, %cols\]", "bounds [%step, %cols]"),
        UNMASKED_STORE,
    ],
    "13-cross-entropy": [
        ("rows without a label count", r"arith\.select %counts, %loss, %zero", "arith.select %counts, %loss, %loss"),
        ("the label's column keeps its probability", r"arith\.subf %y, %target", "arith.subf %y, %zeros"),
        ("the distance has the wrong sign", r"arith\.subf %max, %named", "arith.subf %named, %max"),
        UNMASKED_STORE,
    ],
    "15-argmax": [
        ("of equal elements the last", r"arith\.cmpi slt, %i, %j", "arith.cmpi sgt, %i, %j"),
        ("NaN is ignored", r"arith\.select %differ, %a_nan, %earlier", "arith.select %differ, %b_nan, %earlier"),
        ("the column is that of the other", r"arith\.select %left, %i, %j", "arith.select %left, %j, %i"),
        ZERO_PADDING,
        LATE_MASK,
    ],
    "14-dropout": [
        ("a key word is left out", r"key %key0, %key1", "key %key0, %key0"),
        ("the words in another order", r"fsm\.join %a, %c", "fsm.join %c, %a"),
        ("kept with probability 1 - p", r"cmpf olt", "cmpf oge"),
        ("not scaled", r"fsm\.div_rn %x, %ps", "fsm.div_rn %x, %x"),
        UNMASKED_STORE,
    ],
    "16-matmul": [
        ("the sum does not go on", r"fsm\.dot %x, %y, %sum", "fsm.dot %x, %y, %zeros"),
        ("a's columns beyond the last count", r"bounds \[%m, %k\]", "bounds [%m, %a_stride]"),
        ("a is rounded to f16", r"%next = fsm\.dot %x", """%half = arith.truncf %x : !a to tensor<${BM}x${BK}xf16>
    %rounded = arith.extf %half : tensor<${BM}x${BK}xf16> to !a
    %next = fsm.dot %rounded"""),
        ("b does not move down", r"origin \[%i, %column\]", "origin [%none, %column]"),
        ("the last group has as many rows as the others", r"arith\.minsi %left, %most", "arith.maxsi %most, %most"),
        ("what is positive is scaled", r"arith\.select %below, %scaled, %sums", "arith.select %below, %sums, %scaled"),
        ("the store's mask lets all columns through", r"bounds \[%m, %n\]", "bounds [%m, %c_stride]"),
    ],
    "17-matmul-persistent": [
        ("tiles come again in steps of one", r"%tile = %first to %tiles step %step", "%tile = %step to %tiles step %step"),
        ("a is as wide as its stride", r"sizes \[%m, %k\]", "sizes [%m, %a_stride]"),
        ("c is as wide as its stride", r"sizes \[%m, %n\]", "sizes [%m, %c_stride]"),
        ("b does not move down", r"%b\[%i, %column\]", "%b[%none, %column]"),
        ("the bias is that of the rows", r"%in_bias\[%column\]", "%in_bias[%row]"),
        ("the last group has as many rows as the others", r"arith\.minsi %left, %most", "arith.maxsi %most, %most"),
        ("what is positive is scaled", r"arith\.select %below, %scaled, %x", "arith.select %below, %x, %scaled"),
    ],
    "18-matmul-grouped": [
        ("the tiles of each product have the numbers of the first's", r"scf\.yield %after, %end", "scf.yield %after, %first"),
        ("b begins where a does", r"fsm\.offset %bs, %b_at", "fsm.offset %bs, %a_at"),
        ("the number of a tile is that in the list", r"arith\.subi %tile, %first", "arith.subi %tile, %none"),
        ("rows of a are as long as b's", r"sizes \[%m, %k\] strides \[%k, 1\]", "sizes [%m, %k] strides [%n, 1]"),
        ("c has as many columns as a", r"sizes \[%m, %n\]", "sizes [%m, %k]"),
    ],
    "19-matmul-w8a16": [
        ("weights have no sign", r"arith\.sitofp", "arith.uitofp"),
        ("the scales are those of the first columns", r"%in_scales\[%column\]", "%in_scales[0]"),
        ("the sum does not go on", r"fsm\.dot %x, %y, %sum", "fsm.dot %x, %y, %zeros"),
        ("c is as wide as its stride", r"sizes \[%m, %n\]", "sizes [%m, %c_stride]"),
    ],
    "12-gelu": [
        ("the bias runs on", r"%bias\[%column\]", "%bias[%offs]"),
        ("not halved", r"dense<0\.5>", "dense<0.501>"),
        ("a digit of a constant", r"0\.044715>", "0.044725>"),
    ],
}


def noticed(command, example, text, folder):
    """Whether a case finds the mutant. None if it does not even run, with the reason."""
    file = Path(folder) / f"{example.name}.mlir"
    file.write_text(text)
    for launch in example.launches(example.basic, declared_parameters(file)):
        if launch.device != "cpu" or launch.parameters.get("T", "f32") not in ("f32", *example.mutated):
            continue
        # By itself: what a wrong kernel writes may be anywhere in its process.
        wrong, ran = complaint(command, file, launch, folder, alone=True)
        if wrong:
            return (True, "") if ran or BESIDE.search(wrong) else (None, wrong)
    return False, ""


def judge(command, name, pattern, replacement):
    """One sentence on a mutant that is not noticed, "" for one that is."""
    original = (FOLDER / f"{name}.mlir").read_text()
    header, kernel = re.split(r"(?<=\n)(?=[!a-z])", original, maxsplit=1)
    mutant = re.sub(pattern, replacement, kernel, count=1)
    if mutant == kernel:
        return f"the pattern {pattern} changes nothing"
    with tempfile.TemporaryDirectory() as folder:
        found, reason = noticed(command, EXAMPLES[name], header + mutant, folder)
    if found is None:
        return f"does not run: {reason}"
    return "" if found else "survived: no case notices it"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fsm-run", default="fsm-run")
    parser.add_argument("--only", default="", help="plant only the mistakes whose title contains this")
    options = parser.parse_args()
    command = shlex.split(options.fsm_run)
    planted = failed = 0
    for name in EXAMPLES:
        for what, pattern, replacement in MUTANTS[name]:
            if options.only not in f"{name}: {what}":
                continue
            planted += 1
            fault = judge(command, name, pattern, replacement)
            if fault:
                failed += 1
                print(f"FAIL {name}: {what}: {fault}")
    print(f"{planted - failed} of {planted} mistakes noticed")
    sys.exit(1 if failed or not planted else 0)


if __name__ == "__main__":
    main()
