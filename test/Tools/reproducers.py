"""Compiles by every pipeline down to its last stage, and again from what MLIR writes down of it.

Call: reproducers.py --fsm-opt=PROGRAM --examples=FOLDER --folder=FOLDER

Each of these must give what the pipeline gave: the file of --mlir-generate-reproducer with --run-reproducer, and what
--dump-pass-pipeline prints with --pass-pipeline. A kernel that does not fit must be refused again, in the same words, from
the files of a failed pipeline: of all its passes, and of the one that failed. Exit code 1 if something differs.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

KERNELS = ("04-softmax", "05-softmax-persistent", "14-dropout", "16-matmul")
PIPELINES = (
    "fsm-cpu-pipeline",
    "fsm-cpu-pipeline{vector-bytes=16 without=cse,canonicalize}",
    *(f"fsm-gpu-pipeline{{target={target} num-stages={stages}}}"
      for target, stages in (("sm_75", 1), ("sm_80", 2), ("sm_90a", 3), ("sm_120", 4))),
)
# A block of 2 MiB goes through shared memory; no GPU has that.
TOO_LARGE = """
fsm.kernel @sums(%out: !fsm.ptr<f64>, %in: !fsm.ptr<f64>) {
  %range = fsm.range 0, 262144 : tensor<262144xi32>
  %places = fsm.reshape %range : tensor<262144xi32> -> tensor<512x512xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<f64>, tensor<512x512xi32> -> tensor<512x512xf64>
  %y = fsm.scan <sum> %x axis 0 : tensor<512x512xf64>
  %z = fsm.scan <sum> %y axis 1 : tensor<512x512xf64>
  fsm.store %z, %out[%places] : tensor<512x512xf64>, !fsm.ptr<f64>, tensor<512x512xi32>
  fsm.return
}
"""


def opt(options, *words):
    return subprocess.run([options.fsm_opt, *map(str, words)], capture_output=True, text=True, check=False)


def faults(options, source, pipeline):
    """What of a pipeline does not make its code again."""
    reproducer = options.folder / "reproducer.mlir"
    once = opt(options, source, f"--pass-pipeline=builtin.module({pipeline})", "--dump-pass-pipeline",
               f"--mlir-generate-reproducer={reproducer}")
    if once.returncode or not once.stdout:
        return [f"does not compile: {once.stderr}"]
    wrong = []
    replayed = opt(options, reproducer, "--run-reproducer")
    if replayed.returncode or replayed.stdout != once.stdout:
        wrong.append(f"the reproducer differs: {replayed.stderr[:300]}")
    # Behind it stands what the passes remark.
    printed = re.search(r"^builtin\.module\(.*?^\)", once.stderr, re.DOTALL | re.MULTILINE)[0]
    pasted = opt(options, source, f"--pass-pipeline={printed}")
    if pasted.returncode or pasted.stdout != once.stdout:
        wrong.append(f"the printed pipeline differs: {pasted.stderr[:300]}")
    return wrong


def error_of(run):
    """The sentence of the first error, without the place, which in a reproducer is another."""
    lines = [line for line in run.stderr.splitlines() if ": error: " in line]
    return lines[0].split(": error: ", 1)[1] if run.returncode and lines else ""


def faults_of_failure(options, local):
    """What the file that a failed pipeline leaves does not show again."""
    source, reproducer = options.folder / "large.mlir", options.folder / "failed.mlir"
    source.write_text(TOO_LARGE, encoding="utf-8")
    failed = opt(options, source, "--fsm-gpu-pipeline", f"--mlir-pass-pipeline-crash-reproducer={reproducer}",
                 *(["--mlir-pass-pipeline-local-reproducer"] if local else []))
    replayed = opt(options, reproducer, "--run-reproducer")
    if error_of(failed) and error_of(failed) == error_of(replayed):
        return []
    return [f"expected '{error_of(failed)}' again, got '{replayed.stderr[:300]}'"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fsm-opt", required=True)
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args()
    tasks = [(f"{kernel} {pipeline}", lambda kernel=kernel, pipeline=pipeline:
              faults(options, options.examples / f"{kernel}.mlir", pipeline))
             for kernel in KERNELS for pipeline in PIPELINES]
    tasks += [(f"a kernel that does not fit, {'one pass' if local else 'all passes'}",
               lambda local=local: faults_of_failure(options, local)) for local in (False, True)]
    differ = 0
    for name, task in tasks:
        wrong = task()
        differ += bool(wrong)
        for sentence in wrong:
            print(f"{name}: {sentence}")
    print(f"{len(tasks)} pipelines, {differ} differ")
    return 1 if differ or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
