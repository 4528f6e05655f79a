#!/usr/bin/env python3
"""The page of recorded data: names as an expert would choose them, no number twice, and perfmon's numbers as JSON has them.

    real_page_test.py EXECUTABLE [unittest arguments]

EXECUTABLE runs on the simulated machine, too. Recorded data comes from WINPERF_CAPTURES; without it the tests say so.
"""

import functools
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
EXCEPTIONS = pathlib.Path(__file__).resolve().parents[3] / "docs/metric-names.md"
VISTA = pathlib.Path(os.environ.get("WINPERF_CAPTURES", "")) / "vista-6000"
SAMPLES = 11
ENVIRONMENT = {**os.environ, "WINPERF_SIMULATOR": ""}

LINE = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
PARTS = {"mode", "direction", "state", "af"}
COOKED = re.compile(r"\((percentage|rate|average|change)\b")  # in HELP

# Two families that tell nearly the same, on purpose.
FRACTIONS = "a fraction of a size that may change; this machine's didn't"
SUM = "the sum over all modes; people look for % Processor Time by its name"
EXPECTED = {
    ("winperf_memory_committed_bytes", "winperf_memory_committed_bytes_in_use_ratio"): FRACTIONS,
    ("winperf_process_page_file_bytes", "winperf_process_private_bytes"): "the same for all processes but System",
    ("winperf_process_processor_time_percent", "winperf_process_time_percent"): SUM,
    ("winperf_cpu_processor_time_percent", "winperf_cpu_time_percent"): SUM,
}


def run(*arguments):
    return subprocess.run([EXECUTABLE, *arguments], capture_output=True, check=True, text=True, env=ENVIRONMENT).stdout


class Page:
    def __init__(self, text):
        self.series = {}  # family: {labels: value}
        self.help = dict(re.findall(r"(?m)^# HELP (\w+) (.*)$", text))
        for line in text.splitlines():
            if match := LINE.fullmatch(line):
                labels = frozenset(LABEL.findall(match[2] or ""))
                assert labels not in self.series.setdefault(match[1], {}), line
                self.series[match[1]][labels] = float(match[3])


@functools.cache
def objects():
    return tuple(entry["name"] for entry in json.loads(run("list", "--format", "json", "--source", f"replay:{VISTA}"))["countersets"])


@functools.cache
def recorded():
    """Of each moment of the recording: the page, and the values as JSON has them."""
    text = run("query", "--format", "json", "--source", f"replay:{VISTA}", *objects())
    documents = [json.loads(line) for line in text.splitlines()]
    pages = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(VISTA / "counter-009.bin", folder)
        for sample in range(SAMPLES):
            for file in VISTA.glob(f"sample-{sample:04}-*.perf"):
                shutil.copy(file, folder)
            pages.append(Page(run("query", "--format", "prometheus", "--source", f"replay:{folder}", *objects())))
    return list(zip(pages, documents, strict=True))


@unittest.skipUnless(VISTA.is_dir(), "NO RECORDED DATA: WINPERF_CAPTURES has no vista-6000")
class RealPage(unittest.TestCase):
    def test_no_name_has_a_word_twice_or_a_hash(self):
        for page, _ in recorded():
            for name in page.series:
                words = name.split("_")
                self.assertEqual(len(words), len(set(words)), name)
                self.assertNotRegex(name, "_[0-9a-f]{8}(_|$)")

    def views(self):
        """Of each family, and of its parts and their sum: the values by moment and instance."""
        found = {}
        for moment, (page, _) in enumerate(recorded()):
            for family, series in page.series.items():
                for labels, value in series.items():
                    instance = frozenset(label for label in labels if label[0] not in PARTS)
                    part = tuple(sorted(labels - instance))
                    found.setdefault((family, part), {})[moment, instance] = value
                    if part:
                        total = found.setdefault((family, "sum"), {})
                        total[moment, instance] = total.get((moment, instance), 0) + value
        return found

    def test_no_family_tells_another_again(self):
        views = {view: values for view, values in self.views().items() if not is_constant(values)}
        self.assertGreater(len(views), 60)
        found = set()
        for (one, values), (other, others) in itertools.combinations(sorted(views.items(), key=str), 2):
            if one[0] != other[0] and object_of(one[0]) == object_of(other[0]) and is_told(values, others):
                found.add(tuple(sorted((one[0], other[0]))))
        self.assertEqual(found, EXPECTED.keys())

    def test_perfmons_numbers_are_those_of_json(self):
        listed = json.loads(run("metrics", "--format", "json", "--source", f"replay:{VISTA}"))["metrics"]
        cooked = [metric for metric in listed if COOKED.search(metric["help"])]
        self.assertGreater(len(cooked), 50)
        for page, document in recorded():
            numbers = {}
            for value in document["values"]:
                numbers.setdefault((value["object"], value["counter"], value["instance"]), []).append(value["cooked"])
            for metric in cooked:
                for source in metric["sources"]:
                    part = frozenset(source["labels"].items())
                    for labels, value in page.series.get(metric["name"], {}).items():
                        if part <= labels:
                            wanted = numbers[source["object"], source["counter"], instance_of(labels)]
                            self.assertIn(value, wanted, (metric["name"], labels))

    def test_what_is_told_by_others_is_the_same_number(self):
        """Each row of the table of exceptions that leaves a number out, as far as the recording has it."""
        raw = {}
        for _, document in recorded():
            for value in document["values"]:
                if value["instance"] == "_Total":  # of some counters the mean, of others the sum
                    continue
                key = value["instance"], value["instance_ordinal"], document["sequence"]
                raw.setdefault((value["object"], value["counter"]), {})[key] = value["raw"]
        checked = 0
        for names, counters, correction in re.findall(r"(?m)^\| (`[^|]*`) \| (`[^|]*`) \| ([^|]*) \|$", EXCEPTIONS.read_text()):
            told = re.search(r"(?:left out: it is|no running total; the rest is) in ((?:`[^`]*`(?:, )?)+)", correction)
            for name, counter in itertools.product(re.findall("`(.*?)`", names), re.findall("`(.*?)`", counters)):
                if told and any(raw.get((name, counter), {}).values()):
                    tellers = [raw[name, teller] for teller in re.findall("`(.*?)`", told[1])]
                    self.assertTrue(self.tell(raw[name, counter], tellers), (name, counter, told[1]))
                    checked += 1
        self.assertGreater(checked, 20)

    def tell(self, numbers, tellers):
        """Whether the number is the sum of some of them, times a fixed factor (the rest are its base)."""
        for count in range(1, len(tellers) + 1):
            for some in itertools.combinations(tellers, count):
                pairs = [(sum(teller[key] for teller in some), number) for key, number in numbers.items()]
                factors = [number / total for total, number in pairs if total]
                if factors and all(number == 0 for total, number in pairs if not total) \
                        and max(factors) - min(factors) <= 0.01 * max(factors):
                    return True
        return False

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed: the page was not checked by it")
    def test_promtool_has_no_complaint(self):
        page = run("query", "--format", "prometheus", "--source", f"replay:{VISTA}", *objects())
        result = subprocess.run(["promtool", "check", "metrics"], input=page, capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))

    def test_the_unknown_bandwidth_is_not_shown(self):
        page, document = recorded()[-1]
        raw = [value for value in document["values"] if value["counter"] == "Current Bandwidth"]
        self.assertTrue(any(value["raw"] >= 2 ** 63 - 1 and value["reason"] == "marked_unknown" for value in raw), raw)
        self.assertEqual(len(page.series["winperf_network_interface_current_bandwidth_bytes_per_second"]),
                         sum(value["reason"] is None for value in raw))

    def test_sizes_are_those_of_the_volumes(self):
        page, document = recorded()[-1]
        sizes = {value["instance"]: value["base"] * 2 ** 20 for value in document["values"]
                 if (value["object"], value["counter"]) == ("LogicalDisk", "% Free Space") and value["instance"] != "_Total"}
        self.assertEqual({instance_of(labels): value for labels, value in page.series["winperf_logical_disk_size_bytes"].items()},
                         sizes)

    def test_by_default_processor_time_is_there_as_perfmon_shows_it(self):
        page = Page(run("query", "--format", "prometheus", "--source", f"replay:{VISTA}"))
        _, document = recorded()[-1]
        wanted = {value["instance"]: value["cooked"] for value in document["values"]
                  if (value["object"], value["counter"]) == ("Processor", "% Processor Time") and value["instance"] != "_Total"}
        self.assertEqual({instance_of(labels): value
                          for labels, value in page.series["winperf_cpu_processor_time_percent"].items()}, wanted)


class DefaultPage(unittest.TestCase):
    def test_of_the_simulated_machine_has_perfmons_and_task_managers_number(self):
        page = Page(run("query", "--format", "prometheus", "--interval", "1s"))
        for family in ("winperf_cpu_processor_time_percent", "winperf_cpu_processor_utility_percent"):
            self.assertTrue(page.series[family], family)
            self.assertNotIn("_Total", str(page.series[family]))


def object_of(family):
    """Of names of the recording: they have one or two words of their object."""
    words = family.split("_")
    return "_".join(words[:3]) if words[1] in ("logical", "physical", "network") else "_".join(words[:2])


def instance_of(labels):
    names = dict(labels)
    for name in ("volume", "disk", "nic", "core", "process"):
        if name in names:
            return names[name].replace('\\"', '"').replace("\\\\", "\\")
    return ""


def is_constant(values):
    by_instance = {}
    for (_, instance), value in values.items():
        by_instance.setdefault(instance, set()).add(value)
    return max(map(len, by_instance.values())) < 3


def is_told(values, others):
    """Whether each series of one gives the other's."""
    common = values.keys() & others.keys()
    if len(common) < 6:
        return False
    by_instance = {}
    for moment, instance in common:
        by_instance.setdefault(instance, []).append((values[moment, instance], others[moment, instance]))
    told = [pairs for pairs in by_instance.values() if min(len(set(numbers)) for numbers in zip(*pairs)) > 2]
    return bool(told) and all(map(is_line, told))


def is_line(pairs):
    """Whether one number is the other times a factor, plus or minus something fixed."""
    (low, low_other), (high, high_other) = min(pairs), max(pairs)
    slope = (high_other - low_other) / (high - low)
    room = 1e-3 * (max(b for _, b in pairs) - min(b for _, b in pairs))
    return all(abs(low_other + slope * (a - low) - b) <= room for a, b in pairs)


class Lists(unittest.TestCase):
    """docs/metric-list.md is what the command `metrics` says. WINPERF_UPDATE_FILES=1 writes it anew."""

    PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/metric-list.md"

    def check(self, number, *arguments):
        before, wanted = self.PAGE.read_text(), "".join(line.rstrip() + "\n" for line in run("metrics", *arguments).splitlines())
        blocks = list(re.finditer(r"(?ms)^```\n(.*?)^```\n", before))
        begin, end = blocks[number].span(1)
        if os.environ.get("WINPERF_UPDATE_FILES"):
            self.PAGE.write_text(before[:begin] + wanted + before[end:])
        else:
            self.assertEqual(before[begin:end], wanted, "set WINPERF_UPDATE_FILES=1 and review the change")

    def test_of_the_simulated_machine(self):
        self.check(0, "Processor Information")

    @unittest.skipUnless(VISTA.is_dir(), "NO RECORDED DATA: WINPERF_CAPTURES has no vista-6000")
    def test_of_the_recorded_machine(self):
        self.check(1, "--source", f"replay:{VISTA}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
