"""What was seen, as Markdown. As a program, it prints the tables of docs/fault-tables.md from two files that --out has written."""

import json
import pathlib
import re
import sys

from catalogue import GROUPS, KNOWN

HEAD = ("fault", "others' age", "later", "said", "back", "MiB before, most, after", "scrapes, slowest", "stop", "verdict")


def cell(value):
    return "-" if value is None else str(value)


def row(seen):
    if "trouble" in seen or "not_here" in seen:
        return [seen["fault"], f"NOT TRIED: {seen.get('trouble', seen.get('not_here'))}"] + ["-"] * (len(HEAD) - 2)
    if not seen["lived"]:
        return [seen["fault"], f"DIED after {seen['died_after']} s, exit {seen['exit_code']}"] + ["-"] * (len(HEAD) - 2)
    age, later, back = seen["honest_age_during"], seen["honest_age_later"], seen["culprit_back"]
    memory = [seen.get(f"memory_{when}", ["-"])[0] for when in ("before", "most", "after")]
    answered = seen["scrapes"] - len(seen["scrape_errors"])
    return [
        f"`{seen['fault']}`", "none yet" if age in (None, float("inf")) else f"{age} s", cell(later), "; ".join(seen["said"]) or "-",
        "not" if back is None else f"{back} s", ", ".join(map(cell, memory)),
        f"{answered}/{seen['scrapes']}, {seen['slowest_scrape']} s", f"{cell(seen['stop_code'])}, {seen['stop_seconds']} s",
        seen["verdict"]]


def print_table(results):
    print("| " + " | ".join(HEAD) + " |")
    print("|" + "---|" * len(HEAD))
    for seen in results:
        print("| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in row(seen)) + " |")


# --- the tables of docs/fault-tables.md ---


def short(seen):
    """Returns what the documented table says about one fault on one machine: ages, words, recovery, memory afterwards."""
    if seen is None or "trouble" in seen or "not_here" in seen:
        return ["-"] * 5
    said = [text.removeprefix('provider "Faulty" ').removeprefix('provider "faulty" ') for text in seen["said"]]
    # A worker that was lost is counted too, and a reason that is repeated has other numbers.
    counts = {text for text in said if text.startswith(("problem ", "missing "))}
    reasons = [re.sub(r": \d.*", "", re.sub(r" at offset \d+", "", text)) for text in said if text not in counts]
    age, later, back = seen["honest_age_during"], seen["honest_age_later"], seen["culprit_back"]
    return ["none yet" if age is None else f"{age} s", "-" if later is None else f"{later} s",
            "; ".join(dict.fromkeys(reasons or sorted(counts))) or "-",
            "not" if back is None else f"{back} s", f"{seen['memory_after'][0]:g} MiB"]


def print_document(native, wine):
    for title, faults in GROUPS:
        print(f"\n## {title}\n")
        machines = [machine for machine in (native, wine) if any(fault.word in machine for fault in faults)]
        columns = ["age", "later", "said", "back", "memory"]
        head = ["fault"] + [column + (", Wine" if machine is wine and len(machines) > 1 else "")
                            for machine in machines for column in columns]
        print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
        for fault in faults:
            cells = [cell for machine in machines for cell in short(machine.get(fault.word))]
            note = " (known)" if fault.word in KNOWN else ""
            print("| " + " | ".join([f"`{fault.word}`{note}", *cells]) + " |")


if __name__ == "__main__":  # the files that --out has written: of the simulated machine, and of Wine
    files = [json.loads(pathlib.Path(name).read_text())["seen"] for name in sys.argv[1:3]]
    print_document(*({seen["fault"]: seen for seen in file} for file in files))
