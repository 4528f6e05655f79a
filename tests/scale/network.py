"""The machines of the simulated network (tests/simulator/network/behaviour.h) that an exporter is given as targets."""

# In percent of all targets; the others are well-behaved. At least one of each.
SHARES = {"slow": 4, "reboots": 4, "renumbered": 4, "german": 4, "old": 4, "lies": 2, "hang": 2, "hangs-later": 1, "crash": 1,
          "gone": 2, "denied": 2}
ANSWERING = ("srv", "slow", "reboots", "renumbered", "german", "old")
# Cost the process that reads them, each time.
HARMFUL = ("hang", "hangs-later", "crash")
# Never have a value.
SILENT = ("hang", "crash", "gone", "denied")


def hosts(count):
    """Names by behaviour, `count` in all."""
    counts = {behaviour: max(1, count * share // 100) for behaviour, share in SHARES.items()}
    counts = {"srv": count - sum(counts.values()), **counts}
    return {behaviour: [f"{behaviour}-{number:03}" for number in range(1, number_of + 1)] for behaviour, number_of in counts.items()}


def names_of(network, behaviours):
    return {name for behaviour in behaviours for name in network[behaviour]}


# Prometheus has to bear what the exporter shows, on the same processors: of the processes, all of which are read, a few.
PROCESSES = {"max": 10, "by": "Working Set"}


def countersets(everything):
    """As an exporter samples by default."""
    return [{"name": ["Processor Information", "Processor"]}, "Memory", "LogicalDisk", "PhysicalDisk", "Network Interface",
            "System", "Process" if everything else {"name": "Process", "instances": PROCESSES}, "TCPv4"]


def configuration(network, interval, workers, everything):
    """The exporter's, with this machine's own part as small as it may be. `everything`: all that it shows by default."""
    target = {"interval": f"{interval}s", "countersets": countersets(everything)}
    others = sorted(names_of(network, set(network) - {"srv", "german"}))
    return {
        "countersets": ["System"],
        "interval": f"{interval}s",
        "facts": [],
        "metrics": {"values": "both" if everything else "raw", "detail": "full"},
        "limits": {"query_timeout": f"{max(2, interval // 3)}s"},
        "remote": {"workers": workers},
        "targets": [{"host": network["srv"], "labels": {"site": "main"}, **target},
                    {"host": network["german"], "path": "auto", **target},
                    {"host": others, **target}],
    }
