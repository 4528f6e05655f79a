"""Queries of dashboards, rules and documents, in a real Prometheus that scrapes the simulated server."""

import dataclasses
import math
import re
import shutil
import time

import dashboard_files
import servers
from promql import metric_of, selectors_of

DAY = 86400


def missing_prometheus():
    for tool in ("prometheus", "promtool"):
        if not shutil.which(tool):
            return "NO PROMETHEUS: prometheus and promtool are not in PATH; scripts/test provides them"
    return ""


class Listed:
    """A list of reasons, and which of its entries were needed."""

    def __init__(self, reasons):
        self.reasons, self.needed = reasons, set()

    def reason(self, text):
        found = [pattern for pattern in self.reasons if re.fullmatch(pattern, text, re.DOTALL)]
        self.needed.update(found)
        return self.reasons[found[0]] if found else None

    def idle(self):
        return sorted(self.reasons.keys() - self.needed)


class QueryTrial:
    """Scrapes `server` as the job that `job` names, with more `keys` of a scrape configuration and of Prometheus' own.

    The lists have reasons by regular expressions: `no_metric` metrics that aren't there, `no_data` queries that find nothing
    whatever metrics there are, `only_trouble` queries that show only what is in trouble, whose selectors find data."""

    def __init__(self, server, folder, job, *, no_metric=(), no_data=(), only_trouble=(), scrape_keys=(), **keys):
        server.whole_page()
        began = time.monotonic()
        server.text()
        # Two scrapes must have different samples, which are a second apart, or irate() is 0. A sanitizer may need longer.
        self.seconds = 1 + math.ceil(4 * (time.monotonic() - began))
        target = {**dict(scrape_keys), "static_configs": [{"targets": [server.url.rpartition("/")[2]]}]}
        self.job = job
        self.prometheus = servers.Prometheus(folder, {job: target}, self.seconds, **keys)
        self.no_metric, self.no_data, self.only_trouble = (Listed(dict(reasons)) for reasons in (no_metric, no_data, only_trouble))
        self.answers = {}

    def queries(self, dashboards, rule_names):
        """All of a folder's dashboards, with values for variables, and of the rules that Prometheus has."""
        for dashboard in dashboard_files.dashboards(dashboards):
            queries, values = dashboard.variables(self.builtin, self.label_values)
            yield from queries
            for query in dashboard.queries():
                yield dataclasses.replace(query, text=dashboard_files.substitute(query.text, values))
        yield from dashboard_files.rules_of(self.prometheus, rule_names)

    def close(self):
        self.prometheus.close()

    def wait(self, intervals=4):
        """Until there are samples of so many of `interval`, in which there is enough to try and for a rate. Some queries look
        one interval back or ahead."""
        self.prometheus.wait_for({self.job: ""})
        interval = 4 * self.seconds
        self.now = self.wait_for_samples(intervals * interval) - interval
        self.builtin = {"__rate_interval": f"{interval}s", "__interval": f"{interval}s", "__range": f"{interval}s",
                        "__from": str(int(self.now - 30 * DAY) * 1000), "__to": str(int(self.now) * 1000)}

    def wait_for_samples(self, seconds):
        """Waits until there are samples of so long a time without a failure; returns the newest one's time."""
        def newest():
            answer = self.prometheus.get("query", query=f'up{{job="{self.job}"}}[1h]')["result"]
            times = []
            for at, value in answer[0]["values"] if answer else ():
                times = [*times, at] if value == "1" else []
            return times[-1] if times and times[-1] - times[0] >= seconds else None
        return servers.wait_until(newest, "samples")

    def answer(self, query):
        if query not in self.answers:
            self.answers[query] = self.prometheus.get("query", query=query, time=self.now)["result"]
        return self.answers[query]

    def finds(self, query):
        """Whether there is a number. Dashboards don't show what is none, such as 0 / 0."""
        answer = self.answer(query)
        if answer and not isinstance(answer[0], dict):
            return True  # a scalar
        return any(series["value"][1] != "NaN" for series in answer)

    def label_values(self, selector, label):
        series = [entry["metric"] for entry in self.answer(selector)]
        if strange := [labels for labels in series if label not in labels]:
            raise AssertionError(f"{selector} has no label {label}: {strange[0]}")
        return sorted({labels[label] for labels in series})

    def empty_selectors(self, query):
        """Those that find nothing. An alert may be about a state, which has a series only while something is in it: there the metric
        has to be found."""
        empty = sorted({selector for selector in selectors_of(query.text) if not self.finds(selector)})
        return [selector for selector in empty if query.kind != "alert" or not self.finds(metric_of(selector))]

    def outcome(self, query):
        """What is wrong, or the reason why nothing is found; two empty texts if data is found."""
        trouble = self.only_trouble.reason(query.text)
        if not query.logs and query.kind != "alert" and not trouble and self.finds(query.text):
            return "", ""
        if query.logs or not selectors_of(query.text):
            return self.explained(query)
        empty = self.empty_selectors(query)
        reasons = {selector: self.no_metric.reason(metric_of(selector)) for selector in empty}
        if unknown := [selector for selector in empty if not reasons[selector]]:
            return f"there is no {', '.join(unknown)}", ""
        if reasons:
            return "", next(iter(reasons.values()))
        if trouble or query.kind == "alert":
            return "", trouble or ""
        return self.explained(query)

    def explained(self, query):
        reason = self.no_data.reason(query.text)
        return ("", reason) if reason else ("finds nothing", "")

    def errors_of_rules(self):
        return [(rule["name"], rule["lastError"]) for group in self.prometheus.get("rules")["groups"]
                for rule in group["rules"] if rule["health"] != "ok"]
