"""Medians, tables, plots, launch contracts and the lists of tools/dev/bench, on numbers worked out by hand."""

import json
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock, patch

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools" / "dev"))

from bench import device_files, gpu_tests, lit_lines, plot, product_runs, products, ptxas_warnings, recorded, suites
from bench.package import PERSISTENT_WAVES, Contract, PackageError, emit_command
from bench.tables import Measured, Point, borders_table, faults, geometric_mean, markdown, median, rates, stages_table
from cases import EXAMPLES  # bench.recorded made its folder known

CONTRACT = {"name": "softmax", "target": "sm_90a", "num_warps": 1, "programs_per_cta": 4, "num_ctas": 1, "shared_bytes": 64,
            "hidden_arguments": ["program_count"], "arguments": [{"name": "out", "type": "f32", "pointer_depth": 1}]}


def example_point():
    """1 GB moved: a copy in 1 ms is 1000 GB/s."""
    return Point("f32 4 x 8", 8, 10**9, {
        "copy": Measured([1e-3, 1e-3, 1e-3]),
        "torch": Measured([2.5e-3, 2e-3, 1.5e-3]),
        "triton": Measured([1.25e-3], fault="3 of 32 elements are wrong"),
        "fsm 04 block N": Measured([1.6e-3, 1.5e-3, 1.7e-3], {"registers": 40, "num_warps": 4, "local_bytes": 0}),
        "fsm 05 block N": Measured([1.0e-3], fault="refused: too long"),
    })


class Tables(unittest.TestCase):
    def test_median(self):
        self.assertEqual(median([3, 1, 2]), 2)
        self.assertEqual(median([4, 1, 2, 3]), 2.5)
        self.assertRaises(ValueError, median, [])

    def test_geometric_mean(self):
        self.assertAlmostEqual(geometric_mean([2, 8]), 4)
        self.assertRaises(ValueError, geometric_mean, [1, 0])
        self.assertRaises(ValueError, geometric_mean, [])

    def test_rates_and_ratios_leave_out_what_is_wrong(self):
        point = example_point()
        self.assertAlmostEqual(point.rate("copy"), 1000)
        self.assertAlmostEqual(point.rate("torch"), 500)
        self.assertIsNone(point.rate("triton"))
        self.assertIsNone(point.rate("cutlass"))
        self.assertEqual(point.best(point.contenders), "copy")
        self.assertEqual(point.best(["triton", "torch"]), "torch")
        self.assertAlmostEqual(point.ratio("fsm 04 block N", ["torch", "triton"]), 1.25)
        self.assertIsNone(point.ratio("fsm 05 block N", ["torch"]))
        self.assertAlmostEqual(point.spread("fsm 04 block N"), 0.125)

    def test_of_many_launches_the_spread_is_that_of_most(self):
        # 21 times: 1 to 19 ms, and two that something else held up.
        times = [millisecond * 1e-3 for millisecond in (*range(1, 20), 500, 900)]
        self.assertAlmostEqual(Point("", 0, 0, {"fsm": Measured(times)}).spread("fsm"), (19 - 3) / 11)

    def test_what_ptxas_says(self):
        serialised = ("(C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma instructions "
                      "reading accumulator registers of  a wgmma between start and end of the pipeline stage in the function 'matmul'")
        said = ("ptxas info    : {}\nptxas info    : Function properties for matmul\n"
                "    0 bytes stack frame, {} bytes spill stores, 0 bytes spill loads\nptxas info    : Used 168 registers")
        for warning, spilled, found in (("0 bytes gmem", 0, []), (serialised, 0, [serialised]), ("0 bytes gmem", 16, ["16 bytes spill stores"])):
            with tempfile.TemporaryDirectory() as folder, patch("subprocess.run") as run:
                run.return_value = SimpleNamespace(stdout="", stderr=said.format(warning, spilled), returncode=0)
                self.assertEqual(ptxas_warnings.warnings_of("", "sm_90a", folder, "x"), found)

    def test_the_best_of_each_way_to_hold_a_row(self):
        point = Point("f32 4 x 8", 8, 10**9, {
            "copy": Measured([1e-3]), "fsm 04 block N": Measured([2e-3]), "fsm ctas 1 warps 4": Measured([4e-3]),
            "fsm ctas 1 warps 8": Measured([1.6e-3]), "fsm ctas 16 warps 4": Measured([1e-3], fault="refused: too few"),
            "fsm pieces 4096": Measured([5e-3])})
        self.assertEqual(borders_table([point]).splitlines()[2],
                         "| f32 4 x 8 | 1000 | 500 | 0.800 | 625 (warps 8) | - | - | - | - | 200 (4096) |")

    def test_what_is_wrong_has_no_cell_of_its_own(self):
        lines = stages_table([example_point()]).splitlines()
        self.assertIn("| torch | 500 (50.0 %, - w, - r, 0 K, - c) |", lines)
        self.assertIn("| fsm 04 block N | 625 (12.5 %, 4 w, 40 r, 0 K, - c) |", lines)
        self.assertIn("| fsm 05 block N | - |", lines)

    def test_a_copy_moves_less_than_a_sum(self):
        """Two arrays of 1 GB in 0.5 ms against three in 0.75 ms: both 4000 GB/s. The driver's copy takes a third longer."""
        point = Point("f32 n added", 8, 3 * 10**9, {
            "copy": Measured([2e-3 / 3], bytes=2 * 10**9), "copy kernel": Measured([0.5e-3], bytes=2 * 10**9),
            "torch": Measured([1e-3]), "fsm block 1024": Measured([0.75e-3])})
        self.assertEqual(markdown([point]).splitlines()[2],
                         "| f32 n added | 4000 | 3000 | - | - | 4000 | 0.0 % | 1.333 | 1.000 | fsm block 1024 | - | - | - |")
        self.assertAlmostEqual(point.rate("copy"), 3000)
        entries = point.json()["contenders"]
        self.assertAlmostEqual(entries["copy kernel"]["gigabytes_per_second"], 4000)
        self.assertEqual((entries["copy kernel"]["bytes"], entries["torch"]["bytes"]), (2 * 10**9, 3 * 10**9))

    def test_markdown(self):
        lines = markdown([example_point()]).splitlines()
        self.assertEqual(lines[2], "| f32 4 x 8 | 1000 | 500 | - | - | 625 | 12.5 % | 1.250 | 0.625 | fsm 04 block N | 4 | 40 | 0 |")
        self.assertIn("| 1.250 | 0.625 |", lines[3])
        self.assertEqual(len({line.count("|") for line in lines}), 1)

    def test_markdown_without_a_right_kernel(self):
        lines = markdown([example_point()], "fsm 05 block N").splitlines()
        self.assertEqual(lines[2].count("| - "), 9)
        self.assertEqual(len(lines), 3)

    def test_faults(self):
        self.assertEqual(faults([example_point()]), ["f32 4 x 8: triton: 3 of 32 elements are wrong",
                                                     "f32 4 x 8: fsm 05 block N: refused: too long"])

    def test_json(self):
        copy = json.loads(json.dumps(example_point().json()))["contenders"]["torch"]
        self.assertEqual((copy["fastest"], copy["slowest"], copy["median"]), (1.5e-3, 2.5e-3, 2e-3))


class Plots(unittest.TestCase):
    def test_ticks(self):
        self.assertEqual(plot.ticks(4200), [0, 1000, 2000, 3000, 4000, 5000])
        self.assertEqual(plot.ticks(0.9)[-1] >= 0.9, True)

    def test_svg(self):
        tree = xml.fromstring(plot.svg("a < b", {"copy": [(256, 100), (1024, 200)], "FSM": [(256, None), (1024, 50)]}))
        lines = [node for node in tree if node.tag.endswith("polyline")]
        self.assertEqual([len(node.get("points").split()) for node in lines], [2, 1])
        # The higher rate is drawn higher up, the longer row further right.
        (x0, y0), (x1, y1) = (map(float, place.split(",")) for place in lines[0].get("points").split())
        self.assertTrue(x1 > x0 and y1 < y0)
        # Each line is named where it ends.
        named = {node.text: float(node.get("y")) for node in tree if node.text in ("copy", "FSM")}
        self.assertAlmostEqual(named["copy"], y1 + 4)
        self.assertRaises(ValueError, plot.svg, "", {})
        self.assertRaises(ValueError, plot.svg, "", {"FSM": [(1, None)]})

    def test_labels_are_apart(self):
        self.assertEqual(plot.apart([50, 10, 14, 100]), [50, 10, 26, 100])
        self.assertEqual(plot.apart([10, 12, 11]), [10, 42, 26])

    def test_rates(self):
        """1 GB in 1 ms is 1000 GB/s; what is wrong or refused is not plotted; of ours the faster one is."""
        self.assertEqual(rates([example_point()]), {"copy": [(8, 1000)], "PyTorch": [(8, 500)], "Triton": [(8, None)],
                                                    "FSM": [(8, 625)]})
        self.assertEqual(rates([Point.parse(example_point().json())]), rates([example_point()]))


class Contracts(unittest.TestCase):
    def test_grid(self):
        contract = Contract.parse(json.dumps(CONTRACT))
        self.assertEqual(contract.threads, 128)
        self.assertEqual([contract.ctas(programs) for programs in (0, 1, 4, 5)], [0, 1, 1, 2])
        self.assertEqual(contract.persistent_programs(65536, 132, 4, 1), 2112)
        self.assertEqual(contract.persistent_programs(65536, 132, 4, 8), 16896)
        self.assertEqual(contract.persistent_programs(1823, 132, 4, 8), 1823)
        self.assertEqual([value.value for value in contract.hidden(77)], [77])
        self.assertEqual(contract.arguments, (("out", "f32", 1),))
        self.assertEqual(contract.started(1823, 132), 1823)

    def test_programs_that_go_on(self):
        """512 tiles on 132 multiprocessors are four rounds, which 128 programs make as well."""
        contract = Contract.parse(json.dumps({**CONTRACT, "programs_per_cta": 1, "loop_programs": 0}))
        self.assertEqual(contract.started(512, contract.at_once(132, 1)), 128)
        self.assertEqual(contract.started(100, 132), 100)
        few = Contract.parse(json.dumps({**CONTRACT, "programs_per_cta": 1, "loop_programs": 6, "cluster": 2}))
        self.assertEqual([few.started(programs, 132) for programs in (4, 8, 14)], [4, 4, 6])

    def test_recorded_grid(self):
        contract = Contract.parse(json.dumps(CONTRACT))
        for grid, expected in ((7, (7, (2,))), ("8,3", (8, (2, 3))), ("1,2,5", (1, (1, 2, 5)))):
            self.assertEqual(recorded.grid_of(contract, grid), expected)

    def test_a_recorded_grid_that_is_a_word_fails_alone(self):
        with tempfile.TemporaryDirectory() as folder, patch.dict(EXAMPLES, {"fill": Mock()}, clear=True), \
                patch.object(recorded, "prepared_example", lambda example, case, package: (
                    SimpleNamespace(grid="auto"), "", Contract.parse(json.dumps(CONTRACT)), [])):
            record = recorded.Record(Path(folder) / "record.zip")
            recorded.record_examples(None, record, None)
            record.archive.close()
        self.assertEqual(len(record.failures), 3)
        self.assertIn("FAIL recorded fill-f32-781: invalid literal for int() with base 10: 'auto'", record.failures[0])

    def test_waves_are_those_of_the_engine(self):
        header = (ROOT / "include" / "fsm" / "Engine" / "Engine.h").read_text()
        self.assertIn(f"kPersistentWaves = {PERSISTENT_WAVES};", header)

    def test_no_hidden_argument(self):
        self.assertEqual(Contract.parse(json.dumps({**CONTRACT, "hidden_arguments": []})).hidden(77), [])
        records = Contract.parse(json.dumps({**CONTRACT, "hidden_arguments": ["program_count", "debug_records"]}))
        self.assertRaises(PackageError, records.hidden, 77)

    def test_what_is_no_contract(self):
        for text in ("", "[]", "{}", json.dumps({**CONTRACT, "num_warps": 0})):
            self.assertRaises(PackageError, Contract.parse, text)

    def test_command(self):
        line = emit_command("fsm-run", "k.mlir", "ptx", "k.ptx", "sm_90a", ["f32[8]", "3"], {"BLOCK": 8}, num_warps=2)
        self.assertEqual(line, ["fsm-run", "k.mlir", "--emit=ptx", "--target=sm_90a", "-o", "k.ptx", "--num-warps=2",
                                "-D", "BLOCK=8", "--arg=f32[8]", "--arg=3"])


class Suites(unittest.TestCase):
    def test_blocks_hold_the_row(self):
        for case in suites.cases_of("softmax"):
            blocks = {variant.block for variant in suites.variants_of(case)}
            self.assertEqual(min(blocks), case.cols)
            self.assertTrue(max(blocks) < 2 * case.cols and max(blocks).bit_count() == 1)

    def test_arguments_fit_the_kernels(self):
        for case in suites.cases_of("all"):
            for variant in suites.variants_of(case, sweep=True):
                text = (ROOT / "examples" / variant.file).read_text()
                signature = text[text.index("fsm.kernel"):].split("{\n")[0]
                self.assertEqual(signature.count("%"), len(variant.arguments), variant)

    def test_bytes(self):
        self.assertEqual(suites.Case("softmax", "f16", 4096, 1024).moved, 16 << 20)
        self.assertEqual(suites.Case("add", "f32", 1, 2**27).moved, 3 << 29)
        self.assertEqual(suites.Case("add", "f32", 1, 2**27).copied, 2 << 29)
        self.assertEqual(suites.Case("softmax", "f16", 4096, 1024).copied, 16 << 20)


class GpuTests(unittest.TestCase):
    def test_counts(self):
        text = "04-softmax: 12 of 13 basic cases right, 0.1 s\n834 checks, 2 failed\n41 launches recorded, 0 failed"
        self.assertEqual(gpu_tests.count_checks(text), 13 + 834 + 41)

    def test_complaints(self):
        self.assertEqual(gpu_tests.complaints("ok\nFAIL one\nwhy\nFAIL two\n"), ["one", "two"])
        self.assertEqual(gpu_tests.complaints("a\nb\nc\nd\n"), ["b | c | d"])
        self.assertEqual(gpu_tests.complaints("FAIL x\n" * 30)[-1], "10 more, see the log")

    def test_run_lines_leave_no_name_of_lit(self):
        files = lit_lines.device_files()
        self.assertGreater(len(files), 100)
        for file in files:
            for line in lit_lines.run_lines(file, "cuda", "fsm-run", "scratch"):
                self.assertNotRegex(line, r"(^|\s)%(s|S|t|deal|python|fsm_\w+|\{\w+\})(\s|$)", file)
                self.assertNotIn("FileCheck", line, file)

    def lines_of(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "some.mlir"
            file.write_text(text)
            return lit_lines.run_lines(file, "cuda", "fsm-run", "scratch")

    def test_run_lines(self):
        lines = lit_lines.run_lines(ROOT / "test" / "Device" / "determinism.test", "cuda", "fsm-run", "scratch")
        self.assertEqual(len(lines), (ROOT / "test" / "Device" / "determinism.test").read_text().count("RUN: "))
        self.assertIn("--device=cuda", lines[0])
        self.assertEqual(lines[3], "cmp scratch/Device-determinism.first.npy scratch/Device-determinism.second.npy")

        defined = self.lines_of("RUN: true\nDEFINE: %{n} = 3\nDEFINE: %{run} = %fsm_run k --arg=%{n}\n"
                                "RUN: %{run} --device=cpu --guard=end\n"
                                "RUN: env FSM_SIMULATOR=seed=3 %{run} --device=sim\nREDEFINE: %{n} = 5\nRUN: %{run} \\\nRUN: --device=sim")
        self.assertEqual(defined, ["true", "fsm-run k --arg=3 --device=cuda", "fsm-run k --arg=5 --device=cuda"])
        others = ("RUN: %fsm_run k --device=sim 2>&1 | FileCheck %s\nRUN: not %fsm_run b --device=sim 2>&1 | FileCheck %s\n"
                  "RUN: %fsm_run b --device=cpu")
        self.assertEqual(self.lines_of(others), [])
        self.assertEqual(self.lines_of("RUN: s --devices=cpu,interp,sim %deal %if whole %{--n=9%} %else %{--n=1%} --jobs=2"),
                         ["s --devices=cuda --n=1 --jobs=4"])

    def test_launches(self):
        self.assertEqual(device_files.launch_of("fsm-run 'a b' --arg=1", "fsm-run"), ["a b", "--arg=1"])
        self.assertIsNone(device_files.launch_of("fsm-run a > b", "fsm-run"))
        self.assertIsNone(device_files.launch_of("sed x && fsm-run a", "fsm-run"))

    def test_products(self):
        point = Point("f16 4096 x 4096 x 4096, single", 4096, 2 * 4096**3, {
            "cublas": Measured([180e-6]), "triton 128x128x64": Measured([200e-6]),
            "triton sm_80 128x128x32": Measured([330e-6]),
            "fsm sm_90a slow": Measured([400e-6]), "fsm sm_90a quick": Measured([300e-6], {"num_warps": 4}),
            "fsm sm_90a wrong": Measured([100e-6], fault="one element"), "fsm sm_80 other": Measured([300e-6])})
        row = product_runs.table([point], "sm_90a", "sm_80").splitlines()[2]
        # 137.44 GFLOP in 180 us are 763.5 TFLOP/s; 180 / 300 is 0.6, 200 / 300 0.667, 330 / 300 1.1.
        self.assertEqual([cell.strip() for cell in row.split("|")[2:13]],
                         ["763.5", "687.2", "458.1", "0.0 %", "0.600", "0.667", "416.5", "458.1", "1.100", "fsm sm_90a quick", "4"])

        none = product_runs.table([Point("p", 1, 2, {"cublas": Measured([1.0])})], "sm_90a")
        self.assertIn("none is right", none)
        product = products.Product("f16", 100, 130, 70, 1)
        tile = product.tiles("sm_80")[0]
        self.assertEqual((product.operations, product.programs(tile)), (1820000, 2))
        self.assertEqual(tile.arguments, ("f16[13100]", "f16[7100]", "f16[9170]", "100", "130", "70", "131", "71", "131"))

    def test_sanitizer_reports(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("memcheck-1", "ERROR SUMMARY: 0 errors"), ("memcheck-2", "ERROR SUMMARY: 3 errors"),
                               ("racecheck-1", "RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)"),
                               ("synccheck-1", "Target application terminated")):
                (Path(folder) / f"{name}.txt").write_text(f"========= {text}\n")
            counts = gpu_tests.count_reports(folder)
            reported = [(tool, reports) for tool, _, reports in gpu_tests.sanitizer_logs(folder) if reports != 0]
        self.assertEqual(reported, [("memcheck", 3), ("racecheck", 2), ("synccheck", None)])
        self.assertEqual(counts["memcheck"], {"processes": 2, "without_summary": 0, "reports": 3})
        self.assertEqual(counts["racecheck"]["reports"], 2)
        self.assertEqual(counts["synccheck"], {"processes": 0, "without_summary": 1, "reports": 0})
        self.assertEqual(counts["initcheck"]["processes"], 0)

    def test_a_test_that_fails_or_hangs(self):
        failing = gpu_tests.perform(gpu_tests.Test("f", ["sh", "-c", "echo FAIL it; exit 1"]), time.monotonic() + 60, None)
        self.assertEqual((failing.passed, failing.failures), (False, ["it"]))

        hanging = gpu_tests.perform(gpu_tests.Test("h", ["sleep", "60"]), time.monotonic() + 0.2, None)
        self.assertEqual((hanging.passed, hanging.failures[0]), (False, "it did not end in time"))
        late = gpu_tests.perform(gpu_tests.Test("l", ["true"]), time.monotonic() - 1, None)
        self.assertEqual(late.failures, ["no time was left to run it"])


if __name__ == "__main__":
    unittest.main()
