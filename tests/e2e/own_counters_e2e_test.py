#!/usr/bin/env python3
"""The exporter's own counters under Wine: its extension DLL, registered with its own .ini, is read by Windows' function and by the
exporter itself. Where a helper publishes states in the place of the service, all values follow from a state's number."""

import json
import re
import unittest
import unittest.mock

from e2e_support import TESTS, WinePrefix, get, get_json, required, wait_until, windows_path

INI = TESTS.parent / "packaging/windows/counters/winperf_exporter_perf.ini"
FUNCTIONS = "OpenWinperfExporter,CollectWinperfExporter,CloseWinperfExporter"
EXPORTER, COUNTERSET = "winperf_exporter", "winperf_exporter counterset"
ROWS = 3
WORDS = 1 << 32  # counters of 4 bytes have the lower half of a value


class Table:
    """Which rows each object has: what the symbol file has between the objects."""

    def __init__(self):
        text = INI.with_suffix(".h").read_text()
        offsets = {int(offset): symbol for symbol, offset in re.findall(r"^#define (\w+) (\d+)$", text, re.MULTILINE)}
        names = [offsets[offset] for offset in sorted(offsets)]
        second = names.index("COUNTERSET")
        assert names[0] == "EXPORTER", names
        self.first_counter = {EXPORTER: 1, COUNTERSET: second + 1}
        self.counters = {EXPORTER: second - 1, COUNTERSET: len(names) - second - 1}


TABLE = Table()


def expected(name, row, number, instance):
    """Returns the value of a counter, by the number of its row (tests/exporter/counters/section_builder.h)."""
    if name == EXPORTER:
        return number if row == 0 else number * 1000 + row
    return number * 100 + instance * 20 + row


class Registered(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = cls.enterClassContext(WinePrefix())
        result = cls.prefix.register("--functions", FUNCTIONS, "--events", ini=INI, dll=required("WINPERF_PERF_DLL"))
        if result.code != 0:
            raise AssertionError(f"the registration failed: {result.errors}")
        cls.names = cls.prefix.table()
        cls.index = {name: index for index, name in sorted(cls.names.items(), reverse=True)}
        cls.executable = windows_path(required("WINPERF_EXPORTER"))

    def exporter(self, *arguments, config=None):
        path = self.prefix.folder / "own.yaml"
        path.write_text(json.dumps({"path": "registry", **(config or {})}))
        return self.prefix.run(self.executable, *arguments, "--config", windows_path(path))

    def start_exporter(self, **config):
        """Returns its address once it is ready."""
        path = self.prefix.folder / "run.yaml"
        path.write_text(json.dumps({"path": "registry", "interval": "1s", "countersets": [EXPORTER, COUNTERSET], **config}))
        self.running = self.prefix.start(self.executable, "run", "--config", windows_path(path), "--listen", "127.0.0.1:0")
        self.addCleanup(self.running.stop)
        url = self.running.wait_for_line(r"listening on (http://127\.0\.0\.1:\d+)")[1]
        wait_until(lambda: get(url + "/-/ready")[0] == 200, "the exporter is ready")
        return url

    def row_of(self, name, counter_index):
        """Returns the row of a counter by its title index."""
        return (counter_index - self.index[EXPORTER]) // 2 - TABLE.first_counter[name]

    def read(self, value_name):
        """Returns what Windows' function reads, by object name, row and ordinal of the instance, and the names of instances."""
        found, instances = {}, set()
        for (index, counter, _, ordinal, instance), value in self.prefix.read_registry(value_name).items():
            name = self.names[index]
            if name in (EXPORTER, COUNTERSET):
                found[name, self.row_of(name, counter), ordinal] = value
                if name == COUNTERSET:
                    instances.add(instance)
        return found, instances


class Service(Registered):
    """The exporter itself publishes."""

    def test_the_exporter_is_read_while_it_runs_and_absent_before_and_after(self):
        self.assertEqual(self.read("Global")[0], {})
        url = self.start_exporter()
        numbers = []

        def published():
            values, instances = self.read("Global")
            if instances:
                self.assertEqual(instances, {EXPORTER, COUNTERSET}, "instances have the countersets' names")
                numbers.append(values[EXPORTER, 0, None])
            return len(set(numbers)) > 1
        wait_until(published, "states follow one another")
        self.assertEqual(numbers, sorted(numbers))
        # It samples itself, too, as the only countersets that it has.
        document = wait_until(lambda: next((d for d in [get_json(url + "/api/v1/sample")] if len(d["countersets"]) == 2), None),
                              "both countersets are sampled")
        own = {(value["object"], value["counter"], value["instance"]): value["raw"]
               for counterset in document["countersets"] for value in counterset["values"]}
        self.assertGreater(own[EXPORTER, "State Number", ""], 0)
        self.assertIn((COUNTERSET, "State", EXPORTER), own)
        self.running.stop()
        wait_until(lambda: self.read("Global")[0] == {}, "the DLL sees that the exporter has ended")


class OwnCounters(Registered):
    """A helper publishes."""

    def setUp(self):
        self.writer = self.prefix.start(windows_path(required("WINPERF_SECTION_WRITER")), str(ROWS), "50")
        self.addCleanup(self.writer.stop)
        self.writer.wait_for_line("^publishing")

    def assert_one_state(self, values):
        """`values`: as read() returns them. Returns the state's number."""
        number = values[EXPORTER, 0, None]
        self.assertGreater(number, 0)
        keys = {(EXPORTER, row, None) for row in range(TABLE.counters[EXPORTER])}
        keys |= {(COUNTERSET, row, ordinal) for row in range(TABLE.counters[COUNTERSET]) for ordinal in range(ROWS)}
        self.assertEqual(set(values), keys)
        for (name, row, ordinal), value in values.items():
            self.assertEqual(value % WORDS, expected(name, row, number, ordinal) % WORDS, (name, row, ordinal, number))
        return number

    def test_windows_reads_one_whole_state(self):
        both = f"{self.index[EXPORTER]} {self.index[COUNTERSET]}"
        numbers = []
        for value_name in ("Global", "OLD_Global", both):
            values, instances = self.read(value_name)
            numbers.append(self.assert_one_state(values))
            self.assertEqual(instances, {"Set a 000", "Set bb 001", "Set ccc 002"})
        self.assertEqual(numbers, sorted(numbers))
        alone, _ = self.read(str(self.index[COUNTERSET]))
        self.assertEqual({key[0] for key in alone}, {COUNTERSET})

    def test_there_are_no_objects_without_the_service(self):
        self.writer.stop()
        wait_until(lambda: self.read("Global")[0] == {}, "the DLL sees that the service has ended")
        result = self.exporter("query", EXPORTER)
        self.assertEqual(result.code, 1)
        self.assertIn(EXPORTER, result.errors)

    def test_trouble_that_lasts_is_one_event(self):
        key = r"HKLM\System\CurrentControlSet\Services\winperf_exporter\Performance"
        self.prefix.write_registry("delete", key, "/v", "First Help", "/f")
        self.addCleanup(self.prefix.write_registry, "add", key, "/v", "First Help", "/t", "REG_DWORD", "/d",
                        str(self.index[EXPORTER] + 1), "/f")
        # Wine prints the insertions of an event in its debug messages.
        environment = dict(self.prefix.environment, WINEDEBUG="-all,err+eventlog,warn+eventlog")
        with unittest.mock.patch.object(self.prefix, "environment", environment):
            result = self.prefix.run(windows_path(required("WINPERF_REGREAD")), "Global", "20", seconds=300)
        self.assertEqual((result.code, result.output), (0, ""))
        self.assertEqual(re.findall(r'(?:err|warn):eventlog:\w+ L"(.*)"', result.errors), ["2"], result.errors)

    def test_it_passes_the_trial_of_providers(self):
        result = self.exporter("providers", "winperf_exporter", "--try", "--format", "json")
        self.assertEqual((result.code, result.errors), (0, ""))
        provider, = json.loads(result.output)["providers"]
        self.assertEqual((provider["state"], provider["error"], provider["bits"]), ("works", None, 64))
        self.assertEqual({entry["name"] for entry in provider["countersets"]}, {EXPORTER, COUNTERSET})

    def sampled(self, values):
        """Returns raw values of a JSON document as assert_one_state() takes them. Bases aren't values of their own there."""
        found = {}
        for value in values:
            row = self.row_of(value["object"], self.index_of(value["object"], value["counter"]))
            found[value["object"], row, value["instance_ordinal"]] = value["raw"]
            if value.get("base") is not None:
                found[value["object"], row + 1, value["instance_ordinal"]] = value["base"]
        return found

    def index_of(self, name, counter):
        first = self.index[EXPORTER] + 2 * TABLE.first_counter[name]
        return next(index for index in range(first, first + 2 * TABLE.counters[name], 2) if self.names[index] == counter)

    def test_the_exporter_queries_itself(self):
        for isolation in ("registry", "hosts"):
            result = self.exporter("query", EXPORTER, COUNTERSET, "--format", "json", config={"workers": {"isolation": isolation}})
            self.assertEqual((result.code, result.errors), (0, ""))
            values = json.loads(result.output.splitlines()[-1])["values"]
            found = self.sampled(values)
            number = found[EXPORTER, 0, None]
            self.assertGreater(number, 0)
            self.assertEqual({key[0] for key in found}, {EXPORTER, COUNTERSET})
            for (name, row, ordinal), value in found.items():
                self.assertEqual(value % WORDS, expected(name, row, number, ordinal) % WORDS, (isolation, name, row, ordinal))
            self.assertEqual({value["instance"] for value in values if value["object"] == COUNTERSET},
                             {"Set a 000", "Set bb 001", "Set ccc 002"})

    def test_the_exporter_samples_itself(self):
        url = self.start_exporter(own_counters="none")
        document = wait_until(lambda: next((d for d in [get_json(url + "/api/v1/sample")] if len(d["countersets"]) == 2), None),
                              "both countersets are sampled")
        found = self.sampled([value for counterset in document["countersets"] for value in counterset["values"]])
        number = found[EXPORTER, 0, None]
        for (name, row, ordinal), value in found.items():
            if name == EXPORTER:
                self.assertEqual(value % WORDS, expected(name, row, number, ordinal) % WORDS, (name, row))
        page = get(url + "/metrics")[1]
        self.assertRegex(page, r"(?m)^\w*state_number\w* \d")
        self.assertRegex(page, r'(?m)^\w+\{[^}]*"Set bb 001"[^}]*\} \d')


if __name__ == "__main__":
    unittest.main()
