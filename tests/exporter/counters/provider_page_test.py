#!/usr/bin/env python3
"""docs/writing-a-provider.md is about the code as it is: provider_page_test.py SOURCE_DIRECTORY

Its excerpts are in the files that it names, and its table has every statement of two documents, with functions that exist.
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tests/support"))

import conformance_page  # noqa: E402

PAGE = (ROOT / "docs/writing-a-provider.md").read_text(encoding="utf-8")
EXCERPT = re.compile(r"[Ff]rom\s+`([^`]+)`:\n\n```\w+\n(.*?)```", re.S)
ROW = re.compile(r"^\| (S\d{3}-\d+) \| (.*) \| (.*) \|$", re.M)


def read(name):
    data = (ROOT / name).read_bytes()
    return data.decode("utf-16" if data[:2] == b"\xff\xfe" else "utf-8").replace("\r\n", "\n")


class Excerpts(unittest.TestCase):
    def test_each_is_in_its_file(self):
        excerpts = EXCERPT.findall(PAGE)
        self.assertGreaterEqual(len(excerpts), 5)
        self.assertEqual([file for file, text in excerpts if text not in read(file)], [])

    def test_all_code_but_drawings_says_where_it_is_from(self):
        self.assertEqual(len(re.findall(r"^```\w+$", PAGE, re.M)), len(EXCERPT.findall(PAGE)))


class Statements(unittest.TestCase):
    def test_all_are_there_in_order(self):
        rows = [(row["id"], row["statement"]) for row in conformance_page.rows() if row["id"].startswith(("S000-", "S003-"))]
        self.assertEqual([(number, statement) for number, statement, _ in ROW.findall(PAGE)], rows)

    def test_files_have_the_names_that_are_said_to_be_in_them(self):
        for number, _, where in ROW.findall(PAGE):
            names = conformance_page.QUOTED.findall(where)
            files = [name for name in names if "/" in name]
            text = "".join(read(file) for file in files)
            with self.subTest(number):
                self.assertEqual([name for name in names if "/" not in name and files
                                  and not re.search(rf"(?<!\w){re.escape(name.split('::')[-1])}(?!\w)", text)], [])

    def test_each_is_done_somewhere_or_says_why_not(self):
        by_number = {number: where for number, _, where in ROW.findall(PAGE)}
        for number, where in by_number.items():
            with self.subTest(number):
                other = re.search(r"\bas (S\d{3}-\d+)", where)
                if other:
                    self.assertIn(other[1], by_number)
                else:
                    self.assertTrue("`" in where or len(where) > 12, where)


if __name__ == "__main__":
    unittest.main()
