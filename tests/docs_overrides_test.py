#!/usr/bin/env python3
"""The table of docs/metrics.md, "Exceptions", has the rows of exporter/mapping/overrides.cc.

    docs_overrides_test.py SOURCE_DIRECTORY [unittest arguments]

Both are read as {(object, counter): correction}, with the correction in the words of the page. A row of the source in a
form that is not known here is an error. The class SelfTest spoils one thing of a made-up page or source.
"""

import pathlib
import re
import sys
import unittest

from markdown_pages import section

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = "docs/metrics.md"
SOURCE = "exporter/mapping/overrides.cc"

FIELD = re.compile(r'\.(\w+) = (?:"([^"]*)"|([\w.]+))')
# A function that makes a row from an object and a counter.
MAKER = re.compile(r"constexpr Override (\w+)\(std::string_view object, std::string_view counter\) \{\s*"
                   r"return \{\.object = object, \.counter = counter, ([^}]*)\};")
TABLE = re.compile(r"kOverrides\[\] = \{(.*?)\n\};", re.S)
ROW = re.compile(r'(?P<maker>\w+)\("(?P<object>[^"]*)", "(?P<counter>[^"]*)"\),|\{(?P<fields>[^{}]*)\},')


def fields_of(text):
    fields = {name: quoted or plain for name, quoted, plain in FIELD.findall(text)}
    if FIELD.sub("", text).strip(" ,\n"):
        raise AssertionError(f"{SOURCE} has fields in an unknown form: {text}")
    return fields


def correction(fields):
    """As the page says it: `counter`, or the unit, the factor and the words that replace the name's."""
    words = {"cumulative": "counter", "unit": "unit `{}`", "factor": "times {}", "stem": "words `{}`"}
    if unknown := fields.keys() - words.keys():
        raise AssertionError(f"{SOURCE} has fields that {PAGE} has no words for: {', '.join(sorted(unknown))}")
    return ", ".join(text.format(fields[name]) for name, text in words.items() if name in fields)


def without_duplicates(rows, place):
    found = {}
    for key, text in rows:
        if key in found:
            raise AssertionError(f"{place} has two rows for {key}")
        found[key] = text
    return found


def rows_of_source(text):
    makers = {name: fields_of(fields) for name, fields in MAKER.findall(text)}
    table = re.sub(r"//.*", "", TABLE.search(text)[1])
    if rest := ROW.sub("", table).strip():
        raise AssertionError(f"{SOURCE} has a row in an unknown form: {rest}")
    rows = []
    for match in ROW.finditer(table):
        fields = fields_of(match["fields"] or "")
        if match["maker"]:
            fields = {"object": match["object"], "counter": match["counter"], **makers[match["maker"]]}
        rows.append(((fields.pop("object"), fields.pop("counter")), correction(fields)))
    return without_duplicates(rows, SOURCE)


def rows_of_page(text):
    """Each row has objects, their counters, and one correction for all of them."""
    rows = []
    for line in section(text, "Exceptions").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        objects, counters = (re.findall(r"`([^`]+)`", cell) for cell in (cells + [""])[:2])
        if line.startswith("| `") and len(cells) == 3:
            rows += [((name, counter), cells[2]) for name in objects for counter in counters]
    return without_duplicates(rows, PAGE)


class Overrides(unittest.TestCase):
    maxDiff = None

    def test_page_and_source_have_the_same_rows(self):
        source = rows_of_source((ROOT / SOURCE).read_text(encoding="utf-8"))
        self.assertGreater(len(source), 40)
        self.assertEqual(rows_of_page((ROOT / PAGE).read_text(encoding="utf-8")), source)


SOUND_SOURCE = """
constexpr Override grows(std::string_view object, std::string_view counter) {
  return {.object = object, .counter = counter, .cumulative = true};
}
constexpr Override kOverrides[] = {
    grows("IPv4", "Failures"),
    grows("IPv6", "Failures"),
    // The two
    {.object = "Memory",
     .counter = "KBytes",
     .stem = "kbytes",
     .unit = "bytes",
     .factor = 1024},
};
"""

SOUND_PAGE = """
## Exceptions

| object | counters | correction |
|---|---|---|
| `IPv4`, `IPv6` | `Failures` | counter |
| `Memory` | `KBytes` | unit `bytes`, times 1024, words `kbytes` |

## Labels
"""


class SelfTest(unittest.TestCase):
    SOUND = {("IPv4", "Failures"): "counter", ("IPv6", "Failures"): "counter",
             ("Memory", "KBytes"): "unit `bytes`, times 1024, words `kbytes`"}

    def spoiled(self, text, old, new):
        self.assertIn(old, text)
        return text.replace(old, new, 1)

    def test_sound_texts_agree(self):
        self.assertEqual(rows_of_source(SOUND_SOURCE), self.SOUND)
        self.assertEqual(rows_of_page(SOUND_PAGE), self.SOUND)

    def test_a_changed_row_differs(self):
        for old, new in (('"IPv6", "Failures"', '"IPv6", "Errors"'), ("1024", "1000"), ('"kbytes"', '"kib"'),
                         ('    grows("IPv6", "Failures"),\n', "")):
            self.assertNotEqual(rows_of_source(self.spoiled(SOUND_SOURCE, old, new)), self.SOUND, old)
        for old, new in ((", `IPv6`", ""), ("`Failures`", "`Errors`"), ("| counter |", "| gauge |"), ("times 1024, ", "")):
            self.assertNotEqual(rows_of_page(self.spoiled(SOUND_PAGE, old, new)), self.SOUND, old)

    def test_what_is_not_understood_is_an_error(self):
        for old, new, message in (('grows("IPv6", "Failures")', 'grows(kIp, "Failures")', "a row in an unknown form"),
                                  (".factor = 1024", ".factor = 2 * 512", "fields in an unknown form"),
                                  (".factor = 1024", ".offset = 1024", "no words for: offset"),
                                  ('"IPv6"', '"IPv4"', "two rows for")):
            with self.assertRaisesRegex(AssertionError, message):
                rows_of_source(self.spoiled(SOUND_SOURCE, old, new))
        with self.assertRaisesRegex(AssertionError, "two rows for"):
            rows_of_page(self.spoiled(SOUND_PAGE, "`IPv6`", "`IPv4`"))


if __name__ == "__main__":
    unittest.main()
