"""How the copy of a source holds its mutants, and what is made of results."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "dev"))
from mutating import report, table  # pylint: disable=wrong-import-position


def mutant(name, code, wrong, **others):
    return table.Mutant(name, "Loops", "a.cpp", code, wrong, True, "Nothing.", **others)


class Copies(unittest.TestCase):
    def test_a_value_is_compared(self):
        self.assertEqual(table.mutated("x = a + b;\n", [mutant("one", "x = @[a + b]@;", "a - b")]),
                         'x = ::fsm::mutants::value("one", [&] { return a + b; }, [&] { return a - b; });\n')

    def test_lines_keep_their_numbers(self):
        text = table.mutated("x = a +\n    b;\n", [mutant("one", "x = @[a +\n    b]@;", "a\n-\nb")])
        self.assertEqual(text.count("\n"), 2)

    def test_a_statement_is_chosen(self):
        self.assertEqual(table.mutated("f();\n", [mutant("one", "@[f();]@", "", kind="statement", when="y")]),
                         'if (::fsm::mutants::statement("one", [&] { return y; })) {  } else { f(); }\n')

    def test_one_lies_in_the_other(self):
        text = table.mutated("x = a + b;\n", [mutant("inner", "a + @[b]@;", "c"), mutant("outer", "x = @[a + b]@;", "0")])
        self.assertIn('value("outer", [&] { return a + ::fsm::mutants::value("inner"', text)

    def test_what_begins_with_an_operator_is_none(self):
        self.assertTrue(table.is_torn(mutant("one", "x = a @[> 0]@;", "!= 0")))
        self.assertFalse(table.is_torn(mutant("one", "x = @[a > 0]@;", "a != 0")))
        self.assertFalse(table.is_torn(mutant("one", "x = a && @[!b]@;", "b")))

    def test_two_of_the_same_expression(self):
        text = table.mutated("x = a;\n", [mutant("one", "x = @[a]@;", "1"), mutant("two", "x = @[a]@;", "2")])
        self.assertEqual(text.count("return a;"), 1)
        self.assertIn("return 1;", text)
        self.assertIn("return 2;", text)


class Known:
    """Results of one unit of each kind."""
    units = {"fuzz 0": {"generic": True, "reaches": ["one", "two"]}, "unit X": {"generic": False, "reaches": ["one"]}}
    mutants = {"one": {"reached": 1, "ran": 1, "own": {"unit": "unit X", "said": ""}},
               "two": {"reached": 1, "ran": 1, "generic": {"unit": "fuzz 0", "said": ""}},
               "three": {"reached": 0, "ran": 0}, "five": {"reached": 2, "ran": 1}}


class Reports(unittest.TestCase):
    def test_cells(self):
        cells = [report.cell(mutant(name, "", ""), Known) for name in ("one", "two", "three", "four", "five")]
        self.assertEqual(cells, ["(unit X)", "fuzz 0", "**nobody**, not reached", "not run", "**nobody** of 1 run"])

    def test_a_page_keeps_its_rows(self):
        judged = [mutant(name, "", "") for name in ("one", "two", "three", "four", "five")]
        nothing = report.markdown([], Known, Known)
        page = report.written_into("# A\n\n## The table\n", report.markdown(judged, Known, Known))

        class Kept:
            units, mutants = Known.units, report.kept(page)
        self.assertEqual(report.written_into(page, report.markdown(judged, Known, Kept)), page)
        self.assertEqual(sorted(Kept.mutants), ["five", "one", "three", "two"])
        self.assertEqual(report.kept(nothing), {})

    def test_what_nobody_notices_is_bad(self):
        judged = [mutant("one", "", ""), mutant("two", "", ""), mutant("three", "", "")]
        self.assertEqual(report.summary(judged, Known),
                         "3 mutants: generic tests reach 2 and notice 1, all tests notice 2")
        self.assertTrue(report.is_bad(judged, Known))
        self.assertFalse(report.is_bad(judged[1:2], Known))


if __name__ == "__main__":
    unittest.main()
