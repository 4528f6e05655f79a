"""One fault in one exporter, which is scraped meanwhile, and what was seen."""

import contextlib
import math
import pathlib
import re
import signal
import subprocess
import sys
import time

from catalogue import DEVICE, MOST_GROWTH_MIB, NOTHING
from environment import ENVIRONMENT, NotHere
from machines import Native, describe
from pages import Scrape, Scraper, counted, error_of, of_workers

SCRAPE_INTERVAL = 0.2
WELL_AGE = 2.5  # of countersets that are sampled each second, on a busy machine
STOP_SECONDS = 2  # the documented limit, whatever a provider does
DEADLINE = 60
SLOW_DEADLINE = 180  # with a sanitizer: a call that misses its first deadlines rests for up to a minute
FIRST_TIME = 5  # a fault may harm others for the interval, and the longest deadline of machines.py, and a second
PATIENCE = 10  # seconds that a fault lasts longer until the culprit has its error
OF_NO_PROVIDER = ("perflib.", "registry.text_tables")  # calls that Windows answers itself
# The DLL of the simulated machine has the same name.
NAMED = re.compile(r'winperf_exporter_provider_harm_total\{provider="faulty",library="faulty\.dll"\}', re.IGNORECASE)
NAMED_IN_LOG = re.compile(r'provider \\?"faulty\\?".*\bfaulty\.dll|\bfaulty\.dll.*provider \\?"faulty\\?"', re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


class Unexpected(Exception):
    """The trial itself failed."""


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def wait(condition, seconds, what=None, interval=0.05):
    """Polls the condition at this interval. Returns the seconds that it took; afterwards None, or with `what`, raises."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            if what:
                raise Unexpected(f"after {seconds} s, {what}")
            return None
        time.sleep(interval)
    return round(time.monotonic() - began, 1)


def private_mib(pids):
    """Returns the memory that these processes have for themselves."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    total += int(line.split()[1])
    return round(total / 1024, 1)


def oldest(scrapes, countersets):
    """Returns the greatest age on these pages; None without a page."""
    ages = [scrape.ages(countersets) for scrape in scrapes if scrape.error is None]
    return round(max(ages), 1) if ages else None


class Trial:
    # Held while an exporter starts, by those that run at once. Starting costs the most by far: if all of them did it at the same
    # time, their first calls would miss their deadlines, and rest.
    starting = contextlib.nullcontext()

    def __init__(self, machine, fault, options):
        self.machine, self.options = machine, options
        self.deadline = SLOW_DEADLINE if options.slack else DEADLINE
        self.fault = fault.on(not isinstance(machine, Native))
        self.environment = ENVIRONMENT[fault.word](self) if fault.is_of_environment else None
        # Wine opens and closes all providers in each query. The simulated machine, like Windows, opens one once, so that a fault
        # in Open has to be there from the start; and closes it with the key, so that one in Close has to stay until the end.
        self.is_early = fault.point == "open" and isinstance(machine, Native)
        self.is_held = fault.point == "close" and isinstance(machine, Native)
        self.culprit = fault.culprit or DEVICE
        self.countersets = machine.configure(fault)
        self.seen = {"fault": fault.word, "lived": True, "errors": [], "said": [], "wrong": [], "scrapes": 0, "scrape_errors": [],
                     "slowest_scrape": 0, "honest_age_before": None, "honest_age_during": None, "honest_age_later": None,
                     "processes_before": 0, "processes_during": 0, "left": []}

    def run(self):
        try:
            if self.environment:
                self.environment.prepare()
            if self.is_early:
                self.machine.tell(self.fault.told)
            with self.starting:
                is_started = self.start()
                if is_started:
                    self.begin()
            if is_started:
                self.during()
            if self.is_alive():
                self.end()
                self.recovery()
                if self.environment and self.is_alive():
                    self.seen["wrong"] += self.environment.check()
                self.stop()
            self.find_left()
        except NotHere as reason:
            self.seen["not_here"] = str(reason)
        finally:
            self.machine.stop_everything()
        return self.seen

    def start(self):
        """Whether the exporter listens. One that ends before that, with a fault in place, died of it."""
        try:
            self.url = self.machine.start()
            return True
        except AssertionError:
            if not self.is_early or self.is_alive():
                raise
            self.seen.update(lived=False, died_after=0, exit_code=self.machine.exporter.popen.returncode)
            return False

    def begin(self):
        if self.is_early:
            self.counted_before = counted(Scrape(self.url).values, self.culprit)
            # On a slow machine the first deadline may be over only after all that is watched.
            if self.options.slack:
                wait(lambda: self.well(self.machine.honest) or not self.is_alive(), self.deadline)
            return
        self.before()
        if self.environment:
            self.environment.begin()
        else:
            self.machine.tell(self.fault.told)

    def end(self):
        if self.environment:
            self.environment.end()
        elif not self.is_held:
            self.machine.tell("")

    def is_alive(self):
        return self.machine.exporter.popen.poll() is None

    def well(self, countersets, since=-math.inf):
        """Whether they are well, each with a sample that was taken after a moment."""
        scrape = Scrape(self.url)
        return scrape.are_well(countersets, min(WELL_AGE + self.options.slack, scrape.began - since))

    def before(self):
        def is_ready():
            if not self.is_alive():
                raise Unexpected(f"the exporter ended by itself: {self.machine.exporter.output()}")
            return self.well(self.countersets)
        wait(is_ready, self.deadline, "not all countersets are well before the fault", SCRAPE_INTERVAL)
        # One more round, so that the greatest age before the fault is that of a running exporter.
        scraper, began = Scraper(self.url, SCRAPE_INTERVAL), time.monotonic()
        wait(lambda: time.monotonic() - began > 1.5, self.deadline)
        scrapes = scraper.stop()
        self.counted_before = counted(scrapes[-1].values, self.culprit)
        self.seen["honest_age_before"] = oldest(scrapes, self.machine.honest)
        self.seen["workers_before"] = of_workers(scrapes[-1].values)
        self.seen["processes_before"] = len(self.machine.workers())
        self.seen["memory_before"] = self.memory()

    def memory(self):
        """Returns the private MiB of the exporter and of all its workers."""
        exporter = self.machine.main_pids()
        return [private_mib(exporter), private_mib(set(self.machine.of_exporter()) - set(exporter))]

    def during(self):
        scraper, began = Scraper(self.url, SCRAPE_INTERVAL), time.monotonic()
        pids, errors, most = set(self.machine.workers()), self.seen["errors"], [0, 0]
        terminal = self.fault.point in ("data", "v2") and self.terminal()
        while self.is_alive() and self.goes_on(time.monotonic() - began, errors):
            pids.update(self.machine.workers())
            most = [max(pair) for pair in zip(most, self.memory())]
            error = error_of(self.url, self.culprit)
            if error and error not in errors and not error.startswith("(no answer"):
                errors.append(error)
            scraper.stopped.wait(SCRAPE_INTERVAL)
        died = None if self.is_alive() else time.monotonic()
        scrapes = scraper.stop()
        # A scrape that began after the end says nothing more than that the exporter has ended.
        self.judge([scrape for scrape in scrapes if died is None or scrape.began < died], began)
        if self.fault.is_named and died is None:
            self.seen["unnamed_by"] = self.unnamed_by()
        if terminal:
            self.seen["wrong"].append(f"a table has control characters: {terminal}")
        self.seen.update(lived=died is None, processes_during=len(pids), memory_most=most)
        if died is not None:
            self.seen.update(died_after=round(died - began, 1), exit_code=self.machine.exporter.popen.returncode)

    def goes_on(self, seconds, errors):
        """Whether the fault lasts longer: if the culprit should have an error, a busy machine may need more time for it."""
        is_awaited = self.fault.says not in (None, NOTHING) and not errors
        return seconds < self.options.seconds + (max(self.options.slack, PATIENCE) if is_awaited else 0)

    def judge(self, scrapes, began):
        answered = [scrape for scrape in scrapes if scrape.error is None]
        later = [scrape for scrape in answered if scrape.began > began + FIRST_TIME]
        counts = [counted(scrape.values, self.culprit) for scrape in answered]
        said = {what for count in counts for what, value in count.items() if value > self.counted_before.get(what, 0)}
        self.seen.update(
            scrapes=len(scrapes), scrape_errors=[scrape.error for scrape in scrapes if scrape.error],
            slowest_scrape=round(max((scrape.seconds for scrape in scrapes), default=0), 2),
            honest_age_during=oldest(answered, self.machine.honest), honest_age_later=oldest(later, self.machine.honest),
            said=[*self.seen["errors"], *sorted(said)],
            stale_shown=[shown for scrape in answered for shown in scrape.stale_shown()],
            is_named=any(NAMED.match(name) for scrape in answered for name in scrape.values),
            forged=any("winperf_forged" in scrape.values for scrape in answered),
            workers_during=of_workers(answered[-1].values) if answered else {})

    def unnamed_by(self):
        """Returns where the DLL and the service of a provider that does harm aren't named, while it still does it."""
        places = [] if NAMED_IN_LOG.search(self.machine.exporter.output()) else ["log"]
        if self.fault.is_seen_once:
            doctor = self.machine.ask("doctor", self.culprit).lower()
            places += [] if 'provider "faulty"' in doctor and "faulty.dll" in doctor else ["doctor"]
        return places

    def terminal(self):
        """Returns what a terminal would obey in the tables that the program prints; an empty text if there is nothing."""
        if self.fault.told not in ("control_data", "newline_data", "labels_data", "control_v2", "newline_v2"):
            return ""
        found = CONTROL.search(self.machine.ask("query", self.culprit))
        return repr(found.group()) if found else ""

    def recovery(self):
        over = time.monotonic()
        for name, countersets in (("honest_back", self.machine.honest), ("culprit_back", [self.culprit])):
            if name == "culprit_back" and (self.is_held or not self.fault.back):
                left = WELL_AGE
            else:
                left = self.options.recovery - (time.monotonic() - over)
            seconds = wait(lambda countersets=countersets: self.well(countersets, over), max(0, left))
            self.seen[name] = None if seconds is None else round(time.monotonic() - over, 1)
        self.seen["workers_after"] = of_workers(Scrape(self.url).values)
        self.seen["memory_after"] = self.memory()

    def stop(self):
        popen = self.machine.exporter.popen
        began = time.monotonic()
        popen.send_signal(signal.SIGINT)
        try:
            code = popen.wait(15)
        except subprocess.TimeoutExpired:
            code = None
        self.seen["stop_code"], self.seen["stop_seconds"] = code, round(time.monotonic() - began, 2)

    def find_left(self):
        """A child may need a moment to end; what is still there after 2 s is left behind."""
        if self.machine.exporter.popen.poll() is not None:
            wait(lambda: not self.machine.workers(), 2)
            self.seen["left"] = [describe(pid) for pid in self.machine.workers()]
        else:
            self.seen["left"] = ["the exporter itself"]


def disappointments(seen, fault, options):
    """Returns what an exporter that survives every fault wouldn't have done."""
    if "trouble" in seen:
        return [seen["trouble"]]
    if "not_here" in seen:
        return []
    found = [f"left behind: {', '.join(seen['left'])}"] if seen["left"] else []
    if not seen["lived"]:
        return [f"the exporter died (exit code {seen['exit_code']})", *found]
    if seen["scrape_errors"]:
        found.append(f"scrapes that failed: {len(seen['scrape_errors'])} ({seen['scrape_errors'][0]})")
    found += [*disappointments_of_words(seen, fault, options), *seen["wrong"]]
    found += disappointments_of_ages(seen, fault, options)
    if seen["honest_back"] is None:
        found.append("the honest countersets did not recover")
    if fault.back and seen["culprit_back"] is None:
        found.append("the counterset of the fault did not recover")
    growth = seen["memory_after"][0] - seen.get("memory_before", seen["memory_after"])[0]
    # A sanitizer keeps freed blocks, and its own books of each.
    if growth > MOST_GROWTH_MIB * (3 if options.slack else 1):
        found.append(f"the exporter kept {growth:.0f} MiB more")
    if seen["stop_code"] != 0:
        found.append("it did not stop" if seen["stop_code"] is None else f"it stopped with exit code {seen['stop_code']}")
    if seen["stop_seconds"] > STOP_SECONDS + options.slack:
        found.append(f"the stop took {seen['stop_seconds']} s")
    return found


def disappointments_of_ages(seen, fault, options):
    asleep = options.seconds if fault.word.startswith("sleep_") else 0
    found = []
    age, later = seen["honest_age_during"] or 0, seen["honest_age_later"] or 0
    # With a fault in Open, nothing has been sampled at first.
    if age > fault.age + asleep + options.slack and not (math.isinf(age) and fault.point == "open"):
        found.append(f"an honest counterset was {age} s old")
    if later > fault.later + asleep + options.slack:
        found.append(f"an honest counterset was still {later} s old after {FIRST_TIME} s of it")
    return found


def disappointments_of_words(seen, fault, options):
    found = []
    # On a slow machine anything may be late.
    late = [text for text in seen["said"] if options.slack and ("timed out" in text or text == "problem timed_out")]
    nameless = [error for error in seen["errors"]
                if 'provider "faulty" ' not in error.lower() and not (error in late and error.startswith(OF_NO_PROVIDER))]
    if nameless and fault.names_provider and fault.point in ("collect", "open", "close"):
        found.append(f"a reason without the provider's name: {nameless[0]}")
    said = [text for text in seen["said"] if text not in late]
    if fault.says == NOTHING and said:
        found.append(f"it said: {said[0]}")
    if fault.says not in (None, NOTHING) and not late and not any(re.search(fault.says, text, re.IGNORECASE) for text in said):
        found.append(f"it did not say \"{fault.says}\", but: {'; '.join(seen['said']) or 'nothing'}")
    if fault.is_named and not options.slack and not seen.get("is_named"):
        found.append("no metric says that the provider did harm")
    found += [f"not named: {where}" for where in seen.get("unnamed_by", ()) if not options.slack]
    if seen.get("stale_shown"):
        found.append(f"a page was wrong about stale values: {seen['stale_shown'][0]}")
    if seen.get("forged"):
        found.append("a series was forged")
    return found
