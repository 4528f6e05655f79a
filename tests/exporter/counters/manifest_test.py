"""Compares winperf_exporter.man with the table of the exporter's own counters, and the string tables of the executable's resources
with both. WINPERF_UPDATE_FILES=1 writes the manifest's names and descriptions anew; the rest of it is written by hand.

Usage: manifest_test.py OWN_COUNTERS_DUMP SOURCE_DIRECTORY
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import xml.sax.saxutils

dump, root = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))

MANIFEST = root / "packaging/windows/counters/winperf_exporter.man"
EVENTS = "{http://schemas.microsoft.com/win/2004/08/events}"
COUNTERS = "{http://schemas.microsoft.com/win/2005/12/counters}"
LANGUAGES = {"0x09, 0x01": "english", "0x07, 0x01": "german", "0x0C, 0x01": "french"}
# The base that each type needs, by the schema's documentation.
BASES = {"perf_average_timer": "perf_average_base", "perf_average_bulk": "perf_average_base",
         "perf_sample_fraction": "perf_sample_base", "perf_large_raw_fraction": "perf_large_raw_base"}
CLOCK = {1000: "OBJECT_TIME", 1001: "OBJECT_FREQUENCY"}


def written(form):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, form)
        subprocess.run([dump, form, file], check=True)
        return file.read_text(encoding="utf-8")


def expected_counter(uri, row):
    """Returns the attributes of a counter, and the names of its counterAttributes."""
    attributes = {"id": str(row["id"]), "type": row["type_name"], "defaultScale": str(row["scale"]),
                  "detailLevel": {100: "standard", 200: "advanced"}[row["detail"]], "uri": f"{uri}.{row.get('symbol') or CLOCK[row['id']]}"}
    if "symbol" in row:
        attributes |= {"symbol": row["symbol"], "name": row["english"]["name"], "nameID": str(row["name_id"]),
                       "description": row["english"]["help"], "descriptionID": str(row["help_id"])}
    if "base" in row:
        attributes["baseID"] = str(row["base"])
    if "time" in row:
        attributes |= {"perfTimeID": str(row["time"]), "perfFreqID": str(row["frequency"])}
    return attributes, [name for name, key in (("reference", "reference"), ("noDisplay", "no_display")) if row[key]]


def with_texts(manifest, table):
    """Returns the text of the manifest with the names and descriptions of the table, found by the identifiers of strings."""
    for counterset in table["objects"]:
        for row in (counterset, *(counter for counter in counterset["counters"] if "name_id" in counter)):
            name, description = (xml.sax.saxutils.escape(row["english"][key], {'"': "&quot;"}) for key in ("name", "help"))
            pattern = rf'name="[^"]*" (nameID="{row["name_id"]}" descriptionID="{row["help_id"]}"\s+)description="[^"]*"'
            manifest = re.sub(pattern, lambda found: f'name="{name}" {found[1]}description="{description}"', manifest)
    return manifest


def strings_of(rc):
    """Returns the strings of each language by their ids."""
    found = {}
    for language, body in re.findall(r"^STRINGTABLE\nLANGUAGE ([^\n]*)\nBEGIN\n(.*?)^END\n", rc, re.M | re.S):
        texts = found[LANGUAGES[language]] = {}
        for line in body.splitlines():
            number, text = re.fullmatch(r'  (\d+) L"(.*)"', line).groups()
            assert number not in texts, number
            text = re.sub(r"\\x([0-9A-F]{4})", lambda unit: chr(int(unit[1], 16)), text)
            texts[int(number)] = text.replace('""', '"').replace("\\\\", "\\")
    return found


class Manifest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.table = json.loads(written("json"))
        if os.environ.get("WINPERF_UPDATE_FILES"):
            MANIFEST.write_text(with_texts(MANIFEST.read_text(encoding="utf-8"), cls.table), encoding="utf-8")
        cls.manifest = xml.etree.ElementTree.parse(MANIFEST).getroot()
        cls.provider = cls.manifest.find(f"{EVENTS}instrumentation/{COUNTERS}counters/{COUNTERS}provider")
        cls.sets = cls.provider.findall(f"{COUNTERS}counterSet")

    def test_frame(self):
        self.assertEqual(self.manifest.tag, EVENTS + "instrumentationManifest")
        counters = self.manifest.find(f"{EVENTS}instrumentation/{COUNTERS}counters")
        self.assertEqual(counters.attrib, {"schemaVersion": "2.0"})
        self.assertEqual(list(counters), [self.provider])
        executable = re.search(r"add_executable\((\w+) main\.cc\)", (root / "service/CMakeLists.txt").read_text())[1]
        self.assertEqual(self.provider.attrib, {
            "providerGuid": self.table["provider"], "providerName": "winperf_exporter", "symbol": "WINPERF_EXPORTER",
            "applicationIdentity": executable + ".exe", "providerType": "userMode", "callback": "custom"})

    def test_countersets(self):
        self.assertEqual([counterset.attrib for counterset in self.sets], [{
            "symbol": row["symbol"], "guid": row["guid"], "uri": f"winperf_exporter.{row['symbol']}", "instances": row["instances"],
            "name": row["english"]["name"], "nameID": str(row["name_id"]),
            "description": row["english"]["help"], "descriptionID": str(row["help_id"])} for row in self.table["objects"]])

    def test_counters(self):
        for counterset, row in zip(self.sets, self.table["objects"], strict=True):
            found = []
            for counter in counterset:
                self.assertEqual(counter.tag, COUNTERS + "counter")
                names = counter.findall(f"{COUNTERS}counterAttributes/{COUNTERS}counterAttribute")
                self.assertEqual(len(list(counter)), 1 if names else 0)
                found.append((counter.attrib, [name.attrib["name"] for name in names]))
            self.assertEqual(found, [expected_counter(counterset.attrib["uri"], counter) for counter in row["counters"]])

    def test_what_must_be_unique_is(self):
        for attribute in ("guid", "uri", "symbol", "nameID", "descriptionID"):
            values = [element.attrib[attribute] for element in self.provider.iter() if attribute in element.attrib]
            self.assertEqual(len(values), len(set(values)), attribute)
        texts = [element.attrib[name] for element in self.provider.iter() for name in ("nameID", "descriptionID") if name in element.attrib]
        self.assertEqual(len(texts), len(set(texts)))
        for counterset in self.sets:
            for attribute in ("id", "name"):
                values = [counter.attrib[attribute] for counter in counterset if attribute in counter.attrib]
                self.assertEqual(len(values), len(set(values)), attribute)

    def test_counters_that_need_others_have_them(self):
        for counterset in self.sets:
            types = {counter.attrib["id"]: counter.attrib["type"] for counter in counterset}
            for counter in counterset:
                kind = counter.attrib["type"]
                self.assertEqual(types.get(counter.attrib.get("baseID")), BASES.get(kind), counter.attrib["id"])
                for clock in ("perfTimeID", "perfFreqID"):
                    expected = "perf_counter_large_rawcount" if kind == "perf_elapsed_time" else None
                    self.assertEqual(types.get(counter.attrib.get(clock)), expected, counter.attrib["id"])

    def test_limits_of_the_schema(self):
        for element in self.provider.iter():
            self.assertLess(len(element.attrib.get("name", "")), 1024)
            self.assertRegex(element.attrib.get("symbol", "A"), r"^[_a-zA-Z][_0-9a-zA-Z]*$")
            self.assertIn(int(element.attrib.get("defaultScale", "0")), range(-10, 11))

    def test_guids_are_those_that_the_source_names(self):
        header = (root / "exporter/counters/v2_layout.h").read_text()
        named = re.findall(r"^// (\{[0-9a-f-]{36}\})$", header, re.M)
        self.assertEqual(named, [self.table["provider"], *(row["guid"] for row in self.table["objects"])])


class Strings(unittest.TestCase):
    def test_the_executable_has_all_texts(self):
        table = json.loads(written("json"))
        rc = written("rc")
        self.assertTrue(rc.isascii())
        rows = [row for counterset in table["objects"] for row in (counterset, *counterset["counters"]) if "name_id" in row]
        found = strings_of(rc)
        self.assertEqual(set(found), set(LANGUAGES.values()))
        for language, texts in found.items():
            expected = {}
            for row in rows:
                expected |= {row["name_id"]: row[language]["name"], row["help_id"]: row[language]["help"]}
            self.assertEqual(texts, expected)
            self.assertEqual(len(texts), 2 * len(rows))
            self.assertLess(max(len(text) for text in texts.values()), 4096, "what resource compilers take")


if __name__ == "__main__":
    unittest.main()
