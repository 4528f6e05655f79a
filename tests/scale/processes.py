"""What a process and its children take of this machine, by /proc."""

import os
import pathlib

TICKS = os.sysconf("SC_CLK_TCK")


def fields_of(pid):
    """Those of /proc/PID/stat that come after the name, which may contain blanks."""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def status_of(pid, name):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    return 0  # a process that ends has no memory any more


def children_of(parent):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and fields_of(entry.name)[1] == str(parent):
                found.append(int(entry.name))
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has ended
    return found


class Usage:
    """At one moment: seconds of CPU of the process and of all children that it has or had, memory in MB, threads."""

    def __init__(self, pid):
        user, system, ended_user, ended_system = (int(ticks) / TICKS for ticks in fields_of(pid)[11:15])
        self.cpu = user + system
        self.children_cpu = ended_user + ended_system
        self.rss = status_of(pid, "VmRSS") / 1024
        self.threads = status_of(pid, "Threads")
        self.children = 0
        self.children_rss = 0
        for child in children_of(pid):
            try:
                self.children_cpu += sum(int(ticks) / TICKS for ticks in fields_of(child)[11:13])
                self.children_rss += status_of(child, "VmRSS") / 1024
                self.children += 1
            except (FileNotFoundError, ProcessLookupError):
                pass
