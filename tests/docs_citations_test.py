#!/usr/bin/env python3
"""The sections of documents that comments and other documents cite by their titles exist.

    docs_citations_test.py SOURCE_DIRECTORY [unittest arguments]

A citation is: docs/x.md, "A" and "B"; or: "A" in docs/x.md. The class SelfTest looks for citations in made-up texts.
"""

import pathlib
import posixpath
import re
import sys
import unittest

from markdown_pages import headings
from repository_files import file_names

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

# The texts of this file are citations that lead nowhere.
READ = re.compile(r"(?!tests/docs_citations_test)"
                  r"(.*\.(md|h|cc|c|rc|inc|in|py|cmake|wxs|mc|yaml)|(.*/)?CMakeLists\.txt|scripts/.*)")

TITLE = r'"[A-Z][^"\n]*"'
TITLES = rf"{TITLE}(?:(?:,| and|, and) {TITLE})*"
PAGE = r"[\w./-]+\.md"
CITATION = re.compile(rf"(?P<page>{PAGE})[`)\]]*,? (?P<titles>{TITLES})|"
                      rf"(?P<before>{TITLES}) (?:in|of) [`\[]*(?P<after>{PAGE})")
# A citation may go on in the next line, of a comment or of a paragraph.
LINE_BREAK = re.compile(r"\n[ \t]*(?://|#|\*)?[ \t]*")


def citations(text):
    """(page, title) of each section that the text cites."""
    for match in CITATION.finditer(LINE_BREAK.sub(" ", text)):
        for title in re.findall(TITLE, match["titles"] or match["before"]):
            yield match["page"] or match["after"], title.strip('"').rstrip(".,")


def missing_sections(texts):
    """Of `texts`, which are documents and sources by name."""
    found = []
    for name, text in sorted(texts.items()):
        for page, title in citations(text):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(name), page))
            there = next((path for path in (page, beside) if path in texts), None)
            if there is None:
                found.append(f"{name}: there is no {page}, whose section \"{title}\" is cited")
            elif title not in (heading.replace("`", "") for _, heading in headings(texts[there])):
                found.append(f"{name}: {there} has no section \"{title}\"")
    return found


class Citations(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in file_names(ROOT) if READ.fullmatch(name)}

    def test_there_is_something_to_check(self):
        cited = {name: len(list(citations(text))) for name, text in self.texts.items()}
        self.assertGreater(sum(count for name, count in cited.items() if name.endswith(".md")), 3)
        self.assertGreater(sum(count for name, count in cited.items() if name.endswith(".h")), 10)

    def test_cited_sections_exist(self):
        self.assertEqual(missing_sections(self.texts), [])


class SelfTest(unittest.TestCase):
    PAGE = "# Names\n\n## Labels\n\n### What `install` sets\n\n```\n## Counts\n```\n"

    def findings(self, text, name="a/b.h"):
        return missing_sections({"docs/x.md": self.PAGE, name: text})

    def test_sections_that_exist(self):
        for text in ('// Source: docs/x.md, "Labels".', '// Source: "Labels" in `docs/x.md`; Learn, "Values".',
                     '// docs/x.md, "What install sets"', '// See docs/x.md,\n  // "Labels" and\n  // "Names".'):
            self.assertEqual(self.findings(text), [], text)
        self.assertEqual(self.findings('"Labels" in [x](x.md), "Names" in `x.md`', "docs/y.md"), [])

    def test_sections_that_are_missing(self):
        for text, title in (('// Source: docs/x.md, "Values".', "Values"), ('# "Values" in docs/x.md', "Values"),
                            ('// See docs/x.md,\n  // "Labels" and "Values".', "Values"),
                            ('// Inside a fence: docs/x.md, "Counts"', "Counts")):
            self.assertEqual(self.findings(text), [f'a/b.h: docs/x.md has no section "{title}"'], text)
        self.assertEqual(self.findings('See "Values" in `x.md`.', "docs/y.md"),
                         ['docs/y.md: docs/x.md has no section "Values"'])

    def test_a_page_that_is_missing(self):
        self.assertEqual(self.findings('// docs/z.md, "Labels"'),
                         ['a/b.h: there is no docs/z.md, whose section "Labels" is cited'])


if __name__ == "__main__":
    unittest.main()
