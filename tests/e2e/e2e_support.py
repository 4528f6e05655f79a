"""Helpers of the end-to-end tests: a private Wine prefix, processes that are always stopped, and HTTP."""

import contextlib
import ctypes
import fcntl
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

TESTS = pathlib.Path(__file__).resolve().parent.parent
REGISTER = TESTS / "providers/register_provider.py"
SYSPERF_INI = TESTS / "providers/sysperf/sysperf.ini"
FAULTY_INI = TESTS / "providers/faulty/faulty.ini"


# A test that receives SIGTERM cleans up. If it is killed, the kernel kills the processes that it started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1
# What Wine's start.exe says of a program that it could not start.
NOT_STARTED = "Application could not be started"


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def required(variable):
    """Returns a path that ctest passes in an environment variable."""
    value = os.environ.get(variable)
    if not value or not pathlib.Path(value).exists():
        raise SystemExit(f"{variable} must name an existing file, not '{value}'; run this test through ctest")
    return pathlib.Path(value)


def tool(name):
    path = shutil.which(name)
    if path is None:
        raise SystemExit(f"{name} is not in PATH; scripts/test installs it")
    return path


def windows_path(path):
    """Returns a path as Windows programs see it: Wine's drive Z: is the root folder."""
    return "Z:" + str(path).replace("/", "\\")


def wait_until(condition, what, seconds=60):
    """Polls `condition` until it returns something true, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise AssertionError(f"timeout after {seconds} s: {what}")
        time.sleep(0.1)


class Process:
    """A process whose output goes to a file, because Wine's services would keep a pipe open after its end."""

    def __init__(self, command, environment, log, stdout=None):
        self.log = pathlib.Path(log)
        self.command = [str(part) for part in command]
        self.stdout = pathlib.Path(stdout) if stdout else self.log
        with open(self.log, "wb") as errors, contextlib.ExitStack() as stack:
            output = errors if stdout is None else stack.enter_context(open(self.stdout, "wb"))
            self.popen = subprocess.Popen(self.command, env=environment, stdin=subprocess.DEVNULL,
                                          stdout=output, stderr=errors, preexec_fn=die_with_parent)

    def output(self):
        return self.log.read_text("utf-8", "replace").replace("\r\n", "\n")

    def wait_for_line(self, pattern, seconds=60):
        """Waits for a line that matches, and returns the match."""
        def found():
            match = re.search(pattern, self.output(), re.MULTILINE)
            if match is None and self.popen.poll() is not None:
                raise AssertionError(f"{self} ended with exit code {self.popen.returncode} before printing"
                                     f" '{pattern}'; its output:\n{self.output()}")
            return match
        return wait_until(found, f"{self} prints '{pattern}' (output: {self.log})", seconds)

    def end(self, number, seconds=30):
        """Sends a signal and returns the exit code."""
        self.popen.send_signal(number)
        try:
            return self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self} is still running {seconds} s after {signal.Signals(number).name};"
                                 f" its output:\n{self.output()}") from None

    def stop(self):
        """Ends the process, by force if necessary."""
        if self.popen.poll() is None:
            self.popen.terminate()
            try:
                self.popen.wait(10)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait()

    def __str__(self):
        return f"'{' '.join(self.command)}' (pid {self.popen.pid})"


class Finished:
    def __init__(self, code, output, errors):
        self.code, self.output, self.errors = code, output, errors


def untouched_prefix(wine, environment):
    """Returns a prefix in the cache folder that nothing has run in since this version of Wine made it. To make one takes half a
    minute, of which the processor works five seconds; to copy it takes half a second."""
    version = subprocess.run([wine, "--version"], env=environment, check=True, capture_output=True, text=True, timeout=60).stdout.split()[0]
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "winperf_exporter/wine"
    cache.mkdir(parents=True, exist_ok=True)
    prefix = cache / f"untouched-{version}"
    with open(cache / "untouched.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not prefix.exists():
            new = cache / "untouched.new"
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            made = {**environment, "WINEPREFIX": str(new)}
            for command in ([wine, "wineboot", "--init"], [tool("wineserver"), "--kill"], [tool("wineserver"), "--wait"]):
                # wineserver --kill fails if the server has already ended.
                subprocess.run(command, env=made, timeout=180, check="--init" in command, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            new.rename(prefix)
    return prefix


class WinePrefix(contextlib.AbstractContextManager):
    """A prefix in a temporary folder. Closing it ends all of its processes and removes the folder."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="winperf-e2e-"))
        self.path = self.folder / "prefix"
        self.wine = os.environ.get("WINPERF_WINE") or tool("wine")
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.environment.update(WINEPREFIX=str(self.path), WINEDEBUG="-all", WINEARCH="win64",
                                WINEDLLOVERRIDES="mscoree,mshtml,winewayland.drv=")
        self.processes = []
        self.count = 0
        try:
            shutil.copytree(untouched_prefix(self.wine, self.environment), self.path, symlinks=True)
            # The server keeps running between commands, so that not every command has to start Wine's services.
            self.run_native("wineserver", "--persistent=30")
            self.run("cmd", "/c", "exit", seconds=180)
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_):
        self.close()

    def close(self):
        for process in reversed(self.processes):
            process.stop()
        for option in ("--kill", "--wait"):
            with contextlib.suppress(subprocess.TimeoutExpired, subprocess.CalledProcessError):
                self.run_native("wineserver", option)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run_native(self, *command):
        subprocess.run([tool(command[0]), *command[1:]], env=self.environment, timeout=60,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self, *command, wine=True):
        """Starts a program, by default under Wine. Closing the prefix stops it."""
        self.count += 1
        prefix = [self.wine] if wine else []
        process = Process([*prefix, *command], self.environment, self.folder / f"{self.count}.log")
        self.processes.append(process)
        return process

    def run(self, *command, seconds=60):
        """Runs a Windows program and waits for its end. On a busy machine Wine itself has been seen to end with 1 before the
        program begins, without a word or with start.exe's; that is printed, and the command repeated once."""
        for attempt in (1, 2):
            result = self.run_once(*command, seconds=seconds)
            said = result.output + result.errors
            if result.code != 1 or (said.strip() and NOT_STARTED not in said):
                return result
            print(f"attempt {attempt}: {' '.join(map(str, command))} was not started: {said.strip()!r}", file=sys.stderr)
        return result

    def run_once(self, *command, seconds):
        self.count += 1
        process = Process([self.wine, *command], self.environment, self.folder / f"{self.count}.log",
                          stdout=self.folder / f"{self.count}.out")
        try:
            code = process.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            process.stop()
            raise AssertionError(f"{process} is still running after {seconds} s; its output:\n{process.output()}") from None
        output = process.stdout.read_bytes().decode("utf-8").replace("\r\n", "\n")
        return Finished(code, output, process.output())

    def write_registry(self, *arguments):
        """Runs `reg add` or `reg delete`, which prepare a test."""
        result = self.run("reg", *arguments)
        if result.code != 0:
            raise AssertionError(f"reg {' '.join(arguments)} ended with {result.code}: {result.output} {result.errors}")

    def wine_version(self):
        """Returns Wine's major version."""
        output = subprocess.run([self.wine, "--version"], env=self.environment, check=True, capture_output=True, text=True,
                                timeout=60).stdout
        return int(re.match(r"wine-(\d+)", output)[1])

    def register(self, *options, ini=SYSPERF_INI, dll=None, environment=None):
        """Calls register_provider.py for this prefix."""
        dll = dll or required("WINPERF_SYSPERF")
        result = subprocess.run(
            [REGISTER, "--prefix", self.path, "--ini", ini, "--dll", dll, *options],
            env=environment or self.environment, timeout=120, capture_output=True, text=True)
        return Finished(result.returncode, result.stdout, result.stderr)

    def register_faulty(self, *options, dll=None):
        """Registers the provider that does what it is told, or with --unregister lets it go."""
        result = self.register("--functions", "OpenFaulty,CollectFaulty,CloseFaulty", *options, ini=FAULTY_INI,
                               dll=dll or required("WINPERF_FAULTY"))
        if result.code != 0:
            raise AssertionError(f"registering the faulty provider failed: {result.errors}")

    def pids(self, program):
        """Returns the ids of this prefix's processes whose command line contains the program's name."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"WINEPREFIX={self.path}".encode() in (entry / "environ").read_bytes().split(b"\0") \
                        and program.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return found

    def table(self, letter="c"):
        """Returns the texts in perfc009.dat or perfh009.dat, by index."""
        data = (self.path / f"drive_c/windows/system32/perf{letter}009.dat").read_bytes()
        strings = data.decode("utf-16-le").split("\0")
        return {int(index): text for index, text in zip(strings[0::2], strings[1::2]) if index}

    def read_registry(self, value_name):
        """Runs regread and returns raw values by (object, counter, type, instance ordinal, instance name)."""
        result = self.run(windows_path(required("WINPERF_REGREAD")), value_name)
        if result.code != 0:
            raise AssertionError(f"regread failed: {result.errors}")
        values = {}
        for line in result.output.splitlines():
            object_index, counter, kind, ordinal, instance, value = line.split("\t")
            key = (int(object_index), int(counter), int(kind, 16),
                   None if ordinal == "-" else int(ordinal), instance)
            values[key] = int(value)
        return values


def get(url, seconds=10, method="GET"):
    """Returns status and body of a response. The status is 0 if there is no response."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=seconds) as response:
            return response.status, response.read().decode("utf-8")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        return 0, str(error)


def get_json(url):
    status, body = get(url)
    if status != 200:
        raise AssertionError(f"GET {url}: {status} {body}")
    return json.loads(body)


def start_prometheus(prefix, url):
    """Starts a Prometheus server that scrapes the exporter at `url` every second, and returns its address."""
    folder = prefix.folder / "prometheus"
    folder.mkdir()
    target = urllib.parse.urlsplit(url).netloc
    (folder / "prometheus.yml").write_text(
        "global: {scrape_interval: 1s}\n"
        f"scrape_configs: [{{job_name: winperf, static_configs: [{{targets: ['{target}']}}]}}]\n")
    server = prefix.start(
        tool("prometheus"), f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
        "--web.listen-address=127.0.0.1:0", wine=False)
    address = "http://" + server.wait_for_line(r'msg="Listening on" address=(127\.0\.0\.1:\d+)')[1]
    wait_until(lambda: get(address + "/-/ready")[0] == 200, "Prometheus is ready")
    return address


def query_prometheus(server, expression):
    """Returns labels and value of each series in Prometheus' answer."""
    answer = get_json(f"{server}/api/v1/query?" + urllib.parse.urlencode({"query": expression}))
    if answer["status"] != "success":
        raise AssertionError(f"{expression}: {answer}")
    return [(series["metric"], float(series["value"][1])) for series in answer["data"]["result"]]
