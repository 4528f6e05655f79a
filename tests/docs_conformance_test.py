#!/usr/bin/env python3
"""docs/conformance.md names every statement of the documents once, and files, functions and tests that exist. What breaks
statements, in tests/mutation/conformance.txt, still fits the sources.

    docs_conformance_test.py SOURCE_DIRECTORY [unittest arguments]

A table has the columns id, statement, class, where and test, in any order. In `where`, what is between
backquotes is a file, or something that one of the row's files mentions; what stands right behind a file, or before "in" and
a file, is in that one. In `test` it is a test: `Suite.Case` of GoogleTest, or `script.Class.test_name`.
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
for folder in ("support", "mutation"):
    sys.path.insert(0, str(ROOT / "tests" / folder))

import breakages  # noqa: E402
from conformance_page import QUOTED, rows, test_files, tests_of  # noqa: E402

# How many statements each document has.
STATEMENTS = {"S000": 11, "S001": 71, "S002": 25, "S003": 34, "S004": 38}

TESTED = ("product", "test machinery")
REASONED = ("not applicable: ", "not done: ")
# Of these, each statement that applies is broken by a change.
BROKEN = ("S000", "S003", "S004")

# `one`, `other` and `third` in `file`, or `file` `one`, `other`: names and their file.
NAMES_IN_FILE = re.compile(r"((?:`[^`/]+`(?:, | and )?)+),? in (?:`[^`/]+` of )?`([^`]+/[^`]+)`")
FILE_WITH_NAMES = re.compile(r"`([^`]+/[^`]+)` ((?:`[^`/]+`(?:, )?)+)")


def is_path(text):
    return "/" in text


def mentions(text, name):
    return re.search(rf"(?<![\w~]){re.escape(name.split('::')[-1].removesuffix('()'))}(?!\w)", text) is not None


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


class Conformance(unittest.TestCase):
    def test_every_statement_has_one_row(self):
        expected = [f"{document}-{number}" for document, count in STATEMENTS.items()
                    for number in range(1, count + 1)]
        self.assertEqual(sorted(row["id"] for row in rows()), sorted(expected))

    def test_statements_and_places_are_filled_in(self):
        for row in rows():
            with self.subTest(row["id"]):
                self.assertGreater(len(row["statement"]), 10)
                self.assertNotEqual(row["where"], "")

    def test_classes_are_known_and_have_what_they_need(self):
        for row in rows():
            with self.subTest(row["id"]):
                if row["class"] in TESTED:
                    self.assertTrue(QUOTED.search(row["test"]), "no test")
                    self.assertTrue(any(is_path(name) for name in QUOTED.findall(row["where"])), "no file")
                else:
                    reason = next((row["class"].removeprefix(kind) for kind in REASONED
                                   if row["class"].startswith(kind)), "")
                    self.assertGreater(len(reason), 10, f"class '{row['class']}' has no reason")

    def test_what_is_not_done_is_about_remote_machines(self):
        for row in rows():
            if row["class"].startswith("not done"):
                self.assertIn("remote", row["class"], row["id"])

    def test_files_exist_and_mention_what_is_named_with_them(self):
        for row in rows():
            with self.subTest(row["id"]):
                names = QUOTED.findall(row["where"])
                files = [name for name in names if is_path(name)]
                self.assertEqual([name for name in files if not (ROOT / name).is_file()], [])
                text = "".join(read(name) for name in files)
                self.assertEqual([name for name in names if not is_path(name) and not mentions(text, name)], [],
                                 f"is not in {files}")

    def test_what_is_said_to_be_in_a_file_is_there(self):
        placed = [(row["id"], name, file) for row in rows()
                  for names, file in NAMES_IN_FILE.findall(row["where"]) +
                  [(names, file) for file, names in FILE_WITH_NAMES.findall(row["where"])]
                  for name in QUOTED.findall(names)]
        self.assertGreater(len(placed), 200)
        self.assertEqual([found for found in placed if not mentions(read(found[2]), found[1])], [])

    def test_tests_exist_by_their_whole_names(self):
        for row in rows():
            with self.subTest(row["id"]):
                self.assertEqual([name for name in tests_of(row) if name not in test_files()], [])

    def test_names_of_tests_can_be_told_apart(self):
        self.assertGreater(len(test_files()), 500)
        self.assertIn("docs_conformance_test.Conformance.test_tests_exist_by_their_whole_names", test_files())


class Breakages(unittest.TestCase):
    def setUp(self):
        self.all = breakages.breakages(breakages.TABLE.read_text(encoding="utf-8"))

    def test_each_changes_one_place_of_its_file(self):
        for breakage in self.all:
            with self.subTest(str(breakage)):
                text = read(breakage.file)
                self.assertNotEqual(breakage.applied(text), text)

    def test_each_breaks_a_statement_that_has_tests(self):
        tested = {row["id"] for row in rows() if row["class"] in TESTED}
        self.assertEqual([str(breakage) for breakage in self.all if breakage.row not in tested], [])

    def test_what_the_program_or_a_provider_does_is_broken_once_at_least(self):
        broken = {breakage.row for breakage in self.all}
        self.assertEqual([row["id"] for row in rows() if row["id"].split("-")[0] in BROKEN and row["class"] in TESTED
                          and row["id"] not in broken], [])

    def test_a_table_is_read_as_it_is_meant(self):
        one, other = breakages.breakages("# why\n\nS000-1: a/b.cc\n-  x;\n-  y;\n+  z;\n\nS001-2 under Wine: c.h\n-x\n")
        self.assertEqual(one, breakages.Breakage("S000-1", "a/b.cc", "  x;\n  y;", "  z;", False))
        self.assertEqual(other, breakages.Breakage("S001-2", "c.h", "x", "", True))
        self.assertEqual(one.applied("{\n  x;\n  y;\n}\n"), "{\n  z;\n}\n")
        for text in ("  x;\n", "  x;\n  y;\n  x;\n  y;\n"):
            with self.assertRaisesRegex(ValueError, "not once"):
                one.applied(text)
        with self.assertRaisesRegex(ValueError, "neither"):
            breakages.breakages("S000-1: a.cc\nx\n")


if __name__ == "__main__":
    unittest.main()
