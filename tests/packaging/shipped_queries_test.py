#!/usr/bin/env python3
"""Every query of what is shipped finds data in a real Prometheus that scrapes the simulated server: those of our dashboards, of
our rules, and of our documents.

    shipped_queries_test.py EXECUTABLE [unittest arguments]

Prometheus scrapes as packaging/prometheus/scrape_static.yml says. Without Prometheus the tests say so. Queries that find nothing
because the simulated server is well stand in the list below, and an entry that nothing needs is an error.
"""

import collections
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import markdown_queries
import query_trial
import servers
import simulated_server
from promql import metric_of

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
MAKE_DASHBOARDS = ROOT / "packaging/grafana/make_dashboards.py"
RULES = [ROOT / "packaging/prometheus" / name for name in ("recording_rules.yml", "alert_rules.yml")]
DOCUMENTS = [ROOT / "README.md", ROOT / "docs/metrics.md", ROOT / "docs/runbooks.md", *sorted((ROOT / "docs/recipes").glob("*.md")),
             *sorted((ROOT / "docs/collectors").glob("*.md"))]
CHANGED = ROOT / "docs/from-0.1.md"  # has queries with names that have changed
# Their names of metrics are tried, too; those of other documents are on docs/metrics.md.
NAMED = [ROOT / "docs/runbooks.md", ROOT / "packaging/prometheus/README.md", ROOT / "packaging/grafana/README.md",
         *sorted((ROOT / "docs/recipes").glob("*.md")), *sorted((ROOT / "docs/collectors").glob("*.md"))]
METRIC = re.compile(r"\b(winperf_[a-z0-9_]*[a-z0-9])(?![\w<*.])")

# What is read by default; textfile needs a folder, and processes is off.
FACTS = ["os", "time", "memory", "pagefiles", "processors", "disks", "volumes", "adapters", "connections", "services", "logons",
         "sessions", "tasks", "printers", "iis", "sql_servers"]

TROUBLE = "the simulated server is well"
ONLY_TROUBLE = {
    r".*winperf_process_start_time_seconds\{.* < 300\).*": "the leading processes have run for longer",
    r".*increase\(winperf_exporter_worker_restarts_total.* > 0": TROUBLE,
}
NO_METRIC = {
    r"winperf_exporter_provider_error_info": TROUBLE,
}


def document_name(path):
    return str(path.relative_to(ROOT))


def make_certificate(folder):
    subprocess.run([EXECUTABLE, "config", "self-signed", "--cert-file", folder / "server.crt", "--key-file", folder / "server.key"],
                   check=True, capture_output=True)


@unittest.skipIf(query_trial.missing_prometheus(), query_trial.missing_prometheus())
class ShippedQueries(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.dashboards = folder / "dashboards"
        subprocess.run([sys.executable, MAKE_DASHBOARDS, cls.dashboards], check=True)
        server = simulated_server.SimulatedServer(EXECUTABLE, folder, **cls.configuration(folder))
        cls.addClassCleanup(server.close)
        cls.rule_names = {str(path): document_name(path) for path in RULES}
        for document in DOCUMENTS:
            for index, text in enumerate(markdown_queries.rule_groups(document.read_text())):
                file = folder / f"{document.stem}_{index}.yml"
                file.write_text(text)
                cls.rule_names[str(file)] = document_name(document)
        scraping = yaml.safe_load((ROOT / "packaging/prometheus/scrape_static.yml").read_text())["scrape_configs"][0]
        job = scraping.pop("job_name")
        cls.trial = query_trial.QueryTrial(server, folder, job, no_metric=NO_METRIC, only_trouble=ONLY_TROUBLE,
                                           scrape_keys={key: value for key, value in scraping.items() if key != "static_configs"},
                                           rule_files=list(cls.rule_names))
        cls.addClassCleanup(cls.trial.close)
        cls.trial.wait(intervals=2)

    @classmethod
    def configuration(cls, folder):
        """All that is only there if it is asked for: an address with TLS, providers in workers of their own, text files, another
        machine."""
        make_certificate(folder)
        (folder / "textfile").mkdir()
        (folder / "textfile/backup.prom").write_text("backup_last_success_timestamp_seconds 1.7e9\n")
        secure = {"address": "127.0.0.1", "port": servers.free_port(),
                  "web": {"tls_server_config": {"cert_file": "server.crt", "key_file": "server.key"}}}
        labelled = [entry for document in DOCUMENTS for text in markdown_queries.configurations(document.read_text())
                    for entry in yaml.safe_load(text).get("countersets", ())
                    if isinstance(entry, dict) and "labels" in entry.get("instances", {})]
        facts = [*FACTS, {"name": "textfile", "folders": [str(folder / "textfile")]}]
        return {"metrics": {"profiles": ["winperf"]}, "facts": facts, "countersets": [*labelled, "*"],
                "workers": {"isolation": "hosts", "shortest_timeout": "60s"},
                "targets": [{"host": "srv-1", "interval": "1s", "countersets": ["System"]}],
                "listen": [secure, {"address": "127.0.0.1", "port": servers.free_port()}]}

    def queries(self):
        yield from self.trial.queries(self.dashboards, self.rule_names)
        for document in DOCUMENTS:
            yield from markdown_queries.queries(document_name(document), document.read_text())
        yield from markdown_queries.changed_queries(document_name(CHANGED), CHANGED.read_text())

    def outcome(self, query):
        """Every selector finds data, also where an "or" would hide that it doesn't. Of a query in a document that leaves out what
        is well, that is all, as of an alert."""
        empty = self.trial.empty_selectors(query)
        if unknown := [selector for selector in empty if not self.trial.no_metric.reason(metric_of(selector))]:
            return f"there is no {', '.join(unknown)}", ""
        if query.kind == "filter":
            self.trial.answer(query.text)  # which fails if Prometheus can't evaluate it
            query = dataclasses.replace(query, kind="alert")
        return self.trial.outcome(query)

    def test_every_query_finds_data(self):
        outcomes = [(query, *self.outcome(query)) for query in self.queries()]
        wrong = [f"{query.kind} of {query.source}: {problem}: {query.text}" for query, problem, _ in outcomes if problem]
        counts = collections.Counter(query.kind for query, _, _ in outcomes)
        for kind in sorted(counts):
            listed = sum(bool(reason) for query, _, reason in outcomes if query.kind == kind)
            print(f"{kind}: {counts[kind]} queries, {listed} of them listed", flush=True)
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))
        self.assertGreaterEqual(set(counts), {"panel", "variable", "record", "alert", "document", "filter"})
        self.assertEqual([listed.idle() for listed in (self.trial.no_metric, self.trial.only_trouble)], [[], []],
                         "these entries of the lists are not needed")

    def test_documents_name_metrics_that_are_there(self):
        served = set(self.trial.prometheus.get("label/__name__/values"))
        served |= {name.partition(":")[2].partition(":")[0] for name in served if ":" in name}  # of recording rules
        found = {(document_name(document), name) for document in NAMED if document.exists()
                 for name in METRIC.findall(document.read_text())}
        self.assertGreater(len(found), 50)
        programs = {"winperf_exporter"}
        self.assertEqual(sorted((document, name) for document, name in found
                                if name not in served | programs and not self.trial.no_metric.reason(name)), [])

    def test_named_instances_of_sql_server_have_the_default_ones_names(self):
        found = self.trial.label_values('winperf_sqlserver_databases_transactions_total{sql_instance!=""}', "sql_instance")
        self.assertEqual(sorted(found), ["MSSQLSERVER", "PAYROLL"])
        self.assertEqual(self.trial.answer('{__name__=~"winperf_mssql_.*"}'), [])
        self.assertEqual(self.trial.answer('{__name__=~"winperf_sqlserver_.*",sql_instance=""}'), [])

    def test_the_queries_of_changed_names_are_found(self):
        self.assertGreater(len(list(markdown_queries.changed_queries("", CHANGED.read_text()))), 5)

    def test_the_rules_can_be_evaluated(self):
        self.assertEqual(self.trial.errors_of_rules(), [])


if __name__ == "__main__":
    unittest.main()
