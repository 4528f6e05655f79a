#!/usr/bin/env python3
"""Each limit is described once, in docs/limits.md: a page that says "not yet" or "untested" links to its entry there.

    docs_limits_test.py SOURCE_DIRECTORY [unittest arguments]
"""

import pathlib
import re
import sys
import unittest

from markdown_pages import split_fences
from repository_files import file_names

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
LIST = "docs/limits.md"
LINK = re.compile(r"\]\((?:\.\./)*(?:docs/)?limits\.md#[a-z0-9_-]+\)")

# How a page says that the program lacks something, or that a thing wasn't tried.
CLAIM = re.compile(
    r"\b(?:not|n't)\b[^.|]{0,40}\byet\b|\bno setting\b|\bnot (?:been )?tested\b|\buntested\b|\bstill (?:lacks|missing)\b"
    r"|\b(?:isn't|aren't|not) (?:implemented|supported yet|done)\b|\bnobody has\b|\bno one has\b",
    re.I,
)
# Sentences about a state of the machine or of a file rather than about the program.
ALLOWED = {
    "CHANGELOG.md": None,
    "docs/comparison.md": {"licence | none chosen yet", "real windows | **none yet**"},
    "docs/conformance.md": {"**not done** come with a reason"},
    "docs/counter-types.md": {"`pdhformatfromrawvalue` | is not implemented"},
}


def paragraphs(text):
    """Each paragraph, item of a list or row of a table, on one line."""
    lines = []
    for line in split_fences(text)[0].splitlines():
        starts_new = not line.strip() or re.match(r"\s*(?:[-*|#]|\d+\.)\s", line) or line.startswith("|")
        if starts_new or not lines:
            lines.append(line.strip())
        else:
            lines[-1] += " " + line.strip()
    return lines


def claims_without_a_link(name, text):
    allowed = ALLOWED.get(name, set())
    if allowed is None or name == LIST or name.startswith("docs/adr/"):
        return []
    return [
        f"{name}: {paragraph}"
        for paragraph in paragraphs(text)
        if CLAIM.search(paragraph) and not LINK.search(paragraph) and not any(words in paragraph.lower() for words in allowed)
    ]


class Documents(unittest.TestCase):
    maxDiff = None

    def test_limits_are_entries_of_one_list(self):
        found = []
        for name in file_names(ROOT):
            if name.endswith(".md"):
                found += claims_without_a_link(name, (ROOT / name).read_text(encoding="utf-8"))
        self.assertEqual(found, [])


class Windows(unittest.TestCase):
    def test_each_risk_names_checks_that_exist(self):
        listed = (ROOT / "service/selftest/CMakeLists.txt").read_text(encoding="utf-8")
        checks = set(re.search(r"set\(checks\n(.*?)\)", listed, re.S)[1].split())
        page = (ROOT / "docs/windows.md").read_text(encoding="utf-8")
        rows = [row.split(" | ") for row in re.findall(r"^\| (\d+ \| .*) \|$", page, re.M)]
        self.assertEqual([row[0] for row in rows], [str(number) for number in range(1, len(rows) + 1)])
        self.assertEqual({len(row) for row in rows}, {5})
        named = {check for row in rows for check in re.findall(r"`([^`]*)`", row[3])}
        self.assertGreater(len(named), 5)
        self.assertEqual(named - checks, set())


class SelfTest(unittest.TestCase):
    def test_a_claim_without_a_link_is_found(self):
        for claim in ("It has not been run on ARM yet.", "| a | no setting uses it |", "- This is untested.", "Nobody has tried it."):
            self.assertEqual(len(claims_without_a_link("docs/a.md", f"Text.\n\n{claim}\n")), 1, claim)

    def test_a_claim_with_a_link_or_outside_the_pages_is_right(self):
        self.assertEqual(claims_without_a_link("docs/a.md", "It is [untested](limits.md#real-windows).\n"), [])
        self.assertEqual(claims_without_a_link("docs/adr/0001.md", "It is untested.\n"), [])
        self.assertEqual(claims_without_a_link("docs/a.md", "```\nnot yet\n```\n"), [])

    def test_a_paragraph_of_several_lines_is_one(self):
        self.assertEqual(claims_without_a_link("docs/a.md", "It is\n[untested](limits.md#a)\nhere.\n"), [])


if __name__ == "__main__":
    unittest.main()
