"""Faults that no provider has: of the disk, the clock, the registration and the configuration. Each begins and ends while an
exporter runs; one that can't be had here says so by NotHere."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from e2e_support import windows_path  # noqa: E402
from pages import STALE_AFTER, Scrape  # noqa: E402

KEY = r"HKLM\System\CurrentControlSet\Services\faulty\Performance"
FAILURES = "winperf_exporter_config_reload_failures_total"
SUCCESSFUL = "winperf_exporter_config_last_reload_successful"
STAMP = 'winperf_exporter_counterset_last_sample_timestamp_seconds{counterset="System"}'
DEADLINE = 30


class NotHere(Exception):
    """This machine doesn't have what the fault needs."""


def wait_for(condition, what):
    deadline = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"after {DEADLINE} s: {what}")
        time.sleep(0.05)


class Environment:
    """A fault. `check` is called after recovery, and returns what was wrong beside what every trial looks at."""

    def __init__(self, trial):
        self.trial, self.machine = trial, trial.machine

    def prepare(self):
        """Before the exporter starts."""

    def begin(self):
        raise NotImplementedError

    def end(self):
        raise NotImplementedError

    def check(self):
        return []


class DiskFull(Environment):
    """The disk of the log is full: a tiny file system of the exporter's own. Provoked messages keep the log busy."""

    SIZE_KIB = 512
    LOG_BYTES = 64 * 1024
    RELOADS = 8
    OLD = "written while there was room\n" * 100

    def prepare(self):
        self.folder = self.machine.folder / "log"
        self.folder.mkdir(exist_ok=True)
        # A log that a few more messages fill: for those that don't reach the disk nothing may be pushed out.
        full = self.machine.folder / "full.log"
        full.write_text("x" * (self.LOG_BYTES - 801) + "\n")
        mount = f"mount -t tmpfs -o size={self.SIZE_KIB}k none {self.folder}"
        if subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True, check=False).returncode != 0:
            raise NotHere("no file system can be mounted here")
        begin = f'{mount} && cp {full} {self.folder}/exporter.log && exec "$@"'
        self.machine.before_exporter = ["unshare", "-rm", "sh", "-c", begin, "sh"]
        self.machine.change_config(log={"file": str(self.folder / "exporter.log"), "max_bytes": self.LOG_BYTES, "max_files": 3})

    def begin(self):
        """Leaves no byte free. The old logs are those that a rotation would push out."""
        self.inside = pathlib.Path(f"/proc/{self.machine.exporter.popen.pid}/root{self.folder}")
        for number in range(1, 4):
            (self.inside / f"exporter.{number}.log").write_text(f"{number}\n{self.OLD}")
        for name, piece in (("ballast", b"x" * 4096), ("exporter.log", b"\n")):
            with contextlib.suppress(OSError), open(self.inside / name, "ab", buffering=0) as file:
                while file.write(piece):
                    pass
        self.machine.tell("exit_collect")
        for _ in range(self.RELOADS):
            self.machine.signal_reload()
            time.sleep(0.1)  # one signal that is pending swallows the next

    def end(self):
        # Before there is room: then the next messages may fill the log.
        self.lost = [number for number in range(1, 4) if not self.is_kept(number)]
        (self.inside / "ballast").unlink()
        self.machine.tell("")

    def check(self):
        wrong = []
        size = (self.inside / "exporter.log").stat().st_size
        self.machine.signal_reload()
        with contextlib.suppress(AssertionError):
            wait_for(lambda: (self.inside / "exporter.log").stat().st_size != size, "")
            size = None
        if size is not None:
            wrong.append("nothing more was written to the log when there was room again")
        if self.lost:
            wrong.append(f"old logs were pushed out by the full disk: {len(self.lost)} of 3")
        return wrong

    def is_kept(self, number):
        file = self.inside / f"exporter.{number}.log"
        return file.exists() and file.read_text() == f"{number}\n{self.OLD}"


class Sleep(Environment):
    """Everything stops for a while, and goes on, as when a machine sleeps."""

    def pids(self):
        return [self.machine.exporter.popen.pid, *self.machine.workers()]

    def begin(self):
        self.stopped = self.pids()
        for pid in self.stopped:
            os.kill(pid, signal.SIGSTOP)
        # Whoever watches waits for an answer meanwhile.
        self.timer = threading.Timer(self.trial.options.seconds, self.go_on)
        self.timer.start()

    def go_on(self):
        for pid in self.stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def end(self):
        self.timer.join()


class StoppedExporter(Sleep):
    """The exporter alone stops, not its workers."""

    def pids(self):
        return [self.machine.exporter.popen.pid]


class StoppedWorkers(Sleep):
    """The workers alone stop; the exporter gives them up and starts others."""

    def pids(self):
        return self.machine.workers()


class WallClock(Environment):
    """Somebody sets the clock, and later sets it right again."""

    seconds = 3600

    def prepare(self):
        library = self.machine.executable.parent.parent / "faults/wall_clock.so"
        if not library.exists():
            raise NotHere(f"{library} was not built")
        self.file = self.machine.folder / "clock"
        self.machine.environment.update(LD_PRELOAD=str(library), WINPERF_CLOCK_FILE=str(self.file))

    def begin(self):
        before = self.stamp()
        self.file.write_text(str(self.seconds))
        wait_for(lambda: abs(self.stamp() - before - self.seconds) < DEADLINE, "the time of samples follows the clock")

    def stamp(self):
        return Scrape(self.trial.url).values.get(STAMP, 0)

    def end(self):
        self.file.unlink()


class WallClockBack(WallClock):
    seconds = -3600


class Config(Environment):
    """The configuration file becomes something else, and is read again; then the good one is back."""

    text = b""

    def begin(self):
        self.good = self.machine.config.read_bytes()
        before = Scrape(self.trial.url).values[FAILURES]
        self.write(self.text)
        wait_for(lambda: Scrape(self.trial.url).values.get(FAILURES, 0) > before, "the bad configuration is noticed")

    def write(self, content):
        scratch = self.machine.config.with_suffix(".new")
        scratch.write_bytes(content)
        os.replace(scratch, self.machine.config)

    def end(self):
        self.write(self.good)

    def check(self):
        wait_for(lambda: Scrape(self.trial.url).values.get(SUCCESSFUL) == 1, "the good configuration is in use again")
        return []


class ConfigGarbage(Config):
    text = bytes(range(256)) * 64


class ConfigEmptied(Config):
    """An empty file is a valid configuration, of defaults: what is sampled changes, and changes back."""

    def begin(self):
        self.good = self.machine.config.read_bytes()
        # The default address would be everybody's. Values are stale as soon as in the other configuration, by which they are judged.
        self.write(json.dumps({"listen": {"address": "127.0.0.1", "port": 0}, "interval": "1s",
                               "stale_after": f"{STALE_AFTER}s"}).encode())


class ConfigCut(Config):
    @property
    def text(self):
        return self.good[:len(self.good) // 2]


class ConfigGone(Config):
    """Without its file the exporter keeps the configuration that it has."""

    def begin(self):
        self.good = self.machine.config.read_bytes()
        self.machine.config.unlink()

    def check(self):
        return []


class KeyGone(Environment):
    """The provider's Performance key is deleted while it is in use, as by unlodctr."""

    def begin(self):
        self.saved = self.machine.prefix.folder / "key.reg"
        self.machine.prefix.write_registry("export", KEY, windows_path(self.saved), "/y")
        self.machine.prefix.write_registry("delete", KEY, "/f")

    def end(self):
        self.machine.prefix.write_registry("import", windows_path(self.saved))


class DllReplaced(Environment):
    """The provider's DLL becomes a file that is none. Its worker ends, so that it is loaded anew."""

    def begin(self):
        self.good = self.machine.faulty.read_bytes()
        self.replace(b"MZ this is no DLL any more" * 100)
        self.end_workers()

    def replace(self, content):
        scratch = self.machine.faulty.with_suffix(".new")
        scratch.write_bytes(content)
        os.replace(scratch, self.machine.faulty)

    def end_workers(self):
        for pid in self.machine.workers():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def end(self):
        self.replace(self.good)


ENVIRONMENT = {
    "disk_full": DiskFull,
    "wall_clock_forward": WallClock,
    "wall_clock_back": WallClockBack,
    "sleep_all": Sleep,
    "sleep_exporter": StoppedExporter,
    "sleep_workers": StoppedWorkers,
    "config_garbage": ConfigGarbage,
    "config_emptied": ConfigEmptied,
    "config_cut": ConfigCut,
    "config_gone": ConfigGone,
    "key_deleted": KeyGone,
    "dll_replaced": DllReplaced,
}
