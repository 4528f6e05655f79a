#!/usr/bin/env python3
"""Every query of real dashboards, and every rule, finds data in a real Prometheus that scrapes the simulated server.

    dashboards_test.py EXECUTABLE [unittest arguments]

The dashboards are beside the folder that WINPERF_CAPTURES names; without them, without Prometheus and without jsonnet the
tests say so. What finds nothing stands in the lists below, with the reason; an entry that nothing needs is an error.
"""

import collections
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import dashboard_files
import query_trial
import simulated_server

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DASHBOARDS = simulated_server.shared_folder("dashboards")
QUERIED = (simulated_server.shared_folder("reference") or pathlib.Path("nowhere")) / "dashboard-metrics.tsv"
# kubernetes-mixin looks for this name; the others take what there is.
JOB = "windows-exporter"

# The dashboards also count alerts, and on a machine that is well there may be none.
OWN_ALERTS = [{"alert": f"Test{severity.title()}", "expr": f'up{{job="{JOB}"}} == 1', "labels": {"severity": severity}}
              for severity in ("critical", "warning")]

WINDOWS = "not a performance counter: a function of Windows"
WMI = "not a performance counter: WMI"
KUBERNETES = "another data source: kube-state-metrics"
RECORDED = "recorded by a rule from metrics that aren't there"
# Metrics that aren't there.
NO_METRIC = {
    r"windows_update_pending_.*": WINDOWS,
    r"windows_container_(available|cpu|memory|network)_.*|windows_container_available": WINDOWS,
    r"windows_file_size_bytes": "not a performance counter: files",
    r"windows_mscluster_.*": WMI,
    r"kube_pod_.*": KUBERNETES,
    r"windows_pod_container_available|windows_container_total_runtime": RECORDED,
}
# Queries that find nothing, whatever metrics are there.
NO_DATA = {
    r'\{job=~.*\} (\|= ".*" )?\| json': "another data source: logs, of Loki",
}
# Queries that show only what is in trouble: their selectors find data.
ONLY_TROUBLE = {
    r"topk\(25, irate\(windows_net_packets_\w+\{.*\}\[\d+s\]\)\)>0\.5": "few packets are lost",
}


def missing_tools():
    if not DASHBOARDS or not QUERIED.is_file():
        return "NO DASHBOARDS: WINPERF_CAPTURES has none beside it"
    if missing := query_trial.missing_prometheus():
        return missing
    if not shutil.which("jsonnet"):
        return "NO JSONNET: jsonnet is not in PATH; scripts/test provides it"
    return ""


@unittest.skipIf(missing_tools(), missing_tools())
class Dashboards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        server = simulated_server.SimulatedServer(EXECUTABLE, folder)
        cls.addClassCleanup(server.close)
        cls.rule_names = dashboard_files.rule_files(DASHBOARDS, folder)
        own = folder / "own_rules.yaml"
        own.write_text(json.dumps({"groups": [{"name": "own", "rules": OWN_ALERTS}]}))
        cls.trial = query_trial.QueryTrial(server, folder, JOB, no_metric=NO_METRIC, no_data=NO_DATA, only_trouble=ONLY_TROUBLE,
                                           rule_files=[*cls.rule_names, str(own)])
        cls.addClassCleanup(cls.trial.close)
        cls.trial.wait()

    def test_every_query_finds_data(self):
        outcomes = [(query, *self.trial.outcome(query)) for query in self.trial.queries(DASHBOARDS, self.rule_names)]
        files = {dashboard.name for dashboard in dashboard_files.dashboards(DASHBOARDS)} | set(self.rule_names.values())
        self.assertEqual(files - {query.source.partition(": ")[0] for query, _, _ in outcomes}, set())
        wrong = [f"{query.kind} of {query.source}: {problem}: {query.text}" for query, problem, _ in outcomes if problem]
        self.report(outcomes)
        self.assertFalse(wrong, "\n" + "\n".join(wrong))
        metrics, served = self.queried_metrics()
        self.assertEqual([name for name in metrics if name not in served and not self.trial.no_metric.reason(name)], [])
        self.assertEqual([listed.idle() for listed in (self.trial.no_metric, self.trial.no_data, self.trial.only_trouble)], [[], [], []],
                         "these entries of the lists are not needed")
        self.assertEqual([name for name in served if self.trial.no_metric.reason(name)], [], "they are listed, and there")

    def report(self, outcomes):
        reasons = collections.Counter(reason for _, _, reason in outcomes if reason)
        for reason, count in reasons.most_common():
            print(f"{count} listed: {reason}")
        for kind in ("panel", "variable", "annotation", "record", "alert", None):
            these = [(problem, reason) for query, problem, reason in outcomes if kind in (query.kind, None)]
            print(f"{kind or 'all'}: {len(these)} queries, {these.count(('', ''))} with data,"
                  f" {sum(bool(reason) for _, reason in these)} listed", flush=True)

    def queried_metrics(self):
        """Those that the reference says are queried, and all those that have data."""
        metrics = sorted({line.split("\t")[1] for line in QUERIED.read_text().splitlines()[1:]})
        served = set(self.trial.prometheus.get("label/__name__/values"))
        print(f"{len(metrics)} metrics in {QUERIED.name}, {len(served & set(metrics))} with data", flush=True)
        return metrics, served

    def test_the_rules_can_be_evaluated(self):
        self.assertEqual(self.trial.errors_of_rules(), [])


if __name__ == "__main__":
    unittest.main()
