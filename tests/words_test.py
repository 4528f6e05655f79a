#!/usr/bin/env python3
"""Words that never belong in what users read: words_test.py SOURCE_DIRECTORY. docs/style.md says what to write instead."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests")]
import texts
from repository_files import file_names

MESSAGES = ("help", "HELP", "error", "log", "alert")
# In messages and documents alike.
NEVER = (r"nobody|somebody|no one|whoever|of (?:its|their|his) own|(?:stand|stands|stood) for|(?:go|goes|going|went) on|in vain|for ever"
         r"|as it were|given up|a look for|last look|(?:is|are) told by|besides|what (?:it|the machine) has")
CONTRACTION = r"\w+n't|(?:it|that|there|what|who)'s (?:a|an|the|not|no)\b"
# The file and the words that are right there.
RIGHT = {
    ("docs/style.md", "*"),  # names them
}


def found(pattern, kinds):
    expression = re.compile(rf"\b(?:{pattern})\b", re.I)
    files = {name: (ROOT / name).read_text(errors="replace") for name in file_names(ROOT)
             if name.endswith((".md", ".cc", ".h", ".inc", ".mc", ".yml"))}
    for kind, name, text in texts.texts(files):
        if kind in kinds and (name, "*") not in RIGHT:
            for match in expression.finditer(text):
                if (name, match[0].lower()) not in RIGHT:
                    yield f"{name} ({kind}): {match[0]}: {text[:120]}"


class Words(unittest.TestCase):
    def test_none_is_there_that_never_belongs(self):
        self.assertEqual(list(found(NEVER, (*MESSAGES, "docs"))), [])

    def test_messages_have_no_contractions(self):
        self.assertEqual(list(found(CONTRACTION, MESSAGES)), [])

    def test_such_words_are_found(self):
        expression = re.compile(rf"\b(?:{NEVER})\b", re.I)
        for text in ("Nobody asks", "It goes on.", "has a thread of its own", "stands for a set"):
            self.assertRegex(text, expression)
        for text in ("Their own sense", "no onlooker", "the ongoing run"):
            self.assertNotRegex(text, expression)


if __name__ == "__main__":
    unittest.main()
