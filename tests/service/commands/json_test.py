#!/usr/bin/env python3
"""docs/command-json.md has exactly the keys of the documents that commands print, with their types.

    json_test.py EXECUTABLE [unittest arguments]

EXECUTABLE runs on the simulated machine. `service status`, which needs Windows, is in service_test.cc.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together
from log_file import RAW, Log, listed, value, values

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/command-json.md"
PROCESSORS = "{b4fc721a-0378-476f-89ba-a5a79f810b36}"
DEADLINE_SECONDS = 60
ROW = re.compile(r"\| `([^`]+)` \| ([a-z ]+) \| ([^|]*)\| ?([^|]*) ?\|$")


def is_list_of(kind):
    return lambda found: isinstance(found, list) and all(isinstance(one, kind) for one in found)


TYPES = {
    "text": lambda found: isinstance(found, str),
    "integer": lambda found: type(found) is int,
    "number": lambda found: type(found) in (int, float),
    "boolean": lambda found: isinstance(found, bool),
    "texts": is_list_of(str),
    "entries": is_list_of(dict),
    "object": lambda found: isinstance(found, dict),
    "labels": lambda found: isinstance(found, dict) and is_list_of(str)(list(found.values())),
}
Key = collections.namedtuple("Key", "type is_optional")


def sections():
    """By command: the keys of its table, and its example."""
    found = {}
    for part in PAGE.read_text().split("\n## ")[1:]:
        name, _, text = part.partition("\n")
        rows = [line for line in text.splitlines() if line.startswith("| `")]
        example = re.search(r"(?s)```json\n(.*?)```", text)
        if rows:
            matched = [ROW.match(row) for row in rows]
            found[name] = ({row[1]: Key(row[2], row[4].startswith("only")) for row in matched}, json.loads(example[1]))
    return found


SECTIONS = sections()


def differences(keys, document, seen, path=""):
    """What the table doesn't have, or has otherwise. `seen`: gets the keys that are there."""
    prefix = f"{path}." if path else ""
    for name in document:
        key = keys.get(prefix + name)
        if key is None:
            yield f"{prefix}{name} is not on the page"
            continue
        seen.add(prefix + name)
        kind, _, null = key.type.partition(" or ")
        if not (TYPES[kind](document[name]) or null and document[name] is None):
            yield f"{prefix}{name} is {document[name]!r}, not {key.type}"
        elif kind == "entries" and document[name]:
            has_table = any(other.startswith(f"{prefix}{name}[].") for other in keys)
            for entry in document[name] if has_table else ():
                yield from differences(keys, entry, seen, f"{prefix}{name}[]")
        elif kind == "object" and document[name] is not None:
            yield from differences(keys, document[name], seen, prefix + name)
    for name, key in keys.items():
        is_child = name.startswith(prefix) and "." not in name.removeprefix(prefix)
        if is_child and not key.is_optional and name.removeprefix(prefix) not in document:
            yield f"{name} is missing"


class Documents(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, text, name="config.yaml"):
        (self.folder / name).write_text(text)
        return self.folder / name

    def two_machines(self):
        log = Log().counters(listed(("\\\\ONE", "Memory", None, "Available Bytes"), RAW),
                             listed(("\\\\TWO", "Process", "*", "Handle Count"), RAW),
                             listed(("\\\\TWO", "Thread", "0", "Thread State"), RAW, parent="a"))
        for number in (1, 2):
            log.sample(value(number), values([("a", number, 0)]), value(number))
        return "--source", f"blg:{log.write(self.folder / 'two.blg')}"

    def printed(self, *arguments, scenario="still", **variables):
        result = subprocess.run([EXECUTABLE, *arguments, "--format", "json"], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=DEADLINE_SECONDS,
                                env={**os.environ, "WINPERF_SIMULATOR": scenario, **variables})
        self.assertTrue(result.stdout, f"{arguments}: {result.stderr}")
        return result.stdout

    def compare(self, command, *documents, unseen=()):
        """All of its keys are in the documents, except those that are unseen, and no others."""
        keys, example = SECTIONS[command]
        self.assertEqual(list(differences({name: key._replace(is_optional=key.is_optional or command == "providers")
                                           for name, key in keys.items()}, example, set())), [], "in the example")
        seen = set()
        for document in (*documents, example):
            self.assertEqual(next(iter(document.items())), ("schema", 1))
        for document in documents:
            self.assertEqual(sorted(set(differences(keys, document, seen))), [])
        self.assertEqual(sorted(set(keys) - seen), list(unseen), "on the page, but in no document")

    def of(self, *arguments, **scenario):
        return json.loads(self.printed(*arguments, **scenario))

    def test_list(self):
        self.compare("list", self.of("list", "--instances"), self.of("list", *self.two_machines()))

    def test_metrics(self):
        self.compare("metrics", self.of("metrics", scenario="server"))

    def test_metrics_of_a_profile(self):
        self.compare("metrics --profile", self.of("metrics", "--profile", "windows_exporter"))

    def test_query(self):
        config = self.file(r"countersets: [{name: Process, instances: {labels: '(?<app>.*)'}}, Thread]")
        lines = [self.printed("query", *arguments, scenario=scenario).splitlines() for arguments, scenario in (
            (["--config", config], "server"), ([PROCESSORS, "--count", "2"], "still"),
            ([PROCESSORS, "--watch", "--count", "2"], "still"), (self.two_machines(), "still"))]
        self.assertEqual([len(of_one) for of_one in lines], [1, 2, 2, 2])
        self.compare("query", *(json.loads(line) for of_one in lines for line in of_one))

    def test_doctor(self):
        config = self.file(f"countersets: ['{PROCESSORS}', System, Geometric Waves]")
        self.compare("doctor", self.of("doctor", "--config", config, scenario="still; unload kcs"),
                     self.of("doctor", PROCESSORS, scenario="still; fail data 5 1000"), self.of("doctor", *self.two_machines()))

    def test_facts(self):
        self.compare("facts", self.of("facts", "services", "volumes", scenario="server"))

    def test_providers(self):
        self.compare("providers", self.of("providers", "--try"))

    def test_verify(self):
        # The simulated hosts never differ from the registry. own_counters_test.py has a page.
        self.compare("verify", self.of("verify", "--rounds", "1", scenario=f"still; lie perflib {PROCESSORS} 3 5 _Total"),
                     self.of("verify", "--hosts", "--rounds", "1"),
                     self.of("verify", "--with", "pdh", "--rounds", "1", "Every Type", "Nope", scenario="",
                             WINPERF_SIMULATOR_PDH="Every Type|COUNTER_BULK_COUNT|value_twice"),
                     unseen=["countersets[].differences[].hosts", "countersets[].differences[].page", "countersets[].page_error"])

    def test_check_config(self):
        config = self.file("{countersets: ['Nothing*', System, Absent, {name: '%s', instances: {max: 1, by: Interrupts/sec}}],"
                           " targets: [{host: srv-1, countersets: [Memory]}]}" % PROCESSORS)
        both = self.file("countersets: ['Process*']", "both.yaml")
        self.compare("check-config", self.of("check-config", config), self.of("check-config", config, "--file-alone"),
                     self.of("check-config", config, *self.two_machines()), self.of("check-config", both, scenario="server"))

    def test_the_page_has_every_command_with_json(self):
        helped = subprocess.run([EXECUTABLE, "help"], capture_output=True, text=True, check=True).stdout
        commands = re.findall(r"(?m)^  ([a-z][a-z-]*) ", helped)
        self.assertGreater(len(commands), 10)
        with_json = [command for command in commands if re.search(
            r"--format .*json", subprocess.run([EXECUTABLE, command, "--help"], capture_output=True, text=True).stdout)]
        self.assertEqual({name.split()[0] for name in SECTIONS} - {"service"}, set(with_json))


if __name__ == "__main__":
    unittest.main()
