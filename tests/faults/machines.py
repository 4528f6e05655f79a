"""Where the exporter is tried: on the simulated machine, or under Wine with real provider DLLs. Both start it, tell the
provider what to do, and know the processes that belong to it."""

import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from e2e_support import TESTS, Process, WinePrefix, windows_path  # noqa: E402

FAULTY_DEVICE = "Faulty Device"
FAULTY_INI = TESTS / "providers/faulty/faulty.ini"
LISTENING = r"listening on (http://[\d.:]+\d)"
PR_SET_CHILD_SUBREAPER = 36


def configuration(countersets):
    return json.dumps({"interval": "1s", "listen": {"address": "127.0.0.1", "port": 0},
                       "limits": {"query_timeout": "3s"}, "countersets": [*countersets, FAULTY_DEVICE]})


def processes():
    """Returns parent and state of all processes by id."""
    found = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            found[int(entry.name)] = (int(fields[1]), fields[0])
    return found


def descendants(ancestor):
    """Returns the ids of a process's children and their children, without those that have ended."""
    every = processes()
    found, parents = [], {ancestor}
    while parents:
        parents = {pid for pid, (parent, _) in every.items() if parent in parents}
        found += [pid for pid in parents if every[pid][1] not in "ZX"]
    return found


def describe(pid):
    with contextlib.suppress(OSError):
        command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        return f"{pid}: {command.strip()}"
    return str(pid)


def kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class Machine(contextlib.AbstractContextManager):
    """What both kinds of machines have in common. `exporter` is a Process, or None."""

    exporter = None

    def tell(self, word):
        """Writes the control file in one step, because the provider may be reading it."""
        if not word:
            self.control_file.unlink(missing_ok=True)
            return
        scratch = self.control_file.with_suffix(".new")
        scratch.write_text(word + "\n")
        os.replace(scratch, self.control_file)

    def start(self):
        """Starts the exporter, and returns its URL."""
        self.exporter = self.launch()
        return self.exporter.wait_for_line(LISTENING)[1]

    def workers(self):
        """Returns the ids of the exporter's other processes."""
        return [pid for pid in self.of_exporter() if pid != self.exporter.popen.pid]

    def stop_everything(self):
        """Ends, by their ids, all processes that belong to the exporter."""
        if self.exporter is not None and self.exporter.popen.poll() is None:
            self.exporter.popen.kill()
            self.exporter.popen.wait()
        deadline = time.monotonic() + 20
        while (pids := self.of_exporter()) and time.monotonic() < deadline:
            for pid in pids:
                kill(pid)
            time.sleep(0.05)
        self.exporter = None
        self.tell("")


class Native(Machine):
    honest = ("System", "Thing", "Processor Information")
    name = "simulated machine"

    def __init__(self, executable):
        # Processes whose parent has ended become our own children, so that none gets lost.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.executable = executable
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="winperf-faults-"))
        self.control_file = self.folder / "fault"
        self.config = self.folder / "exporter.json"
        self.config.write_text(configuration(self.honest))
        self.environment = {**os.environ, "WINPERF_SIMULATOR": "faulty", "WINPERF_FAULT_FILE": str(self.control_file)}
        self.mine = {os.getpid(), *descendants(os.getpid())}

    def launch(self):
        return Process([self.executable, "run", "--config", self.config], self.environment, self.folder / "exporter.log")

    def of_exporter(self):
        return [pid for pid in descendants(os.getpid()) if pid not in self.mine]

    def __exit__(self, *_):
        self.stop_everything()
        shutil.rmtree(self.folder, ignore_errors=True)


class Wine(Machine):
    honest = ("System", "Processor", "Memory")
    name = "Wine"

    def __init__(self, executable, sysperf, faulty):
        self.executable = executable
        self.prefix = WinePrefix()
        try:
            self.control_file = self.prefix.path / "drive_c/faulty.txt"
            self.config = self.prefix.folder / "exporter.json"
            self.config.write_text(configuration(self.honest))
            for options, ini, dll in (
                    ((), None, sysperf),
                    (("--functions", "OpenFaulty,CollectFaulty,CloseFaulty"), FAULTY_INI, faulty)):
                result = self.prefix.register(*options, **({"ini": ini} if ini else {}), dll=dll)
                if result.code != 0:
                    raise SystemExit(f"registering {dll} failed: {result.errors}")
        except BaseException:
            self.prefix.close()
            raise

    def launch(self):
        return self.prefix.start(windows_path(self.executable), "run", "--config", windows_path(self.config))

    def of_exporter(self):
        return self.prefix.pids(self.executable.name)

    def __exit__(self, *_):
        self.stop_everything()
        self.prefix.close()
