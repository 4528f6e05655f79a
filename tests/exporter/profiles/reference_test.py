#!/usr/bin/env python3
"""The profiles have each metric of windows_exporter that the reference pages name: its type, its labels, its counters.

    reference_test.py EXECUTABLE [unittest arguments]

EXECUTABLE runs on the simulated server. The pages are beside the folder that WINPERF_CAPTURES names; without them the test
says so. What differs stands in a list below, with the reason, and an entry that nothing needs is an error.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import simulated_server
from reference_pages import CURRENT, LEGACY, read_reference

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
FOLDER = simulated_server.shared_folder("reference")
ROWS = read_reference(FOLDER) if FOLDER else []

WMI = "not a performance counter: WMI"
WINDOWS = "not a performance counter: a function of Windows"
DEVICE_ID = "from the list of display adapters, not from a counter"

# Reasons by kind of difference and names of metrics.
DIFFERENCES = {
    "absent": {
        r"windows_mscluster_.*": WMI,
        r"windows_(container|update)_.*": WINDOWS,
        r"windows_logical_disk_bitlocker_status": WINDOWS,
        r"windows_gpu_(info|(shared|dedicated)_(system|video)_memory_size_bytes)": WINDOWS,
        r"windows_service_(state|info)": "older labels of names that the other profile has",
        r"windows_(file|filetime)_.*": "not a performance counter: files",
        r"windows_performancecounter_collector_.*": "counters that users choose have winperf_exporter's own names",
        r"windows_(teradici_pcoip|vmware_blast)_\*": "the pages don't say their names",
        r"windows_mssql_\*": "their label instance would be Prometheus' own; see mssql.table",
    },
    "extra": {
        r"windows_fsrmquota_size": "a rule file asks for it; no release had it",
        r"windows_logical_disk_readonly": "the other exporter declares it and never serves it",
    },
    "labels": {
        r"windows_iis_info": "a label that is the same in each series, which the pages don't list",
        r"windows_gpu_engine_time_seconds": DEVICE_ID,
        r"windows_gpu_((non_)?local_)?adapter_memory_.*": DEVICE_ID,
        r"windows_gpu_process_memory_.*": DEVICE_ID,
        r"windows_mssql_transactions_active_total": "its label instance would be Prometheus' own; see mssql.table",
    },
    "type": {},
    "counter": {
        r"windows_iis_worker_uri_cache_flushes_total|windows_iis_server_uri_cache_flushes_total": "the other exporter gives 0",
        r"windows_dns_(zone_transfer_requests_sent|recursive_query_send_timeouts)_total": "the other exporter reads another counter",
        r"windows_dhcp_denied_due_to_nonmatch_total": "the other exporter reads the matches",
        r"windows_hyperv_root_partition_(preferred_numa_node_index|physical_pages_allocated)": "the other exporter reads another counter",
        r"windows_ad_sam_computer_creation_(successful_)?requests_total": "the other exporter has them mixed up",
        r"windows_memory_physical_free_bytes": "Available Bytes is the same number",
        r"windows_memory_(process_memory_limit|physical_total)_bytes": "a function of Windows, which is a fact here",
        r"windows_dns_wmi_stats_total": "a property in WMI, which is a fact here",
    },
    "series": {},
}
# The pages themselves are wrong: the value belongs to another label.
MISPRINTS = {"windows_terminal_services_cpu_time_seconds_total": {"session_name": "mode"}}


def listing(profile):
    """What a profile can serve on any machine, by name."""
    text = subprocess.run([EXECUTABLE, "metrics", "--profile", profile, "--format", "json"], capture_output=True, check=True,
                          text=True).stdout
    return {metric["name"]: metric for metric in json.loads(text)["metrics"]}


def folded(counter):
    return " ".join(counter.lower().rstrip(".").split())


def read_counters(cell):
    """The counters of a cell of the pages: 'A + B', 'A,secondvalue', '% X (first)', 'A (`WmiProperty`)'."""
    cell = re.sub(r" \(`.*", "", cell)
    cell = re.sub(r" \((first|second|SECOND value = base)\)$|,secondvalue$", "", cell)
    return [folded(part) for part in cell.split(" + ")]


class Differences:
    """Collects what differs, and which reasons were needed."""

    def __init__(self):
        self.unexplained, self.needed = [], set()

    def add(self, kind, row, name, text):
        found = [pattern for pattern in DIFFERENCES[kind] if re.fullmatch(pattern, name)]
        self.needed.update((kind, pattern) for pattern in found)
        if not found:
            self.unexplained.append(f"{kind}: {row}: {text}")

    def idle(self):
        return [(kind, pattern) for kind, reasons in DIFFERENCES.items() for pattern in reasons
                if (kind, pattern) not in self.needed]


def values_of(row):
    misprint = MISPRINTS.get(row.name, {})
    return {misprint.get(label, label): value for label, value in row.values}


@unittest.skipUnless(ROWS, "NO REFERENCE PAGES: WINPERF_CAPTURES has none beside it")
class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.profiles = {profile: listing(profile) for profile in (CURRENT, LEGACY)}
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (folder / "a.prom").write_text("a_metric 1\n")
        facts = [*simulated_server.TOPICS, "dns_statistics", "dhcp_scopes", "processes", {"name": "textfile", "folders": [str(folder)]}]
        server = simulated_server.SimulatedServer(EXECUTABLE, folder, facts=facts)
        cls.addClassCleanup(server.close)
        cls.page = server.whole_page()

    def test_each_metric_is_served_as_the_reference_says(self):
        differences = Differences()
        for row in ROWS:
            self.compare(row, differences)
        for profile, metrics in self.profiles.items():
            named = {row.name for row in ROWS if row.profile == profile}
            for name in metrics.keys() - named:
                differences.add("extra", name, name, f"{profile} has it, the reference doesn't")
        served = {row.name for row in ROWS if row.name in self.profiles[row.profile]}
        print(f"{len(ROWS)} rows, {len({row.name for row in ROWS})} names, {len(served)} of them served")
        self.assertFalse(differences.unexplained, "\n" + "\n".join(sorted(differences.unexplained)))
        self.assertEqual(differences.idle(), [], "these entries of DIFFERENCES are not needed")

    def compare(self, row, differences):
        metric = self.profiles[row.profile].get(row.name)
        if metric is None:
            return differences.add("absent", row, row.name, "not served")
        if row.type and metric["type"] != row.type:
            differences.add("type", row, row.name, f"{metric['type']}, not {row.type}")
        if row.labels is not None and set(metric["label_names"]) != row.labels:
            differences.add("labels", row, row.name, f"{metric['label_names']}, not {sorted(row.labels)}")
        told = folded(metric["from"])
        for counter in read_counters(row.counter) if row.counter else ():
            if counter not in told:
                differences.add("counter", row, row.name, f"{metric['from']}, not {row.counter}")
        self.compare_series(row, metric, differences)

    def compare_series(self, row, metric, differences):
        """With the page of the simulated server."""
        fixed = values_of(row)
        series = [labels for labels, _ in self.page.series.get(row.name, []) if fixed.items() <= labels.items()]
        if not series:
            return differences.add("series", row, row.name, f"no series with {fixed}")
        self.assertEqual(self.page.types[row.name], metric["type"])
        for labels in series:
            self.assertEqual(labels.keys(), set(metric["label_names"]), row)

    def test_no_other_fixed_values_are_served(self):
        """Where the pages say the values of a label, there are no others."""
        known = {}
        for row in ROWS:
            known.setdefault(row.name, []).append(values_of(row))
        for name, values in known.items():
            for labels, _ in self.page.series.get(name, []):
                self.assertTrue(any(fixed.items() <= labels.items() for fixed in values), (name, labels))

    def test_every_part_of_the_pages_was_read(self):
        self.assertGreater(len(ROWS), 1500)
        sections = {row.section.split()[0] for row in ROWS}
        # 13 and 39 are about names that users choose, 38 repeats another part, 40 is about counters.
        self.assertEqual({str(number) + "." for number in range(38)} - sections, {"13."})
        self.assertLessEqual({"iis", "mssql", "Older"}, sections)

    def test_what_is_served_and_what_is_listed_are_the_same(self):
        listed = {name for metrics in self.profiles.values() for name in metrics}
        served = {name for name in self.page.series if name.startswith("windows_")}
        self.assertEqual(served - listed, set())

    def test_misprints_are_needed(self):
        for name, labels in MISPRINTS.items():
            rows = [row for row in ROWS if row.name == name]
            self.assertTrue(any(label in labels for row in rows for label, _ in row.values), name)


if __name__ == "__main__":
    unittest.main()
