#!/usr/bin/env python3
"""Tests the Windows executable under Wine with a real V1 provider, real queries and a real Prometheus."""

import datetime
import json
import os
import re
import signal
import subprocess
import time
import unittest
import zipfile

from e2e_support import (WinePrefix, get, get_json, query_prometheus, required, start_prometheus, tool,
                         wait_until, windows_path)

PERFLIB = r"HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib"
OBJECTS = ("System", "Processor", "Memory", "Process")
CONFIG = """{
  // One second is the shortest possible interval.
  interval: "1s",
  countersets: ["System", "Processor", "Memory", {name: "Process", interval: "1s"}],
  metrics: {profiles: ["winperf", "windows_exporter", "windows_exporter_legacy"], detail: "full"},
}
"""

TIMER, TIMER_INVERSE = 0x20510500, 0x21510500  # PERF_100NSEC_TIMER and PERF_100NSEC_TIMER_INV
RAW_COUNT, LARGE_RAW_COUNT, RAW_FRACTION = 0x00010000, 0x00010100, 0x20020400
RAW_BASE, ELAPSED_TIME = 0x40030403, 0x30240500
IDENTIFIERS = ("ID Process", "Creating Process ID")
TICK = 100_000  # the kernel's processor times are in units of 10 ms, and may decrease by one unit


class Reading:
    """Raw values as regread prints them, by object, counter, type and instance. Process ids distinguish processes, because the
    order of processes changes."""

    def __init__(self, prefix):
        self.names = prefix.table()
        self.index = {name: index for index, name in self.names.items()}
        self.objects = " ".join(str(self.index[name]) for name in OBJECTS)
        values = prefix.read_registry(self.objects)
        self.values = {}
        id_counter = self.index["ID Process"]
        pids = {(key[0], key[3]): value for key, value in values.items() if key[1] == id_counter}
        for (object_index, counter, kind, ordinal, instance), value in values.items():
            pid = pids.get((object_index, ordinal))
            self.values[(self.names[object_index], self.names[counter], kind, instance, pid)] = value
        self.leave_out_the_reader()

    def leave_out_the_reader(self):
        """Removes regread from the values and subtracts it from the totals, because it is in no sample."""
        for key in [key for key in self.values if key[0] == "Process" and key[3] == "regread"]:
            value = self.values.pop(key)
            total = ("Process", key[1], key[2], "_Total", self.pid_of_total())
            if key[2] in (RAW_COUNT, LARGE_RAW_COUNT, TIMER) and key[1] not in IDENTIFIERS:
                self.values[total] -= value

    def pid_of_total(self):
        return next(key[4] for key in self.values if key[0] == "Process" and key[3] == "_Total")

    def value(self, object_name, counter, kind, instance="", pid=None):
        return self.values[(object_name, counter, kind, instance, pid)]


def sampled_values(document):
    """Returns the values of /api/v1/sample in the form of a Reading, with bases as separate values."""
    result = {}
    for counterset in document["countersets"]:
        values = counterset["values"]
        pids = {value["instance_ordinal"]: value["raw"] for value in values
                if value["counter"] == "ID Process"}
        for value in values:
            pid = pids.get(value["instance_ordinal"])
            key = (value["object"], value["counter"], int(value["type"], 16), value["instance"], pid)
            result[key] = value["raw"]
            if "base" in value:
                result[(key[0], key[1], RAW_BASE, key[3], key[4])] = value["base"]
    return result


def goes_up_and_down(key):
    """Whether it is memory, threads, handles or their like."""
    _, counter, kind, _, _ = key
    return kind not in (TIMER, TIMER_INVERSE, ELAPSED_TIME, RAW_BASE) and counter not in (*IDENTIFIERS, "Commit Limit")


def room_for(key, low, high):
    """Returns how far a value may be outside the range of the readings before and after it."""
    kind = key[2]
    if goes_up_and_down(key):
        return (high - low) + high // 10 + 4
    if kind in (TIMER, TIMER_INVERSE):
        return TICK
    if kind == ELAPSED_TIME:
        return 500_000  # the tick count's resolution, and _Total's clock
    return 0


class Exporter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.executable = windows_path(required("WINPERF_EXPORTER"))
        cls.promtool = tool("promtool")
        cls.prefix = cls.enterClassContext(WinePrefix())
        registration = cls.prefix.register()
        if registration.code != 0:
            raise AssertionError(f"registration failed: {registration.errors}")
        config = cls.prefix.folder / "exporter.yaml"
        config.write_text(CONFIG)
        cls.config = windows_path(config)
        cls.exporter, cls.url = cls.start_exporter()
        wait_until(lambda: get(cls.url + "/-/ready")[0] == 200,
                   f"{cls.url}/-/ready answers 200; the exporter's output is in {cls.exporter.log}")

    @classmethod
    def start_exporter(cls):
        exporter = cls.prefix.start(cls.executable, "run", "--config", cls.config,
                                    "--listen", "127.0.0.1:0")
        return exporter, exporter.wait_for_line(r"listening on (http://127\.0\.0\.1:\d+)")[1]

    def sample_after(self, moment):
        """Waits for a sample in which every counterset is younger than the moment, and returns it."""
        def sampled():
            document = get_json(self.url + "/api/v1/sample")
            times = [counterset["sampled_at"] for counterset in document["countersets"]]
            young = all(text and datetime.datetime.fromisoformat(text).timestamp() > moment for text in times)
            return document if young else None
        return wait_until(sampled, "a sample is younger than the first reading")

    def check_metrics(self, page):
        result = subprocess.run([self.promtool, "check", "metrics"], input=page, text=True,
                                capture_output=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def run_exporter(self, *arguments):
        result = self.prefix.run(self.executable, *arguments)
        self.assertEqual(result.code, 0, result.errors)
        return result.output

    def test_promtool_accepts_the_page(self):
        status, page = get(self.url + "/metrics")
        self.assertEqual(status, 200)
        # windows_exporter's names don't keep all the rules that promtool knows.
        self.check_metrics("".join(re.findall(r"(?m)^(?!(?:# \w+ )?windows_).*\n", page)))
        for name in ("winperf_cpu_time_seconds_total", "winperf_memory_available_bytes",
                     "winperf_process_private_bytes", "winperf_system_processes"):
            self.assertRegex(page, rf"(?m)^{name}(?:\{{|_|\s)")

    def test_windows_exporters_names_have_the_same_numbers(self):
        page = get(self.url + "/metrics")[1]
        series = dict(re.findall(r"(?m)^(\w+(?:\{.*\})?) (\S+)$", page))
        for ours, theirs in (("winperf_memory_commit_limit_bytes", "windows_memory_commit_limit"),
                             ("winperf_memory_available_bytes", "windows_os_physical_memory_free_bytes"),
                             ("winperf_system_processes", "windows_os_processes")):
            self.assertEqual(series[ours], series[theirs])
        user = {key.split("{")[1]: value for key, value in series.items()
                if key.startswith("windows_process_cpu_time_total") and 'mode="user"' in key}
        ours = {key.split("{")[1]: value for key, value in series.items()
                if key.startswith("winperf_process_time_seconds_total") and 'mode="user"' in key}
        self.assertGreaterEqual(len(user), 3)
        self.assertEqual(user, ours)
        self.assertIn('windows_exporter_collector_success{collector="process"}', series)

    def test_raw_values_are_what_the_registry_gives(self):
        # What a service of Wine's takes and gives back between two readings is in neither, but not time after time.
        wrong = self.outside_of_two_readings()
        for _ in range(3):
            wrong = {key: text for key, text in self.outside_of_two_readings().items() if key in wrong} if wrong else {}
        self.assertEqual(wrong, {})

    def outside_of_two_readings(self):
        """Returns which values that go up and down are not between the readings before and after the sample. No other is."""
        before = Reading(self.prefix)
        document = self.sample_after(time.time())
        after = Reading(self.prefix)
        sampled = sampled_values(document)
        wrong, compared = {}, {name: 0 for name in OBJECTS}
        for key in before.values.keys() & after.values.keys():
            low, high = sorted((before.values[key], after.values[key]))
            self.assertIn(key, sampled)
            room = room_for(key, low, high)
            if not low - room <= sampled[key] <= high + room:
                wrong[key] = f"{sampled[key]} is not between {low} and {high}"
                self.assertTrue(goes_up_and_down(key), f"{key}: {wrong[key]}")
            compared[key[0]] += 1
        # 4 counters of each processor and of _Total; 14 counters of Idle, _Total, the exporter and Wine's services.
        self.assertEqual(compared["System"], 3)
        self.assertEqual(compared["Processor"], 4 * (os.cpu_count() + 1))
        self.assertEqual(compared["Memory"], 7)
        self.assertGreaterEqual(compared["Process"], 14 * 4)
        self.assertTrue(any(key[3] == "winperf_exporter" for key in sampled))
        return wrong

    def test_cooked_values_are_plausible(self):
        document = self.sample_after(time.time())
        cooked = {(value["counter"], value["instance"]): value["cooked"]
                  for counterset in document["countersets"] for value in counterset["values"]
                  if value["object"] in ("Processor", "System", "Memory")}
        for processor in ["_Total", *map(str, range(os.cpu_count()))]:
            share = cooked[("% Processor Time", processor)]
            self.assertTrue(0 <= share <= 100, f"% Processor Time of {processor} is {share}")
        with open("/proc/uptime") as file:
            self.assertAlmostEqual(cooked[("System Up Time", "")], float(file.read().split()[0]), delta=30)
        self.assertTrue(0 < cooked[("% Committed Bytes In Use", "")] < 100)

    def test_values_are_this_machines(self):
        reading = Reading(self.prefix)
        with open("/proc/meminfo") as file:
            memory = {name: 1024 * int(kib) for name, kib in re.findall(r"(\w+):\s+(\d+) kB", file.read())}
        limit = reading.value("Memory", "Commit Limit", LARGE_RAW_COUNT)
        total = memory["MemTotal"] + memory["SwapTotal"]
        self.assertAlmostEqual(limit, total, delta=total // 50)
        with open("/proc/stat") as file:
            cpu0 = re.search(r"^cpu0 \d+ \d+ \d+ (\d+)", file.read(), re.MULTILINE)
        idle = reading.value("Processor", "% Idle Time", TIMER, "0")
        self.assertAlmostEqual(idle / 1e7, int(cpu0[1]) / os.sysconf("SC_CLK_TCK"), delta=10)

    def test_prometheus_scrapes_the_right_numbers(self):
        before = Reading(self.prefix)
        started = time.time()
        server = start_prometheus(self.prefix, self.url)
        wait_until(lambda: query_prometheus(server, f"timestamp(winperf_memory_available_bytes) > {started + 3}"),
                   "Prometheus scrapes a sample younger than the reading")
        self.assertEqual(query_prometheus(server, 'up{job="winperf"}')[0][1], 1)
        self.assertEqual(query_prometheus(server, '{__name__=~"winperf_memory_commit_limit(_bytes)?"}')[0][1],
                         before.value("Memory", "Commit Limit", LARGE_RAW_COUNT))
        idle = {labels["core"]: value for labels, value in
                query_prometheus(server, 'winperf_cpu_time_seconds_total{mode="idle"}')}
        available = query_prometheus(server, "winperf_memory_available_bytes")[0][1]
        ids = {(labels["process"], int(labels["process_id"])) for labels, _ in
               query_prometheus(server, "winperf_process_private_bytes")}
        after = Reading(self.prefix)
        self.assertEqual(set(idle), set(map(str, range(os.cpu_count()))))
        for processor, seconds in idle.items():
            low, high = (reading.value("Processor", "% Idle Time", TIMER, processor) for reading in
                         (before, after))
            self.assertTrue((low - TICK) / 1e7 <= seconds <= (high + TICK) / 1e7, (low, seconds, high))
        low, high = sorted(reading.value("Memory", "Available Bytes", LARGE_RAW_COUNT)
                           for reading in (before, after))
        self.assertTrue(0.8 * low <= available <= 1.2 * high, (low, available, high))
        for key in before.values.keys() & after.values.keys():
            if key[1] == "ID Process" and key[3] != "_Total":
                self.assertIn((key[3], key[4]), ids)

    def test_list_shows_the_objects_and_their_counters(self):
        table = self.run_exporter("list")
        for name in OBJECTS:
            self.assertRegex(table, rf"(?m)\b{name}\b")
        listed = self.run_exporter("list", "Processor", "--format", "json")
        json.loads(listed)
        for counter in ("% Processor Time", "% User Time", "% Privileged Time", "% Idle Time"):
            self.assertIn(f'"{counter}"', listed)

    def test_list_asks_for_metadata_where_windows_says_that_it_may(self):
        # sysperf answers a metadata query without instances, which shows what kind of query it was.
        value = (PERFLIB, "/v", "Supports Metadata")
        self.addCleanup(self.prefix.write_registry, "delete", *value, "/f")
        has_instances = {}
        for number in ("missing", "0", "1"):
            if number != "missing":
                self.prefix.write_registry("add", *value, "/t", "REG_DWORD", "/d", number, "/f")
            objects = {entry["name"]: entry for entry in
                       json.loads(self.run_exporter("list", "--format", "json"))["countersets"]}
            self.assertEqual(len(objects["Process"]["counters"]), 14)
            has_instances[number] = "instance_names" in objects["Process"]
        self.assertEqual(has_instances, {"missing": True, "0": True, "1": False})
        listed = json.loads(self.run_exporter("list", "--instances", "--format", "json"))["countersets"]
        names = next(entry["instance_names"] for entry in listed if entry["name"] == "Process")
        self.assertIn("winperf_exporter", names)

    def test_query_prints_two_samples_as_json_table_and_metrics(self):
        lines = self.run_exporter("query", "Processor", "System", "--format", "json").splitlines()
        documents = [json.loads(line) for line in lines]
        self.assertGreaterEqual(len(documents), 1)
        values = documents[-1]["values"]
        self.assertEqual({value["object"] for value in values}, {"Processor", "System"})
        cooked = [value["cooked"] for value in values if value["counter"] == "% Idle Time"]
        self.assertEqual(len(cooked), os.cpu_count() + 1)
        self.assertNotIn(None, cooked)
        self.assertIn("% Idle Time", self.run_exporter("query", "Processor"))
        page = self.run_exporter("query", "Processor", "--format", "prometheus")
        self.assertIn("winperf_cpu_time_seconds_total", page)
        self.check_metrics(page)

    def test_a_scrubbed_capture_names_neither_programs_nor_machine_nor_user(self):
        archives = {}
        for name, arguments in {"plain": [], "scrubbed": ["--scrub"]}.items():
            out = self.prefix.folder / f"{name}.zip"
            self.run_exporter("capture", "--out", windows_path(out), "--samples", "2", "--interval", "1s", *arguments)
            with zipfile.ZipFile(out) as archive:
                archives[name] = {file: archive.read(file) for file in archive.namelist()}
        manifests = {name: json.loads(files["capture.json"]) for name, files in archives.items()}
        self.assertRegex(manifests["plain"]["system"], r"^Windows \d+\.\d+\.\d+, locale \S+$")
        self.assertEqual(manifests["scrubbed"]["source"], "withheld")
        self.assertTrue(manifests["scrubbed"]["scrubbed"])
        self.assertEqual(archives["plain"].keys(), archives["scrubbed"].keys())
        computer = self.prefix.run("cmd", "/c", "echo %COMPUTERNAME%").output.strip()

        def blocks_with(files, name):
            return [file for file, content in files.items() if file.startswith("sample-") and
                    name.lower().encode("utf-16-le") in content.lower()]
        for name in ("winperf_exporter", "services", computer):
            self.assertNotEqual(blocks_with(archives["plain"], name), [], name)
            self.assertEqual(blocks_with(archives["scrubbed"], name), [], name)

    def test_ctrl_c_ends_it_and_leaves_nothing(self):
        before = set(self.prefix.pids("winperf_exporter.exe"))
        exporter, url = self.start_exporter()
        wait_until(lambda: get(url + "/-/ready")[0] == 200, "the second exporter is ready")
        its = set(self.prefix.pids("winperf_exporter.exe")) - before
        self.assertGreater(len(its), 1, "it has a worker")
        self.assertEqual(exporter.end(signal.SIGINT), 0, exporter.output())
        self.assertEqual(get(url + "/-/healthy")[0], 0)
        wait_until(lambda: not its & set(self.prefix.pids("winperf_exporter.exe")), "its worker has ended, too")
        self.assertEqual(get(self.url + "/-/healthy")[0], 200, "the first exporter keeps running")


if __name__ == "__main__":
    required("WINPERF_SYSPERF")
    required("WINPERF_REGREAD")
    unittest.main()
