"""The exporter's pages: a strict reader of /metrics, and a scraper that goes on in the background."""

import http.client
import json
import re
import threading
import time
import urllib.error
import urllib.request

TIMEOUT_SECONDS = 10  # Prometheus' default
STALE_AFTER = 4  # seconds, as every configuration here says
SERIES = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\]|\\[\\"n])*",?)*\})?) (\S+)')
COMMENT = re.compile(r"# (HELP|TYPE) \S+ .*")
REQUESTS = "winperf_faulty_device_requests"  # grows, whoever samples it


class Malformed(Exception):
    """A page that is not in Prometheus' text format."""


def parse(text):
    """Returns the values of a page by series."""
    if not text.endswith("\n"):
        raise Malformed(f"the page is cut off: ...{text[-60:]!r}")
    values = {}
    for line in text.split("\n")[:-1]:
        match = SERIES.fullmatch(line)
        if match is None:
            if COMMENT.fullmatch(line) is None:
                raise Malformed(f"a line is malformed: {line[:100]!r}")
        elif match[1] in values:
            raise Malformed(f"a series occurs twice: {match[1]}")
        else:
            values[match[1]] = float(match[2])
    return values


def per_counterset(values, metric):
    """Returns the values of one of the exporter's own metrics by counterset."""
    label = re.compile(rf'winperf_exporter_{metric}\{{counterset="(.*)"\}}')
    return {match[1]: value for series, value in values.items() if (match := label.fullmatch(series))}


def counted(values, counterset):
    """Returns what the exporter has counted about a counterset: by "problem REASON" and the like."""
    labels = rf'\{{counterset="{re.escape(counterset)}",reason="(\w+)"\}}'
    label = re.compile(rf"winperf_exporter_(problems_total|values_missing){labels}")
    words = {"problems_total": "problem", "values_missing": "missing"}
    found = {f"{words[match[1]]} {match[2]}": value for series, value in values.items() if (match := label.fullmatch(series))}
    for metric, what in (("counterset_unnamed_counters", "unnamed counters"), ("counterset_not_numeric_counters", "not numeric"),
                         ("counterset_fallback", "fallback"), ("counterset_duplicate_series", "duplicate series")):
        found[what] = per_counterset(values, metric).get(counterset, 0)
    return found


def of_workers(values):
    return {series: value for series, value in values.items() if series.startswith("winperf_exporter_worker")}


class Scrape:
    """One request for /metrics: when, how long, and either the page's values or an error."""

    def __init__(self, url):
        self.began = time.monotonic()
        self.values, self.error, self.is_malformed = {}, None, False
        try:
            with urllib.request.urlopen(url + "/metrics", timeout=TIMEOUT_SECONDS) as response:
                self.values = parse(response.read().decode("utf-8"))
        except (OSError, http.client.HTTPException) as error:  # among them statuses other than 200
            self.error = str(error) or repr(error)
        except (Malformed, ValueError) as error:
            self.error, self.is_malformed = str(error), True
        self.seconds = time.monotonic() - self.began

    def ages(self, countersets):
        """Returns the age of the oldest of these countersets; infinite without a page or without one of them."""
        ages = per_counterset(self.values, "counterset_sample_age_seconds")
        return max(ages.get(name, float("inf")) for name in countersets)

    def stale_shown(self):
        """Returns the countersets whose values are on the page although they are older than that, or that are wrongly called so."""
        series, stale = (per_counterset(self.values, f"counterset_{what}") for what in ("series", "stale"))
        return [f"{name}, {age} s old, has {series[name]:.0f} series"
                for name, age in per_counterset(self.values, "counterset_sample_age_seconds").items()
                if (age > STALE_AFTER) != (stale[name] == 1) or (age > STALE_AFTER and series[name] != 0)]

    def are_well(self, countersets, oldest):
        success = per_counterset(self.values, "counterset_success")
        return all(success.get(name) == 1 for name in countersets) and self.ages(countersets) <= oldest


class Scraper:
    """Scrapes in a thread of its own until it is stopped, each time after `interval` seconds."""

    def __init__(self, url, interval):
        self.url, self.interval = url, interval
        self.scrapes = []
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.stopped.is_set():
            scrape = Scrape(self.url)
            self.scrapes.append(scrape)
            self.stopped.wait(max(0, self.interval - scrape.seconds))

    def stop(self):
        self.stopped.set()
        self.thread.join()
        return self.scrapes


def error_of(url, counterset):
    """Returns what /api/v1/sample says is wrong with a counterset, or None."""
    try:
        with urllib.request.urlopen(url + "/api/v1/sample", timeout=TIMEOUT_SECONDS) as response:
            document = json.load(response)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return f"(no answer: {error})"
    for entry in document["countersets"]:
        if entry["name"] == counterset:
            return entry["error"] or entry.get("damage")
    return "(the counterset is missing)"
