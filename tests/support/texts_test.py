#!/usr/bin/env python3
"""What scripts/words and scripts/sentences take for text."""

import unittest

import texts

PAGE = """# A title with words

A paragraph of two
lines, with `code` and [a link](other.md#there). A second sentence.

- the first of two items
- the second of two items

| Name | What it does here |
|---|---|
| `--all` | shows all of the rows |

```
this isn't text for anybody
```
"""
SOURCE = r'''#include "a/b.h"
// Opens the file
// that is named.
Error error(int n) { return fail("cannot open the "
    "file \"%d\"", n); }  /* Not one word more. */
const char* kKey = "key"; const char kRaw[] = R"(a raw text of words)"; char quote = '"';
const char* kPath = "Software\\Some Key\\With Words"; const char* kJson = R"({"a": "some words of it"})";
'''


class Texts(unittest.TestCase):
    def test_a_document_is_its_paragraphs_items_and_cells(self):
        self.assertEqual([text for _, _, text in texts.texts({"docs/a.md": PAGE})],
                         ["A title with words", "A paragraph of two lines, with `code` and a link. A second sentence.",
                          "the first of two items", "the second of two items", "What it does here", "shows all of the rows"])

    def test_a_source_is_its_literals_and_comments(self):
        self.assertEqual([(kind, text) for kind, _, text in texts.texts({"service/commands/a.cc": SOURCE})],
                         [("help", 'cannot open the file "%d"'), ("help", "a raw text of words"),
                          ("comment", "Opens the file that is named."), ("comment", "Not one word more.")])

    def test_where_it_stands_is_its_kind(self):
        self.assertEqual([texts.kind_of(name) for name in ("exporter/text/own_metrics.cc", "service/log/logging.cc", "config/config.cc")],
                         ["HELP", "log", "error"])

    def test_what_a_program_writes_is_left_out(self):
        self.assertEqual(list(texts.texts({"docs/metric-list.md": PAGE, "tests/a.cc": SOURCE})), [])

    def test_a_text_is_its_sentences(self):
        self.assertEqual(texts.sentences("One of the sentences. `Another` of the sentences!\nNo more of 5.3 e.g. this"),
                         ["One of the sentences.", "Another of the sentences!", "No more of 5.3 e.g. this"])


if __name__ == "__main__":
    unittest.main()
