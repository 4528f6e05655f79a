#!/usr/bin/env python3
"""docs/conformance.md names every statement of the documents once, and files and tests that exist.

    docs_conformance_test.py SOURCE_DIRECTORY [unittest arguments]

A table has the columns id, statement, class, where and test, in any order. In `where`, what is between
backquotes is a file, or something that one of the row's files mentions. In `test` it is a test:
`Suite.Case` of GoogleTest, or `script.Class.test_name`; `Suite.*` is all of a suite.
"""

import fnmatch
import functools
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = "conformance.md"

# How many statements each document has.
STATEMENTS = {"S000": 11, "S001": 71, "S002": 25, "S003": 34, "S004": 38}

TESTED = ("product", "test machinery")
REASONED = ("not applicable: ", "not done: ")

GTEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.M)
QUOTED = re.compile(r"`([^`]+)`")
COLUMNS = ("id", "statement", "class", "where", "test")


def cells(line):
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


@functools.cache
def rows():
    """Every row of every table whose first columns are these, as {column: text}."""
    found = []
    header = None
    for line in (ROOT / "docs" / PAGE).read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            header = None
        elif header is None:
            header = [name.lower() for name in cells(line)]
        elif set(COLUMNS) <= set(header) and not re.fullmatch(r"[|\s:-]+", line):
            row = cells(line)
            if len(row) != len(header):
                raise AssertionError(f"{PAGE}: {len(row)} cells, not {len(header)}: {line}")
            found.append(dict(zip(header, row)))
    return found


@functools.cache
def test_names():
    """Suite.Case of every GoogleTest case, script.Class.test_name of every Python test."""
    names = set()
    for path in (ROOT / "tests").rglob("*"):
        if path.suffix == ".cc":
            names |= {f"{suite}.{case}" for suite, case in GTEST.findall(path.read_text(encoding="utf-8"))}
        elif path.suffix == ".py":
            inside = None
            for line in path.read_text(encoding="utf-8").splitlines():
                if found := re.match(r"class (\w+)", line):
                    inside = found[1]
                elif found := re.match(r"    def (test_\w+)\(", line):
                    names.add(f"{path.stem}.{inside}.{found[1]}")
    return names


def is_path(text):
    return "/" in text


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
                text = "".join((ROOT / name).read_text(encoding="utf-8") for name in files)
                unmentioned = [name for name in names if not is_path(name)
                               and name.split("::")[-1].removesuffix("()") not in text]
                self.assertEqual(unmentioned, [], f"is not in {files}")

    def test_tests_exist(self):
        for row in rows():
            with self.subTest(row["id"]):
                unknown = [name for name in QUOTED.findall(row["test"]) if not fnmatch.filter(test_names(), name)]
                self.assertEqual(unknown, [])

    def test_names_of_tests_can_be_told_apart(self):
        self.assertGreater(len(test_names()), 500)
        self.assertIn("docs_conformance_test.Conformance.test_tests_exist", test_names())


if __name__ == "__main__":
    unittest.main()
