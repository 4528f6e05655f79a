"""Workers that are killed at random moments, and then the exporter itself."""

import os
import pathlib
import random
import time

from catalogue import DEVICE
from machines import Native, describe, kill
from pages import REQUESTS, Scrape, Scraper, of_workers
from trial import DEADLINE, WELL_AGE, say, wait


def kill_workers(machine, url, options):
    """Kills workers at random moments, and returns how many were killed."""
    chance = random.Random(options.seed)
    killed = 0
    for _ in range(options.kill):
        moment = time.monotonic() + chance.uniform(0.05, 1.5)
        wait(lambda moment=moment: time.monotonic() >= moment, DEADLINE)
        if wait(machine.workers, 30) is None:
            break
        pids = machine.workers()
        if pids:
            kill(chance.choice(sorted(pids)))
            killed += 1
            say(f"killed {killed} of {options.kill}")
        if machine.exporter.popen.poll() is not None:
            break
    return killed


def decreases(scrapes):
    """Returns the pairs of values of the growing counter that decreased from page to page."""
    values = [scrape.values[REQUESTS] for scrape in scrapes if REQUESTS in scrape.values]
    return [(before, after) for before, after in zip(values, values[1:]) if after < before], len(values)


def orphans(machine):
    """Returns the exporter's processes whose parent isn't one of them. Under Wine, parents are unknown."""
    if not isinstance(machine, Native):
        return []
    parents = {pid: int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
               for pid in machine.workers() if pathlib.Path(f"/proc/{pid}").exists()}
    return [pid for pid, parent in parents.items() if parent == os.getpid()]


def run_kill(machine, options):
    countersets = (*machine.honest, DEVICE)
    try:
        url = machine.start()
        wait(lambda: Scrape(url).are_well(countersets, WELL_AGE), DEADLINE, "not all countersets are well at first")
        first = len(machine.workers())
        scraper = Scraper(url, 0.02)
        killed = kill_workers(machine, url, options)
        recovery = wait(lambda: Scrape(url).are_well(countersets, WELL_AGE), options.recovery)
        scrapes = scraper.stop()
        wrong, compared = decreases(scrapes)
        seen = {"workers": first, "killed": killed, "recovery": recovery, "scrapes": len(scrapes),
                "lived": machine.exporter.popen.poll() is None,
                "scrape_errors": [scrape.error for scrape in scrapes if scrape.error],
                "malformed": sum(scrape.is_malformed for scrape in scrapes),
                "slowest_scrape": round(max(scrape.seconds for scrape in scrapes), 2),
                "values_compared": compared, "values_decreased": wrong,
                "pages_without_value": sum(not scrape.error and REQUESTS not in scrape.values for scrape in scrapes),
                "workers_after": of_workers(Scrape(url).values),
                "orphans": [describe(pid) for pid in orphans(machine)]}
        say("killing the exporter itself")
        last = machine.workers()
        machine.exporter.popen.kill()
        machine.exporter.popen.wait()
        seen["children_of_killed_exporter"] = len(last)
        seen["children_gone_after"] = wait(lambda: not machine.workers(), 2)
        seen["survivors"] = [describe(pid) for pid in machine.workers()]
    finally:
        machine.stop_everything()
    wanted = {"the exporter died": not seen["lived"], "there was no worker to kill": killed == 0,
              f"only {killed} of {options.kill} workers were killed": 0 < killed < options.kill,
              f"scrapes that failed: {len(seen['scrape_errors'])}": seen["scrape_errors"], "pages were malformed": seen["malformed"],
              "a growing counter decreased": wrong, "no value was compared": compared < 2,
              "there were orphans": seen["orphans"], "processes survived the exporter": seen["survivors"],
              "the countersets did not recover": recovery is None}
    for name, value in seen.items():
        print(f"{name}: {value if name != 'scrape_errors' else value[:5]}")
    return seen, [f"kill: {text}" for text, is_so in wanted.items() if is_so]
