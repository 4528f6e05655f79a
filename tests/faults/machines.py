"""Where the exporter is tried: on the simulated machine, or under Wine with real provider DLLs. Both start it, tell the
provider what to do, and know the processes that belong to it."""

import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from catalogue import DEVICE, WAVES  # first: it makes e2e_support known
from e2e_support import Process, WinePrefix, windows_path
from pages import STALE_AFTER

LISTENING = r"listening on (http://[\d.:]+\d)"
PR_SET_CHILD_SUBREAPER = 36
# A crash stays one. What a killed process had is no leak, and memory that is kept to find wrong uses would hide what is kept.
SANITIZER = ":".join((*(f"handle_{name}=0" for name in ("segv", "sigbus", "abort", "sigill", "sigfpe")), "abort_on_error=1",
                      "detect_leaks=0", "quarantine_size_mb=1", "symbolize=0",
                      "thread_local_quarantine_size_kb=64", "verify_asan_link_order=0"))


def configuration(countersets):
    # Facts aren't what is tried. On a slow machine their first readings, eighteen of them, miss this short deadline, each costs a
    # process, and what starting these takes lets everything else miss its own.
    return {"interval": "1s", "stale_after": f"{STALE_AFTER}s", "listen": {"address": "127.0.0.1", "port": 0},
            "limits": {"query_timeout": "3s"}, "countersets": countersets, "facts": []}


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

    def configure(self, fault=None):
        """Writes the configuration for a fault. Returns the names of all countersets in it."""
        names = [*self.honest, DEVICE]
        if fault is not None and fault.culprit not in (None, DEVICE):
            names.append(fault.culprit)
        # Of V2 data that is wrong, the registry would have the same as V1 data that is right.
        self.settings = configuration([{"name": name, "path": "perflib"} if name == WAVES else name for name in names])
        if fault is not None:
            self.settings["workers"] = {"isolation": fault.isolation}
        self.write_config()
        return names

    def change_config(self, **sections):
        self.settings.update(sections)
        self.write_config()

    def write_config(self):
        self.config.write_text(json.dumps(self.settings))

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
        self.environment = {**os.environ, "WINPERF_SIMULATOR": "faulty", "WINPERF_FAULT_FILE": str(self.control_file),
                            "ASAN_OPTIONS": f"{SANITIZER}:{os.environ.get('ASAN_OPTIONS', '')}"}
        self.before_exporter = []  # a command that starts it
        self.configure()
        self.mine = {os.getpid(), *descendants(os.getpid())}

    def configure(self, fault=None):
        names = super().configure(fault)
        if fault is not None and fault.is_for_all:
            self.environment["WINPERF_SIMULATOR"] = "faulty eager"
        return names

    def launch(self):
        return Process([*self.before_exporter, self.executable, "run", "--config", self.config], self.environment,
                       self.folder / "exporter.txt")

    def ask(self, command, counterset):
        """Returns what the command prints about it, for people."""
        result = subprocess.run([self.executable, command, counterset, "--config", self.config], env=self.environment,
                                capture_output=True, timeout=60, check=False)
        return result.stdout.decode("utf-8", "replace")

    def signal_reload(self):
        self.exporter.popen.send_signal(signal.SIGHUP)

    def main_pids(self):
        return [self.exporter.popen.pid]

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
            self.control_file = self.prefix.folder / "faulty.txt"  # beside the DLL
            self.config = self.prefix.folder / "exporter.json"
            self.configure()
            # A copy, because a fault replaces it.
            self.faulty = pathlib.Path(shutil.copy(faulty, self.prefix.folder / "faulty.dll"))
            self.register(dll=sysperf)
            self.prefix.register_faulty(dll=self.faulty)
        except BaseException:
            self.prefix.close()
            raise

    def register(self, *options, **files):
        result = self.prefix.register(*options, **files)
        if result.code != 0:
            raise AssertionError(f"registering {files['dll']} failed: {result.errors}")

    def launch(self):
        return self.prefix.start(windows_path(self.executable), "run", "--config", windows_path(self.config))

    def ask(self, command, counterset):
        result = self.prefix.run(windows_path(self.executable), command, counterset, "--config", windows_path(self.config))
        return result.output

    def main_pids(self):
        """Returns the process of the Windows program itself, and not of those that it has started."""
        return [pid for pid in self.of_exporter() if b"worker" not in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]

    def of_exporter(self):
        return self.prefix.pids(self.executable.name)

    def __exit__(self, *_):
        self.stop_everything()
        self.prefix.close()
