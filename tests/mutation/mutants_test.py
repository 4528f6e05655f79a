#!/usr/bin/env python3
"""Tests which changes of a source scripts/mutate makes, and that the list of equivalent ones is up to date."""

import pathlib
import sys
import unittest

import mutants

ROOT = pathlib.Path(sys.argv.pop(1))


def changes(text, kind=None):
    """Returns the changed texts."""
    return [mutant.applied(text) for mutant in mutants.mutants(text) if kind in (None, mutant.kind)]


class Kinds(unittest.TestCase):
    def test_boundaries(self):
        self.assertEqual(changes("if (a < b) return;", "boundary"), ["if (a <= b) return;"])
        self.assertEqual(changes("x = a >= b;", "boundary"), ["x = a > b;"])
        self.assertEqual(changes("std::vector<int> a; b->c(); a << b; a <=> b;", "boundary"), [])

    def test_comparisons(self):
        self.assertEqual(changes("x = a == b || c != d;", "comparison"), ["x = a != b || c != d;", "x = a == b || c == d;"])

    def test_one_condition_is_dropped(self):
        self.assertEqual(changes("if (a && b(c, d) && e) return;", "dropped condition"),
                         ["if (b(c, d) && e) return;", "if (a && e) return;", "if (a && e) return;",
                          "if (a && b(c, d)) return;"])
        self.assertEqual(changes("return a ||\n       b;", "dropped condition"), ["return b;", "return a;"])
        self.assertEqual(changes("x = (a && b) || c;", "dropped condition"),
                         ["x = c;", "x = (b) || c;", "x = (a) || c;", "x = (a && b);"])

    def test_a_condition_is_ignored(self):
        self.assertEqual(changes("if (a.b(c)) return;", "ignored condition"), ["if (false && (a.b(c))) return;"])
        self.assertEqual(changes("if (const auto a = b) c();", "ignored condition"), [])
        self.assertEqual(changes("if constexpr (a) b();", "ignored condition"), [])

    def test_a_statement_is_ignored(self):
        self.assertEqual(changes("{\n  a.b = c;\n}\n", "ignored statement"), ["{\n  ;\n}\n"])
        self.assertEqual(changes("{\n  a->b(c,\n       d);\n}\n", "ignored statement"), ["{\n  ;\n}\n"])
        self.assertEqual(changes("{\n  if (x(y)) ++z, a[i] += 2;\n}\n", "ignored statement"), [])
        self.assertEqual(changes("{\n  if (x(y)) a[i] += 2;\n}\n", "ignored statement"), ["{\n  if (x(y)) ;\n}\n"])

    def test_what_makes_no_difference_but_in_costs_stays(self):
        self.assertEqual(changes("{\n  a.reserve(b);\n}\n", "ignored statement"), [])

    def test_declarations_and_jumps_are_no_statements_to_ignore(self):
        for line in ("int a = b;", "const auto c = d(e);", "return a;", "continue;", "using a::b;", "std::string a(b);",
                     "static_assert(a);"):
            self.assertEqual(changes("{\n  " + line + "\n}\n", "ignored statement"), [], line)

    def test_numbers(self):
        self.assertEqual(changes("a = 10;", "other number"), ["a = 11;"])
        self.assertEqual(changes("a = 1'000u;", "other number"), ["a = 1001u;"])
        self.assertEqual(changes("a = b / 1e7;", "other number"), ["a = b / 1e6;"])
        self.assertEqual(changes("a = 0xFE;", "other number"), ["a = 0xFF;"])
        self.assertEqual(changes("a1 = u8(x2);", "other number"), [])

    def test_arithmetic(self):
        self.assertEqual(changes("a = b + c;", "arithmetic"), ["a = b - c;"])
        self.assertEqual(changes("a = b / 2;", "arithmetic"), ["a = b * 2;"])
        self.assertEqual(changes("a += b;", "arithmetic"), ["a -= b;"])
        self.assertEqual(changes('a = "x" + b; const int* c = &d;', "arithmetic"), [])

    def test_truth_and_extremes(self):
        self.assertEqual(changes("return true;", "truth"), ["return false;"])
        self.assertEqual(changes("if (!a) b();", "truth"), ["if (a) b();"])
        self.assertEqual(changes("a = std::min(b, c);", "minimum, maximum"), ["a = std::max(b, c);"])


class Code(unittest.TestCase):
    def test_comments_texts_and_preprocessor_are_no_code(self):
        self.assertEqual(changes("// a < b && true\n/* 1 == 2 */ int x = f(\"a < b\", 'x', R\"(1 < 2)\");\n"
                                 "#if A == 1\n#endif\n"), [])

    def test_separators_in_numbers_begin_no_character(self):
        self.assertEqual(changes("a = 10'000 < b'c;", "boundary"), ["a = 10'000 <= b'c;"])

    def test_a_change_is_named_without_its_line(self):
        text = "f();\nif (a <\n    b)  // why\n  return;\n"
        mutant = next(one for one in mutants.mutants("x;\n" + text) if one.kind == "ignored condition")
        self.assertEqual(mutant.key("x;\n" + text), "if (a < b) return => if (false && (a < b)) return")


    def test_equal_changes_are_numbered(self):
        text = "a = b < c;\na = b < c;\n"
        self.assertEqual([one.key(text) for one in mutants.mutants(text) if one.kind == "boundary"],
                         ["a = b < c => a = b <= c", "a = b < c => a = b <= c (the same, number 2)"])


class Equivalent(unittest.TestCase):
    def test_each_is_a_mutant_of_its_file_and_has_a_reason(self):
        known = {}
        for (file, change), reason in mutants.equivalent((ROOT / "tests/mutation/equivalent.txt").read_text()).items():
            self.assertTrue(reason.strip(), change)
            if file not in known:
                text = (ROOT / file).read_text()
                known[file] = {mutant.key(text) for mutant in mutants.mutants(text)}
            self.assertIn(change, known[file], f"{file} has changed: correct or remove this entry")


if __name__ == "__main__":
    unittest.main()
