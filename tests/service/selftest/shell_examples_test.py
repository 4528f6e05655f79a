#!/usr/bin/env python3
"""The selftest's list of examples for PowerShell is that of the documents.

    shell_examples_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import pathlib
import re
import sys
import textwrap
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
ROW = re.compile(r'WINPERF_SHELL_EXAMPLE\("([^"]+)", (\w+),\s+R"ps1\((.*?)\)ps1"\)', re.S)
BLOCK = re.compile(r"(?ms)^( *)```powershell\n(.*?)^\1```$")


class ShellExamples(unittest.TestCase):
    def test_rows_are_the_blocks_of_the_documents(self):
        rows = [(page, text) for page, _, text in ROW.findall((ROOT / "service/selftest/shell_examples.inc").read_text())]
        blocks = [(str(page.relative_to(ROOT)), textwrap.dedent(text))
                  for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
                  for _, text in BLOCK.findall(page.read_text())]
        self.assertGreater(len(blocks), 5)
        self.assertEqual(rows, blocks)

    def test_what_is_run_changes_nothing(self):
        for page, kind, text in ROW.findall((ROOT / "service/selftest/shell_examples.inc").read_text()):
            if kind in ("kServer", "kOwnCounters"):
                self.assertEqual(set(re.findall(r"\b(Set|New|Remove|Add|Enable|Disable|Start|Stop|Move|Copy|Install)-\w+", text)),
                                 set(), f"{page}: {text}")


if __name__ == "__main__":
    unittest.main()
