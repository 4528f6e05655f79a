"""Reads docs/conformance.md, and finds the tests that its rows name."""

import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = "conformance.md"

COLUMNS = ("id", "statement", "class", "where", "test")
QUOTED = re.compile(r"`([^`]+)`")
GTEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.M)


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


def tests_of(row):
    return QUOTED.findall(row["test"])


@functools.cache
def test_files():
    """The files of each test, by its name: Suite.Case of GoogleTest, script.Class.test_name of Python. The same suite may
    have one file for each system."""
    files = {}
    for path in sorted((ROOT / "tests").rglob("*")):
        if path.suffix == ".cc":
            for suite, case in GTEST.findall(path.read_text(encoding="utf-8")):
                files.setdefault(f"{suite}.{case}", []).append(path.relative_to(ROOT))
        elif path.suffix == ".py":
            inside = None
            for line in path.read_text(encoding="utf-8").splitlines():
                if found := re.match(r"class (\w+)", line):
                    inside = found[1]
                elif found := re.match(r"    def (test_\w+)\(", line):
                    files.setdefault(f"{path.stem}.{inside}.{found[1]}", []).append(path.relative_to(ROOT))
    return files
