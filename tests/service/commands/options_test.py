#!/usr/bin/env python3
"""Every option of the command line is seen to act at a value that is not its default.

    options_test.py EXECUTABLE [unittest arguments]

The options come from the help of each command, so that one without a test fails here. EXECUTABLE runs on the
simulated machine. The options of `service` act in service_test.cc and own_counters_test.cc.
"""

import base64
import concurrent.futures
import contextlib
import functools
import json
import os
import pathlib
import pty
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import urllib.error
import urllib.request
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import together

load_tests = together.load_tests
EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 60
PROCESSORS = "Processor Information"
PROCESSORS_GUID = "{b4fc721a-0378-476f-89ba-a5a79f810b36}"
# On the machine, but not in a capture of it that was made without --costly.
COSTLY = "Costly Thing"

tested = {}  # (command, option): the name of the test


def acts(command, *options):
    def note(test):
        for option in options:
            assert (command, option) not in tested, f"{command} {option} has two tests"
            tested[command, option] = test.__name__
        return test
    return note


def environment(scenario):
    return {**os.environ, "WINPERF_SIMULATOR": scenario}


def run(*arguments, scenario="still", **variables):
    return subprocess.run([EXECUTABLE, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=DEADLINE_SECONDS, env={**environment(scenario), **variables})


def timed(*arguments):
    start = time.monotonic()
    result = run(*arguments)
    return result, time.monotonic() - start


@functools.cache
def help_sections(command):
    """Of `COMMAND --help`: the words that its subcommands, options and positional arguments are called by."""
    sections, current = {}, None
    for line in run(*command.split(), "--help").stdout.splitlines():
        if heading := re.fullmatch(r"(\w+):", line):
            current = sections.setdefault(heading[1], [])
        elif current is not None and (entry := re.match(r"  ([\w,.-]+)(?: |$)", line)):
            current.append(entry[1].split(",")[-1])
    return sections


def all_options(command=""):
    """Each option and positional argument of the command and of the commands below it, but not --help."""
    sections = help_sections(command)
    found = {(command, option) for heading in ("Options", "Positionals") for option in sections.get(heading, [])}
    for name in sections.get("Subcommands", []):
        if name == "help":  # its own help is that of the program
            found.add((name, "command"))
        else:
            found |= all_options(f"{command} {name}".strip())
    return found - {(command, "--help")}


class Complete(unittest.TestCase):
    def test_each_option_has_a_test_and_each_test_an_option(self):
        options = all_options()
        self.assertGreater(len(options), 50, "the help is not read any more")
        service = {(command, option) for command, option in options if command.startswith("service ")}
        self.assertEqual(sorted(options - service - tested.keys()), [], "no test sees these options act")
        self.assertEqual(sorted(tested.keys() - options), [], "these tests are of options that do not exist")
        text = "".join((pathlib.Path(__file__).parent / name).read_text() for name in ("service_test.cc", "own_counters_test.cc"))
        for command, option in service:
            action = command.split()[1]
            self.assertRegex(text, rf'service\({{"{action}"[^}}]*"{option}"', f"no test sees {command} {option} act")

    def test_each_command_shows_its_help(self):
        for command in sorted({command for command, _ in all_options()} - {"", "help"}):
            for words in ([*command.split(), "--help"], [*command.split(), "-h"]):
                result = run(*words)
                self.assertEqual((result.returncode, result.stderr), (0, ""), words)
                self.assertIn(f"\nUsage: winperf_exporter {command} ", result.stdout)
            if help_sections(command).get("Subcommands"):
                continue
            options, _, example = result.stdout.partition("\nExample:\n  winperf_exporter ")
            example = example.strip()
            self.assertTrue(example.startswith(command), result.stdout)
            words = shlex.split(example.replace("\\", "\\\\"))
            self.assertEqual(run(*words, "--help").stderr, "", example)
            for word in words:  # --help alone doesn't refuse an option that there isn't
                if word.startswith("-"):
                    self.assertRegex(options, rf"(?m)^  (\S+,)?{word}[ ,\n]", example)


class Options(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shared = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        recorded = run("capture", "--out", shared / "other", "--samples", "2", "--interval", "1s")
        assert recorded.returncode == 0, recorded.stderr
        cls.other = f"replay:{shared / 'other'}"
        # What waits for itself waits while the other tests run.
        cls.pool = cls.enterClassContext(concurrent.futures.ThreadPoolExecutor())
        cls.slow = {seconds: cls.pool.submit(timed, "query", "Thing", "--interval", f"{seconds}s") for seconds in (1, 2)}

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, text, name="w.yaml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def good(self, *arguments, scenario="still"):
        result = run(*arguments, scenario=scenario)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def assert_refused(self, *arguments):
        result = run(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
        return result.stderr

    def assert_json(self, text):
        return [json.loads(line) for line in text.splitlines()]

    # The program itself

    @acts("", "--version")
    def test_version(self):
        for word in ("--version", "-V", "version"):
            self.assertRegex(self.good(word), r"^winperf_exporter \d+\.\d+\.\d+ \(revision ")

    @acts("help", "command")
    def test_help_of_a_command(self):
        self.assertEqual(self.good("help", "config", "init"), self.good("config", "init", "--help"))

    @acts("completion", "shell")
    def test_completion_of_each_shell(self):  # completion_test.py runs them
        for shell, word in (("powershell", "Register-ArgumentCompleter"), ("bash", "compopt"), ("zsh", "compdef"), ("fish", "commandline")):
            self.assertIn(word, self.good("completion", shell))
        self.assertIn("is not one of powershell, bash, zsh, fish", self.assert_refused("completion", "tcsh"))

    # run

    @contextlib.contextmanager
    def serving(self, *arguments):
        server = subprocess.Popen([EXECUTABLE, "run", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True, env=environment("still"))
        try:
            yield server.stdout.readline().split()[-1].rstrip("/")
        finally:
            server.send_signal(signal.SIGINT)
            self.assertEqual(server.wait(DEADLINE_SECONDS), 0)
            server.stdout.close()

    def served(self, *arguments):
        """The states of the countersets in the first sample, by name."""
        with self.serving(*arguments) as url:
            deadline = time.monotonic() + DEADLINE_SECONDS
            while time.monotonic() < deadline:
                with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(url + "/api/v1/sample") as answer:
                    return {entry["name"]: entry for entry in json.load(answer)["countersets"]}
        self.fail("no sample in time")

    @acts("run", "--config", "--source")
    def test_run_samples_what_is_configured_from_the_source(self):
        config = self.file('{listen: {address: 127.0.0.1, port: 0}, countersets: ["%s"]}' % COSTLY)
        for source, success in (([], True), (["--source", self.other], False)):
            states = self.served("--config", config, *source)
            self.assertEqual({name: state["success"] for name, state in states.items()}, {COSTLY: success})

    @acts("run", "--listen")
    def test_run_listens_where_it_is_told(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            taken = other.getsockname()[1]
            config = self.file("listen: {address: 127.0.0.1, port: %d}" % taken)
            self.assertEqual(run("run", "--config", config).returncode, 1)
            with self.serving("--config", config, "--listen", "127.0.0.1:0") as url:
                self.assertRegex(url, r"^http://127\.0\.0\.1:\d+$")
                self.assertNotEqual(url.rpartition(":")[2], str(taken))
        for address in ("nonsense", "127.0.0.1:65536", "127.0.0.1:"):
            self.assertIn("ADDRESS:PORT", self.assert_refused("run", "--listen", address))

    # list

    @acts("list", "name")
    def test_list_of_names(self):
        self.assertEqual([line.split("  ")[0] for line in self.good("list", "Thing", "System").splitlines()
                          if not line.startswith(" ")], ["System", "Thing"])

    @acts("list", "--config")
    @acts("capture", "--config")
    @acts("verify", "--config")
    def test_a_configuration_that_is_wrong_is_refused(self):
        good, bad = self.file("interval: 7s", "good.yaml"), self.file("interval: 7x", "bad.yaml")
        for command in (["list"], ["verify", PROCESSORS, "--rounds", "1"],
                        ["capture", "--out", self.folder / "out", "--samples", "1"]):
            self.assertIn("bad.yaml:1:11: ", self.assert_refused(*command, "--config", bad))
            self.good(*command, "--config", good)

    @acts("list", "--source")
    def test_list_of_a_source(self):
        self.assertIn(COSTLY, self.good("list", "--costly"))
        self.assertNotIn(COSTLY, self.good("list", "--costly", "--source", self.other))

    @acts("list", "--target")
    @acts("query", "--target")
    @acts("verify", "--target")
    @acts("doctor", "--target")
    @acts("capture", "--target")
    def test_another_machine_of_the_simulated_network(self):
        self.assertIn("Memory  [4]  registry", self.good("list", "--target", "srv-1"))
        self.assertNotIn("Memory  [4]", self.good("list"))
        self.assertIn("Available Bytes", self.good("query", "Memory", "--interval", "1s", "--target", "srv-1"))
        self.assertIn("Memory on srv-1: ", self.good("doctor", "Memory", "--target", "srv-1"))
        gone = run("query", "Memory", "--target", "gone-1")
        self.assertEqual((gone.returncode, gone.stdout), (1, ""))
        self.assertIn("winperf_exporter doctor --target gone-1", gone.stderr)
        recording = self.folder / "of_srv_1"
        self.good("capture", "--out", recording, "--samples", "1", "--target", "srv-1")
        self.assertIn("Memory  [4]", self.good("list", "--source", f"replay:{recording}"))
        self.good("verify", "Processor Information", "--rounds", "1", "--target", "srv-1")

    @acts("list", "--counters")
    @acts("list", "--instances")
    def test_list_with_counters_or_instances(self):
        counter, instance = "    Thing Size  [2002, PERF_COUNTER_LARGE_RAWCOUNT]", '"first"'
        for option, has_counter, has_instance in (([], False, False), (["--counters"], True, False),
                                                  (["--instances"], False, True)):
            text = self.good("list", *option)
            self.assertEqual((counter in text.splitlines(), instance in text), (has_counter, has_instance), option)

    @acts("list", "--v1-only")
    def test_list_without_v2(self):
        self.assertIn("perflib", self.good("list"))
        text = self.good("list", "--v1-only")
        self.assertNotIn("perflib", text)
        self.assertIn("Thing  [2000]  registry", text)

    @acts("list", "--costly")
    def test_list_of_costly_objects(self):
        self.assertNotIn(COSTLY, self.good("list"))
        self.assertIn(COSTLY, self.good("list", "--costly"))

    @acts("list", "--paths")
    def test_list_of_paths_to_paste(self):
        self.assertIn("\\System\\System Calls/sec", self.good("list", "--paths", "System").splitlines())
        self.assertIn("\\Thing(*)\\Thing Size", self.good("list", "--paths").splitlines())
        paths = self.good("list", "--paths", "Thing").splitlines()
        self.assertIn("\\Thing(first)\\Thing Size", paths)
        self.assertIn("\\\\srv-1\\Memory\\Available Bytes", self.good("list", "--paths", "Memory", "--target", "srv-1").splitlines())

    @acts("list", "--machine-language")
    def test_list_in_the_machines_language(self):
        self.assertNotEqual(self.good("list", "--machine-language"), self.good("list"))

    # metrics

    @acts("metrics", "name")
    def test_metrics_of_names(self):
        text = self.good("metrics", "Thing")
        self.assertRegex(text, r"(?m)^winperf_thing_size +gauge +- +instance_name +not sampled +Thing\\Thing Size *$")
        self.assertNotIn("winperf_cpu", text)

    @acts("metrics", "--config")
    def test_metrics_that_a_configuration_samples(self):
        config = self.file("countersets: [Thing]\nmetrics: {values: raw}")
        text = self.good("metrics", "--config", config)
        self.assertRegex(text, r"(?m)^winperf_thing_size .* \d+ +Thing")
        self.assertRegex(text, r"(?m)^winperf_cpu_interrupts_total .* not sampled +Processor Information")
        self.assertNotIn("winperf_cpu_interrupts_per_second", text)
        filtered = self.file("countersets: [{name: Thing, counters: {exclude: '.*'}}]", "filtered.yaml")
        self.assertRegex(self.good("metrics", "--config", filtered), r"(?m)^winperf_thing_size .* not sampled +Thing")

    @acts("metrics", "--source")
    @acts("metrics", "--costly")
    def test_metrics_of_a_source_and_of_costly_objects(self):
        self.assertNotIn(COSTLY, self.good("metrics"))
        self.assertIn(COSTLY, self.good("metrics", "--costly"))
        self.assertNotIn(COSTLY, self.good("metrics", "--costly", "--source", self.other))

    @acts("metrics", "--format")
    def test_metrics_as_json(self):
        metrics = {entry["name"]: entry for entry in json.loads(self.good("metrics", "--format", "json"))["metrics"]}
        seconds = metrics["winperf_cpu_time_seconds_total"]
        self.assertEqual((seconds["type"], seconds["unit"], seconds["label_names"], seconds["sampled"]),
                         ("counter", "seconds", ["core", "mode"], True))
        self.assertIn({"object": PROCESSORS, "counter": "% User Time", "type": "0x20510500",
                       "labels": {"mode": "user"}, "sampled": True, "on_page": True}, seconds["sources"])
        self.assertIsNone(metrics["winperf_cpu_processor_time_percent"]["unit"])
        self.assertIn("5 s apart", metrics["winperf_cpu_processor_time_percent"]["help"])

    @acts("metrics", "--profile")
    def test_metrics_by_windows_exporters_names(self):
        config = self.file(f"countersets: ['{PROCESSORS}']")
        text = self.good("metrics", "--profile", "windows_exporter", "--format", "json", "--config", config)
        metrics = {entry["name"]: entry for entry in json.loads(text)["metrics"]}
        self.assertEqual((metrics["windows_cpu_time_total"]["type"], metrics["windows_cpu_time_total"]["label_names"]),
                         ("counter", ["core", "mode"]))
        self.assertTrue(metrics["windows_cpu_time_total"]["served"])
        self.assertFalse(metrics["windows_net_bytes_total"]["served"], "the machine has no such object")
        self.assertFalse(metrics["windows_system_system_calls_total"]["served"], "it isn't configured")
        self.assertIn("windows_cs_logical_processors", self.good("metrics", "--profile", "windows_exporter_legacy"))

    @acts("list", "--format")
    def test_list_as_json(self):
        names = {entry["name"] for entry in json.loads(self.good("list", "--format", "json"))["countersets"]}
        self.assertIn("Thing", names)
        self.assertEqual(self.good("list", "-f", "table"), self.good("list"))

    # query

    def values(self, *arguments):
        """The values of the last sample. Of a recording, they take no time."""
        return self.assert_json(self.good("query", "--format", "json", *arguments))[-1]["values"]

    @acts("query", "name")
    @acts("query", "--config")
    @acts("query", "--source")
    def test_query_of_names_of_a_configuration_or_of_a_source(self):
        config = self.file('{countersets: ["%s", Thing]}' % COSTLY)
        both = self.pool.submit(self.values, "--config", config)
        named = self.pool.submit(self.values, "--config", config, "Thing")
        objects = [{value["object"] for value in values}
                   for values in (both.result(), named.result(), self.values("Thing", "System", "--source", self.other))]
        self.assertEqual(objects, [{COSTLY, "Thing"}, {"Thing"}, {"Thing", "System"}])
        self.assertEqual(run("query", COSTLY, "--source", self.other).returncode, 1)

    @acts("query", "--path")
    def test_query_through_one_path(self):
        source = ("--source", self.other)
        for path, expected in (("auto", "perflib"), ("registry", "registry"), ("perflib", "perflib")):
            self.assertEqual({value["path"] for value in self.values(PROCESSORS, *source, "--path", path)}, {expected}, path)
        # Only the registry has this one.
        for path, code in (("auto", 0), ("registry", 0), ("perflib", 1)):
            self.assertEqual(run("query", "Thing", *source, "--path", path).returncode, code, path)

    @acts("query", "--interval")
    def test_query_waits_so_long(self):
        for seconds, waiting in self.slow.items():
            result, took = waiting.result()
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertGreaterEqual(took, seconds)
        self.assert_refused("query", "Thing", "--interval", "999ms")

    @acts("query", "--format")
    def test_query_in_each_format(self):
        source = ("Thing", "--source", self.other)
        self.assertEqual(len(self.assert_json(self.good("query", *source, "--format", "json"))), 2)
        self.assertRegex(self.good("query", *source, "--format", "table"), r"(?m)^Thing \[2000\]$")
        self.assertRegex(self.good("query", *source, "--format", "prometheus"), r"(?m)^# TYPE winperf_thing_\w+ gauge$")

    @acts("query", "--count")
    def test_query_prints_so_many_samples_as_typeperf_does(self):
        lines = self.good("query", r"\Thing(first)\Thing Size", "--count", "2", "--interval", "1s", "--format", "csv").splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual(lines[0], rf'"(PDH-CSV 4.0)","\\{socket.gethostname().split(".")[0]}\Thing(first)\Thing Size"')
        for line in lines[1:]:
            self.assertRegex(line, r'^"\d\d/\d\d/\d{4} \d\d:\d\d:\d\d\.\d{3}","\d+\.\d{6}"$')

    @contextlib.contextmanager
    def on_a_terminal(self, *arguments, scenario="still", columns=80, rows=24):
        """Yields the process and its terminal, and interrupts it afterwards."""
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (rows, columns))
        process = subprocess.Popen([EXECUTABLE, *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL,
                                   env={**environment(scenario), "TERM": "xterm"})
        os.close(theirs)
        try:
            yield process, ours
        finally:
            process.send_signal(signal.SIGINT)
            self.drain(ours)
            self.assertEqual(process.wait(DEADLINE_SECONDS), 0)
            os.close(ours)

    @staticmethod
    def drain(terminal):
        with contextlib.suppress(OSError):  # its other end is closed
            while os.read(terminal, 4096):
                pass

    def screen(self, terminal):
        """What is written to the terminal before it is cleared to the end, after the first line of the screen."""
        seen = b""
        while not seen.endswith(b"\x1b[J"):
            seen += os.read(terminal, 1)
        self.assertTrue(seen.startswith(b"\x1b[H"), seen)
        return [line.removesuffix("\x1b[K") for line in seen[3:-3].decode().split("\r\n")[:-1]]

    @acts("query", "--watch")
    def test_query_goes_on_until_it_is_interrupted(self):
        with self.on_a_terminal("query", "Thing", "--watch", "--interval", "1s") as (process, terminal):
            first, second = self.screen(terminal), self.screen(terminal)
            self.assertEqual(first[0], "Thing [2000]")
            self.assertRegex(first[1], r"^INSTANCE +Thing Size")
            self.assertEqual(first, second)
            self.assertIsNone(process.poll())
        with subprocess.Popen([EXECUTABLE, "query", "Thing", "--watch", "--interval", "1s"], stdout=subprocess.PIPE, text=True,
                              env=environment("still")) as process:
            seen = 0
            while seen < 2:  # a table after the other where it is no terminal
                seen += process.stdout.readline() == "Thing [2000]\n"
            process.send_signal(signal.SIGINT)
            process.stdout.read()
            self.assertEqual(process.wait(DEADLINE_SECONDS), 0)
        self.assert_refused("query", "--source", self.other, "--watch")
        twice = self.good("query", "Thing", "--watch", "--count", "2", "--interval", "1s")
        self.assertEqual(twice.count("Thing [2000]\n"), 2)

    @acts("query", "--sort")
    @acts("top", "counter", "--lines", "--interval")
    def test_instances_with_the_largest_values_come_first(self):
        name = lambda lines: [line.split("  ")[0] for line in lines]
        with self.on_a_terminal("query", "Process", "--watch", "--sort", "Working Set", scenario="server", rows=8) as (_, terminal):
            by_memory = self.screen(terminal)
        self.assertEqual(len(by_memory), 7)
        self.assertTrue(all(len(line) <= 80 for line in by_memory), by_memory)
        with self.on_a_terminal("top", "--lines", "5", "--interval", "1s", scenario="server") as (_, terminal):
            by_time = self.screen(terminal)
        self.assertEqual(len(by_time), 7)
        self.assertNotEqual(name(by_memory[2:]), name(by_time[2:]))
        self.assertNotIn("_Total", name(by_time))
        wrong = run("top", "% Procesor Time", scenario="server")
        self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
        self.assertIn('cannot sort by "% Procesor Time": no counter has this name; did you mean "% Processor Time"?', wrong.stderr)
        # The suggestion may be a counter that top doesn't show without being asked.
        for words, given, meant in ((["Page Fautls/sec"], "Page Fautls/sec", "Page Faults/sec"),
                                    ([r"\Thing(*)\Thing Sise", "--source", self.other], "Thing Sise", "Thing Size")):
            wrong = run("top", *words, scenario="server")
            self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
            self.assertIn(f'cannot sort by "{given}": no counter has this name; did you mean "{meant}"?', wrong.stderr)
        wrong = run("top", "zzz qqq", scenario="server")
        self.assertIn('cannot sort by "zzz qqq": no counter has this name; "winperf_exporter list --counters" shows all', wrong.stderr)
        lines = self.good("top", r"\LogicalDisk(*)\Free Megabytes", "-n", "2", scenario="server").splitlines()
        free = [float(line.split()[1]) for line in lines[2:]]
        self.assertEqual((len(free), free), (2, sorted(free, reverse=True)))

    @acts("top", "--config")
    @acts("top", "--source")
    @acts("top", "--target")
    def test_top_of_a_configuration_a_source_or_another_machine(self):
        self.assertIn("w.yaml:1:11: ", self.assert_refused("top", "--config", self.file("interval: 7x")))
        thing = r"\Thing(*)\Thing Size"
        self.assertIn("first", self.good("top", thing, "--source", self.other))
        self.assertIn("Available Bytes", self.good("top", r"\Memory\Available Bytes", "--target", "srv-1"))
        self.assertIn("Available Bytes", self.good("query", r"\\srv-1\Memory\Available Bytes"))
        self.assertIn("srv-2", self.assert_refused("query", r"\\srv-1\Memory\Available Bytes", r"\\srv-2\Memory\Available Bytes"))

    @acts("query", "--human", "--exact")
    def test_query_for_people(self):
        memory = ("query", r"\Memory\Available Bytes")
        self.assertRegex(self.good(*memory, "--human", scenario="server"), r"Available Bytes  [\d.]+ GiB\n")
        self.assertRegex(self.good(*memory, scenario="server"), r"Available Bytes  \d{9,}\n")
        for path in (r"\Process(svchost)\Working Set - Private", r"\Process(svchost)\Working Set", r"\Memory\Commit Limit",
                     r"\Process(svchost)\Page File Bytes"):
            self.assertRegex(self.good("query", path, "--human", scenario="server"), r"  [\d.]+ [MG]iB\n", path)
        self.assertRegex(self.good("query", r"\Network Interface(*)\Current Bandwidth", "--human", scenario="server"),
                         r"  [\d.]+ [MG]iB/s\n")
        self.assertRegex(self.good("query", r"\Process(svchost)\ID Process", "--human", scenario="server"), r"  \d+\n")
        with self.on_a_terminal(*memory, "--watch", scenario="server") as (_, terminal):
            self.assertRegex("\n".join(self.screen(terminal)), r"Available Bytes  [\d.]+ GiB")
        with self.on_a_terminal(*memory, "--watch", "--exact", scenario="server") as (_, terminal):
            self.assertRegex("\n".join(self.screen(terminal)), r"Available Bytes  \d{9,}")

    # A terminal's width and its colours

    def shown(self, *arguments, scenario="server", columns=60, terminals=("stdout", "stderr"), **variables):
        """What the command writes to a terminal, or to a pipe in its place."""
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, columns))
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **dict.fromkeys(terminals, theirs)}
        process = subprocess.Popen([EXECUTABLE, *arguments], stdin=subprocess.DEVNULL, **streams,
                                   env={**environment(scenario), "TERM": "xterm", "NO_COLOR": "", **variables})
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # its other end is closed
            while some := os.read(ours, 65536):
                seen += some
        os.close(ours)
        piped = b"".join(part or b"" for part in process.communicate(timeout=DEADLINE_SECONDS))
        return seen.decode().replace("\r\n", "\n"), piped.decode()

    @acts("list", "--wide")
    @acts("metrics", "--wide")
    @acts("providers", "--wide")
    @acts("query", "--wide")
    @acts("check-config", "--wide")
    @acts("facts", "--wide")
    def test_tables_fit_the_terminal_unless_all_is_wanted(self):
        config = self.file("{countersets: [Processor Information, Memory]}")
        for command in (["list", "Processor Information"], ["metrics", "Process"], ["query", r"\Memory\*Resident*", "--exact"],
                        ["check-config", config], ["providers"], ["facts", "services"]):
            plain = [re.sub(r"\d", "0", line) for line in run(*command, scenario="server").stdout.splitlines()]
            wide = self.shown(*command, "--wide", terminals=["stdout"], NO_COLOR="1")[0].splitlines()
            self.assertEqual([re.sub(r"\d", "0", line).rstrip() for line in wide], plain, command)
            columns = max(map(len, plain)) - 1
            cut = self.shown(*command, columns=columns, terminals=["stdout"], NO_COLOR="1")[0].splitlines()
            self.assertEqual(len(cut), len(plain))
            self.assertLessEqual(max(map(len, cut)), columns, command)
            self.assertTrue(any("\u2026" in line for line in cut), command)
        self.assertNotIn("\u2026", self.shown("list", "--paths", columns=20)[0], "a path is there to be copied")

    @acts("doctor", "--wide")
    def test_doctor_cuts_no_advice(self):
        whole = run("doctor", "Memory", "Nope", scenario="server").stdout
        self.assertEqual(self.shown("doctor", "Memory", "Nope", columns=20, terminals=["stdout"], NO_COLOR="1")[0], whole)
        self.assertEqual(self.shown("doctor", "Memory", "Nope", "--wide", terminals=["stdout"], NO_COLOR="1")[0], whole)

    def test_colours_are_for_terminals(self):
        config = self.file("{countersets: [Memory, Memry]}")
        for command, colours in ((["doctor", "Memory"], ["\x1b[32mok"]), (["doctor", "Nope"], ["\x1b[31mfailed"]),
                                 (["check-config", config], ["\x1b[32mvalid", "\x1b[31mcannot be read"]),
                                 (["list", "Memry"], ["\x1b[31mthis machine has no object"]),
                                 (["verify", PROCESSORS, "--rounds", "1"], ["\x1b[32m0 differences"])):
            shown, _ = self.shown(*command)
            for colour in colours:
                self.assertIn(colour, shown, command)
            for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                # A progress line, which is no colour, may have been there for a moment.
                self.assertNotIn("\x1b", self.shown(*command, **variables)[0].replace("\x1b[K", ""))
            result = run(*command, scenario="server")
            self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertNotIn("\x1b", self.shown("doctor", "Nope", terminals=["stderr"])[1], "standard output is a pipe")

    def test_what_takes_long_says_what_it_does_on_a_terminal(self):
        fault, config = self.file("hang_collect", "fault"), self.file("limits: {query_timeout: 4s}")
        slow = {"scenario": "faulty", "WINPERF_FAULT_FILE": str(fault)}
        for command, text in ((["list", "Faulty Device"], "reading Faulty Device"), (["providers", "Faulty", "--try"], "trying Faulty"),
                              (["doctor", "Faulty Device"], "reading Faulty Device")):
            shown, _ = self.shown(*command, "--config", config, terminals=["stderr"], **slow)
            self.assertIn(f"\r\x1b[K{text}", shown)
            self.assertRegex(shown, r"\r\x1b\[K(winperf_exporter: |$)", "the line is removed")
            self.assertNotIn("\x1b", run(*command, "--config", config, **slow).stderr)

    # doctor

    def diagnosis(self, *arguments):
        document = json.loads(run("doctor", "--format", "json", *arguments).stdout)
        return {entry["name"]: entry["reason"] for entry in document["countersets"]}

    @acts("doctor", "name", "--config", "--source", "--format")
    def test_doctor_of_names_of_a_configuration_or_of_a_source(self):
        config = self.file('{countersets: ["%s", Thing]}' % COSTLY)
        self.assertEqual(self.diagnosis("Thing"), {"Thing": "healthy"})
        self.assertEqual(self.diagnosis("--config", config), {COSTLY: "healthy", "Thing": "healthy"})
        self.assertNotEqual(self.diagnosis(COSTLY, "--source", self.other)[COSTLY], "healthy")
        self.assertRegex(self.good("doctor", "Thing", "--format", "table"), r"(?m)^ok +Thing: ")

    @acts("doctor", "--repair", "--yes")
    def test_doctor_repairs_where_there_are_services(self):
        """What it does there, own_counters_test.cc shows."""
        for words in ([], ["--yes"]):
            result = run("doctor", "--repair", "counters", *words)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("services exist only on Windows", result.stderr)
        self.assert_refused("doctor", "--yes")
        self.assert_refused("doctor", "--repair", "all")

    # providers

    def providers(self, *arguments, **scenario):
        return json.loads(run("providers", "--format", "json", *arguments, **scenario).stdout)["providers"]

    @acts("providers", "name", "--format")
    def test_providers_by_name(self):
        self.assertEqual([entry["name"] for entry in self.providers()], ["PerfOS", "Things"])
        self.assertEqual([entry["name"] for entry in self.providers("THINGS")], ["Things"])
        self.assertRegex(self.good("providers", "-f", "table"), r"(?m)^Things +registered +C:\\Program Files\\Things\\Things\.dll +1\.2\.3\.4 +Contoso +64 +some of 2000 to 2012$")

    @acts("providers", "--try")
    def test_providers_that_are_tried(self):
        entry = self.providers("Things")[0]
        self.assertEqual((entry["state"], entry["tried"], entry["reply_bytes"]), ("registered", False, None))
        entry = self.providers("Things", "--try")[0]
        self.assertEqual((entry["state"], entry["error"]), ("works", None))
        self.assertEqual([each["name"] for each in entry["countersets"]], ["Thing"])
        self.assertGreater(entry["reply_bytes"], 100)
        self.assertGreater(entry["first_query_seconds"], 0)

    @acts("providers", "--config")
    def test_providers_of_a_configuration(self):
        config, fault = self.file("limits: {query_timeout: 1s}"), self.file("hang_open", "fault")
        entry = self.providers("Faulty", "--try", "--config", config, scenario="faulty", WINPERF_FAULT_FILE=str(fault))[0]
        self.assertTrue(entry["error"].endswith(" against 1000"), entry["error"])  # otherwise 10000

    @acts("providers", "--source")
    def test_a_recording_has_no_providers(self):
        self.assertIn("a recording has no providers", run("providers", "--source", self.other).stderr)

    # selftest; tests/service/selftest and selftest_e2e_test.py make its checks

    def selftest(self, *options, code=None, **variables):
        """Of the check system alone, in a state folder of its own."""
        state = self.folder / "state"
        result = run("selftest", "--only", "system", *options, XDG_STATE_HOME=str(state), LOCALAPPDATA=str(state), **variables)
        if code is not None:
            self.assertEqual(result.returncode, code, result.stderr)
        return result

    @acts("selftest", "--out", "--only", "--scrub", "--minutes", "--msi")
    def test_a_selftest_writes_a_report(self):
        report = self.folder / "report.zip"
        shown = self.selftest("--out", str(report), "--minutes", "1", "--msi", "absent.msi").stdout
        self.assertIn("It makes no lasting change: only temporary files in ", shown)
        self.assertIn("--scrub replaces", shown)
        with zipfile.ZipFile(report) as archive:
            document = json.loads(archive.read("report.json"))
            self.assertIn("<h1>", archive.read("report.html").decode())
        verdicts = {check["id"]: check["verdict"] for check in document["checks"]}
        self.assertNotEqual(verdicts.pop("system"), "skipped")
        self.assertEqual(set(verdicts.values()) - {"skipped"}, set())
        self.assertFalse(document["scrubbed"])
        self.assertIn("it exists already", self.selftest("--out", str(report), code=1).stderr)
        report.unlink()
        self.assertNotIn("--scrub replaces", self.selftest("--out", str(report), "--scrub").stdout)
        with zipfile.ZipFile(report) as archive:
            self.assertTrue(json.loads(archive.read("report.json"))["scrubbed"])
        for wrong in (["--minutes", "0"], ["--minutes", "61"], ["--only", "nonsense"], ["--out", ""]):
            self.assert_refused("selftest", "--out", str(report), *wrong)
        refused = run("selftest", "--out", str(report), "--minutes", "0").stderr
        self.assertIn('--minutes: "0" is not a number from 1 to 60', refused)
        self.assertIn("--out is required", self.selftest(code=2).stderr)
        # Before minutes of work.
        late = self.selftest("--out", str(self.folder / "absent" / "report.zip"), code=1)
        self.assertIn("its folder does not exist", late.stderr)
        self.assertEqual(late.stdout, "")

    @acts("selftest", "--list", "--undo", "--with")
    def test_a_selftest_says_what_it_would_do(self):
        listed = self.good("selftest", "--list")
        self.assertIn("system: reads", listed)
        self.assertIn("nothing", self.selftest("--undo", code=0).stdout)
        for wrong in (["--with", "system"], ["--with", "nonsense"], ["--undo", "--out", "x.zip"], ["--list", "--out", "x.zip"],
                      ["--list", "--undo"], ["--only", "service", "--out", "x.zip"], ["--with", "msi", "--out", "x.zip"],
                      ["--with", "msi", "--msi", "absent.msi", "--out", "x.zip"]):
            self.assert_refused("selftest", *wrong)

    # verify

    LIE = f"still; lie perflib {PROCESSORS_GUID} 3 5 _Total"

    @acts("verify", "name", "--source", "--format")
    def test_verify_of_names_of_a_source(self):
        document = json.loads(self.good("verify", PROCESSORS, "--rounds", "1", "--format", "json"))
        self.assertEqual([entry["name"] for entry in document["countersets"]], [PROCESSORS])
        for source, code in (([], 1), (["--source", self.other], 0)):
            result = run("verify", PROCESSORS, "--rounds", "1", *source, scenario=self.LIE)
            self.assertEqual(result.returncode, code, result.stderr)
        compared = document["countersets"][0]["compared"]
        self.assertGreater(compared, 200)
        self.assertRegex(self.good("verify", PROCESSORS, "--rounds", "1", "--format", "table"),
                         f"1 of 1 counterset compared: {compared} values, of which 0 changed too fast to compare; 0 differences")

    @acts("verify", "--hosts")
    def test_verify_of_hosts_compares_each_v1_object(self):
        document = json.loads(self.good("verify", "--hosts", "--rounds", "1", "--format", "json"))
        self.assertTrue(document["verified"])
        compared = {entry["name"]: entry for entry in document["countersets"]}
        self.assertLessEqual({"System", "Thing"}, set(compared))
        self.assertNotIn(PROCESSORS, compared, "no V1 provider has it")
        self.assertGreater(compared["System"]["compared"], 0)
        self.assertIsNone(compared["System"]["hosts_error"])

    @acts("verify", "--page")
    def test_verify_of_a_page_needs_an_exporter(self):
        """own_counters_test.py compares with a real one."""
        with socket.socket() as probe:  # bound, but it doesn't listen
            probe.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{probe.getsockname()[1]}"
            result = run("verify", "--page", url)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"nothing listens at {url}/metrics", result.stderr)
        for wrong in ("", "127.0.0.1", "http:///metrics", "https://127.0.0.1/metrics", "http://127.0.0.1/metrics?x=1"):
            self.assert_refused("verify", "--page", wrong)
        for others in (["--hosts"], ["--target", "srv-1"], [PROCESSORS]):
            self.assert_refused("verify", "--page", url, *others)
        self.assertIn("a recording is not a running exporter", run("verify", "--page", url, "--source", self.other).stderr)

    @acts("verify", "--with")
    def test_verify_with_pdh_compares_all_objects(self):
        """simulated_test.py has what it finds."""
        document = json.loads(self.good("verify", "--with", "pdh", "Thing", PROCESSORS, "--rounds", "1", "--format", "json"))
        self.assertEqual([entry["name"] for entry in document["countersets"]], ["Thing", PROCESSORS])
        self.assertIsNone(document["countersets"][0]["pdh_error"])
        perflib = json.loads(self.good("verify", "--with", "perflib", PROCESSORS, "--rounds", "1", "--format", "json"))
        self.assertIsNone(perflib["countersets"][0]["perflib_error"])
        for others in (["--hosts"], ["--target", "srv-1"], ["--page", "http://127.0.0.1:1"]):
            self.assert_refused("verify", "--with", "pdh", *others)
        self.assert_refused("verify", "--with", "perfmon")
        self.assertIn("a recording has no PDH", run("verify", "--with", "pdh", "--source", self.other).stderr)

    @acts("verify", "--raw")
    def test_verify_writes_what_pdh_says(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "raw.jsonl")
            self.good("verify", "--with", "pdh", "Thing", "--rounds", "1", "--raw", str(file))
            head, thing = map(json.loads, file.read_text().splitlines())
            self.assertEqual(head, {"format": "winperf_exporter pdh record", "version": 1})
            self.assertEqual(thing["counterset"], "Thing")
            self.assertEqual([len(moment) for moment in thing["moments"]], [1, 1])
            self.assert_refused("verify", "Thing", "--raw", str(file))
            missing = run("verify", "--with", "pdh", "Thing", "--rounds", "1", "--raw", str(pathlib.Path(folder, "no", "raw.jsonl")))
            self.assertEqual(missing.returncode, 1)
            self.assertIn("cannot be written", missing.stderr)

    @acts("verify", "--within")
    def test_verify_ends_with_pdh_when_its_time_is_over(self):
        words = ("verify", "--with", "pdh", "--format", "json")
        whole = json.loads(self.good(*words, "Thing", "--within", "1h"))
        self.assertEqual(whole["without_time"], [])
        # Each counterset takes a second at least.
        part = json.loads(self.good(*words, "Thing", "System", PROCESSORS, "--within", "1s"))
        first, *rest = part["countersets"]
        self.assertIsNone(first["not_compared"])
        self.assertEqual(part["without_time"], [counterset["name"] for counterset in rest])
        self.assertEqual({counterset["not_compared"] for counterset in rest}, {"there was no time left for it (--within)"})
        everything = json.loads(run(*words, "--within", "1s").stdout)
        self.assertGreater(len(everything["without_time"]), 3)
        for name in ("Thing", "System"):
            self.assertIn(name, everything["without_time"])
            self.assertNotIn(name, everything["only_pdh"], "what had no time isn't PDH's alone")
        self.assert_refused("verify", "Thing", "--within", "5m")
        for wrong in ("0s", "soon", "-1m"):
            self.assert_refused(*words, "--within", wrong)

    @acts("verify", "--rounds")
    def test_verify_reports_what_every_round_shows(self):
        start = time.monotonic()
        self.assertEqual(run("verify", PROCESSORS, "--rounds", "2", scenario=self.LIE).returncode, 1)
        self.assertGreaterEqual(time.monotonic() - start, 1, "a second passes between two rounds")
        for rounds in ("0", "101", "-1", "x"):
            self.assert_refused("verify", PROCESSORS, "--rounds", rounds)
        self.good("verify", PROCESSORS, "--rounds", "100")

    # capture

    def captured(self, *arguments, name="capture"):
        out = self.folder / name
        self.good("capture", "--out", out, *arguments)
        return json.loads((out / "capture.json").read_text())

    @acts("capture", "--out", "--samples", "--interval")
    def test_capture_takes_so_many_samples_so_far_apart(self):
        manifest = self.captured("--samples", "1", "--interval", "7s")
        self.assertEqual((manifest["samples"], manifest["interval_seconds"]), (1, 7))
        for samples in ("0", "10000", "-1", "x"):
            self.assert_refused("capture", "--out", self.folder / "none", "--samples", samples)
        self.assertFalse((self.folder / "none").exists())

    @acts("capture", "--source")
    def test_capture_of_a_source_takes_as_many_samples_as_it_has(self):
        manifest = self.captured("--source", self.other, "--samples", "9999")
        self.assertEqual((manifest["samples"], manifest["source"]), (2, self.other))

    @acts("capture", "--scrub", "--costly")
    def test_capture_without_names_or_with_more_objects(self):
        one = ("--samples", "1")
        plain = self.captured(*one)
        self.assertEqual((plain["scrubbed"], plain["queries"]), (False, ["Global"]))
        self.assertTrue(self.captured(*one, "--scrub", name="scrubbed")["scrubbed"])
        names = [{value["instance"] for value in self.values("Thing", "--source", f"replay:{self.folder / name}")}
                 for name in ("capture", "scrubbed")]
        self.assertEqual(names[0], {"first", "second"})
        self.assertEqual((len(names[1]), names[0] & names[1]), (2, set()))
        self.assertEqual(self.captured(*one, "--costly", name="costly")["queries"], ["Global", "Costly"])

    @acts("capture", "--max-bytes")
    def test_capture_ends_before_it_is_too_large(self):
        result = run("capture", "--out", self.folder / "small", "--samples", "1", "--max-bytes", "2KiB")
        self.assertEqual(result.returncode, 1)
        self.assertIn("larger than 2048 bytes", result.stderr)

    @acts("capture", "--from-recorder", "--since", "--until", "--counterset", "--url")
    def test_capture_of_what_a_running_exporter_remembers(self):  # from_recorder_test.py has more
        config = self.file('{listen: {address: 127.0.0.1, port: 0}, countersets: [System, Thing]}')
        with self.serving("--config", config) as url:
            deadline = time.monotonic() + DEADLINE_SECONDS
            while not self.recorded(url, "all.zip"):
                self.assertLess(time.monotonic(), deadline, "no sample in time")
            with zipfile.ZipFile(self.folder / "all.zip") as archive:
                manifest = json.loads(archive.read("capture.json"))
            self.assertEqual([counterset["name"] for counterset in manifest["countersets"]], ["System", "Thing"])
            self.assertTrue(self.recorded(url, "one.zip", "--counterset", "Thing", "--since", "1h"))
            self.assertEqual({value["instance"] for value in self.values("Thing", "--source", f"replay:{self.folder / 'one.zip'}")},
                             {"first", "second"})
            self.assertFalse(self.recorded(url, "early.zip", "--since", "2h", "--until", "1h"))
            where = self.file("listen: {address: 127.0.0.1, port: %s}" % url.rpartition(":")[2], "where.yaml")
            self.good("capture", "--from-recorder", "--config", where, "--out", self.folder / "where.zip")

    def recorded(self, url, name, *options):
        return run("capture", "--from-recorder", "--url", url, "--out", self.folder / name, *options).returncode == 0

    # check-config

    @acts("check-config", "file", "--source", "--file-alone", "--format")
    def test_check_config_with_the_machine_a_source_or_the_file_alone(self):
        config = self.file('{countersets: ["%s"]}' % COSTLY)

        def found(*arguments):
            entry, = json.loads(self.good("check-config", config, "--format", "json", *arguments))["countersets"]
            return entry.get("success")

        self.assertEqual([found(), found("--source", self.other), found("--file-alone")], [True, False, None])
        self.assertRegex(self.good("check-config", config, "--format", "table"), rf"(?m)^{COSTLY} +registry ")

    @acts("check-config", "--strict")
    def test_check_config_of_what_this_machine_lacks(self):
        def code(text, *arguments):
            return run("check-config", self.file(text), *arguments).returncode

        lacking = {"a counterset": "{countersets: [Memory, Memry]}",
                   "a pattern's countersets": "{countersets: [Memory, 'Nope*']}",
                   "a set": "{collect: [memory, adcs]}",
                   "a counter": "{countersets: [{name: Memory, counters: {include: [Nope]}}]}",
                   "a folder": "{countersets: [Memory], facts: [{name: textfile, folders: [/no/such/folder]}]}"}
        for what, text in lacking.items():
            self.assertEqual((code(text), code(text, "--strict")), (0, 3), what)
        self.assertEqual(code("{collect: [adcs]}", "--strict"), 3, "at once, although nothing is sampled")
        self.assertEqual(code("{countersets: [System], facts: [os]}", "--strict"), 0)
        self.assertEqual(code("{countersets: [Memory], nope: 1}", "--strict"), 2)
        self.assertEqual(code("{countersets: [Memory]}", "--strict", "--file-alone"), 2)
        told = run("check-config", self.file(lacking["a counterset"]), "--strict").stderr
        self.assertIn('"Memry" cannot be read: ', told)

    # config

    @acts("config init", "--listen-address", "--listen-port", "--out", "--force", "--undo")
    def test_config_init_writes_and_removes_a_file_with_these_values(self):
        self.assertRegex(self.good("config", "init", "--listen-address", "::1"), r'(?m)^ +address: "::1"')
        self.assertRegex(self.good("config", "init", "--listen-port", "7"), r"(?m)^ +port: 7\b")
        out = self.folder / "new.yaml"
        init = ("config", "init", "--out", out, "--listen-port", "7")
        self.good(*init)
        self.assertEqual(out.read_text(), self.good("config", "init", "--listen-port", "7"))
        out.write_text("mine")
        self.good(*init)
        self.good(*init, "--undo")
        self.assertEqual(out.read_text(), "mine")
        self.good(*init, "--force")
        self.assertNotEqual(out.read_text(), "mine")
        self.good(*init, "--undo")
        self.assertFalse(out.exists())

    @acts("config set", "file", "changes", "--skip-empty", "--backup", "--undo")
    def test_config_set_changes_a_file_and_restores_it(self):
        before = "log: {file: a.log}\n"
        config = self.file(before)
        self.good("config", "set", config, "log.file=", "interval=7s", "--skip-empty", "--backup")
        self.assertIn("a.log", config.read_text())
        self.assertIn("7s", config.read_text())
        self.assertEqual((self.folder / "w.yaml.bak").read_text(), before)
        self.good("config", "set", config, "log.file=")
        self.assertNotIn("a.log", config.read_text())
        self.good("config", "set", config, "--undo")
        self.assertEqual(config.read_text(), before)

    @acts("config hash-password", "--cost", "--user")
    def test_config_hash_password(self):
        def hashed(*arguments, password="secret\n"):
            return subprocess.run([EXECUTABLE, "config", "hash-password", *arguments], input=password, text=True,
                                  capture_output=True, timeout=DEADLINE_SECONDS)
        self.assertRegex(hashed().stdout, r"^\$2y\$10\$[./A-Za-z0-9]{53}\n$")
        self.assertRegex(hashed("--cost", "4").stdout, r"^\$2y\$04\$")
        web = self.file(hashed("--cost", "4", "--user", "al").stdout, "web.yml")
        self.assertRegex(web.read_text(), r"^basic_auth_users:\n  'al': '\$2y\$04\$")
        self.assertEqual(run("check-config", "--web.config.file", web).returncode, 0)
        named = self.file(hashed("--cost", "4", "--user", "- it's: #1".replace(":", "")).stdout, "web.yml")
        self.assertIn("'- it''s #1': '$2y$04$", named.read_text())
        self.assertEqual(run("check-config", "--web.config.file", named).returncode, 0)
        for name in ("a:b", "a\nb", "", "a" * 256):
            self.assertEqual(hashed("--user", name).returncode, 2, name)
        marked = hashed("--cost", "4", password="\ufeffsecret\r\n").stdout.strip()
        self.assertEqual(self.password_is("secret", marked), 200)
        self.assertIn("more than one line", hashed(password="a\nb\n").stderr)
        with open("/dev/zero") as endless:
            self.assertEqual(subprocess.run([EXECUTABLE, "config", "hash-password"], stdin=endless, capture_output=True,
                                            timeout=DEADLINE_SECONDS).returncode, 2)
        if pathlib.Path("/dev/full").is_char_device():
            with open("/dev/full", "w") as full:
                self.assertEqual(subprocess.run([EXECUTABLE, "config", "hash-password"], input="a\n", text=True, stdout=full,
                                                stderr=subprocess.PIPE, timeout=DEADLINE_SECONDS).returncode, 1)
        for password in ("", "\n", "a" * 73):
            self.assertEqual((hashed(password=password).returncode, hashed(password=password).stdout), (2, ""))
        self.assertEqual(hashed("--cost", "3").returncode, 2)

    def password_is(self, password, hashed):
        """The status that a server answers with to the password, if the hash is its user's."""
        web = self.file(f"basic_auth_users: {{al: '{hashed}'}}", "user.yml")
        with self.serving("--listen", "127.0.0.1:0", "--web.config.file", web) as url:
            request = urllib.request.Request(url + "/-/healthy", headers={
                "Authorization": "Basic " + base64.b64encode(f"al:{password}".encode()).decode()})
            with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(request, timeout=DEADLINE_SECONDS) as answer:
                return answer.status

    def test_a_password_that_is_typed_is_not_shown_and_an_interruption_shows_what_is_typed_again(self):
        for interrupted in (False, True):
            ours, theirs = pty.openpty()
            echoes = lambda: bool(termios.tcgetattr(theirs)[3] & termios.ECHO)
            self.assertTrue(echoes())
            process = subprocess.Popen([EXECUTABLE, "config", "hash-password", "--cost", "4"], stdin=theirs, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(process.stderr.read(len("Password: ")), "Password: ")
            while echoes():
                os.sched_yield()
            if interrupted:
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(DEADLINE_SECONDS), -signal.SIGINT)
            else:
                os.write(ours, b"secret\n")
                self.assertEqual(process.stderr.read(len("\nAgain: ")), "\nAgain: ")
                while echoes():
                    os.sched_yield()
                os.write(ours, b"secret\n")
                out, errors = process.communicate(timeout=DEADLINE_SECONDS)
                self.assertRegex(out, r"^\$2y\$04\$")
                self.assertEqual((process.returncode, errors), (0, "\n"))
            self.assertTrue(echoes())
            process.stdout.close()
            process.stderr.close()
            os.close(ours)
            os.close(theirs)

    @acts("config self-signed", "--host", "--days", "--cert-file", "--key-file", "--force")
    def test_config_self_signed(self):
        certificate, key = self.folder / "a.crt", self.folder / "a.key"
        make = ("config", "self-signed", "--cert-file", certificate, "--key-file", key)
        self.assertIn("key_file", self.good(*make, "--host", "srv1.example.com", "--host", "10.0.0.1", "--days", "7"))
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)
        shown = subprocess.run(["openssl", "x509", "-in", certificate, "-noout", "-text", "-checkend", "518400"],
                               capture_output=True, text=True)
        self.assertEqual(shown.returncode, 0)
        self.assertRegex(shown.stdout, r"DNS:srv1\.example\.com, IP Address:10\.0\.0\.1")
        self.assertNotEqual(subprocess.run(["openssl", "x509", "-in", certificate, "-checkend", "691200"],
                                           capture_output=True).returncode, 0)
        subprocess.run(["openssl", "verify", "-CAfile", certificate, certificate], check=True, capture_output=True)
        before = certificate.read_text(), key.read_text()
        self.assertEqual(run(*make).returncode, 1)
        self.assertEqual((certificate.read_text(), key.read_text()), before)
        self.assertIn("localhost", self.good(*make, "--force"))
        self.assertNotEqual(key.read_text(), before[1])
        web = self.file("tls_server_config: {cert_file: a.crt, key_file: a.key}", "web.yml")
        self.assertEqual(self.good("check-config", "--web.config.file", web), f"{web}: valid\n")
        key.chmod(0o644)
        warned = run("check-config", "--web.config.file", web)
        self.assertIn("can be read by", warned.stderr)
        config = self.file("{listen: {web_config_file: web.yml}, countersets: [System]}")
        self.assertIn(f"warning  protection 127.0.0.1:0: address_exposed\n    {key} holds a private key", self.good(
            "doctor", "--config", self.file(
                "{listen: {address: 127.0.0.1, port: 0, web_config_file: web.yml}, countersets: [System]}")))
        self.assertNotIn("PRIVATE", run("check-config", config).stderr + warned.stderr)
        self.assertEqual(run(*make, "--host", "a b").returncode, 2)

    @acts("check-config", "--web.config.file")
    def test_check_config_of_a_web_configuration_alone(self):
        good, bad = self.file("rate_limit: {interval: 1s, burst: 2}", "g.yml"), self.file("users: {a: hidden}", "b.yml")
        self.assertEqual(self.good("check-config", "--web.config.file", good), f"{good}: valid\n")
        refused = run("check-config", "--web.config.file", bad)
        self.assertEqual(refused.returncode, 2)
        self.assertRegex(refused.stderr, r'b\.yml:1:1: unknown key "users"')
        self.assertNotIn("hidden", refused.stderr)
        self.assertEqual(run("check-config", "--web.config.file", good, good).returncode, 2)

    @acts("facts", "topic", "--config", "--format")
    def test_facts_of_topics_with_settings(self):
        folder = self.folder / "texts"
        folder.mkdir()
        (folder / "a.prom").write_text("a 1\n")
        config = self.file(f"{{countersets: [], facts: [{{name: textfile, folders: ['{folder}']}}]}}")
        self.assertIn("a.prom", self.good("facts", "textfile", "--config", config))
        topics = json.loads(self.good("facts", "textfile", "--config", config, "--format", "json"))["topics"]
        self.assertEqual([topic["topic"] for topic in topics], ["textfile"])

    @acts("run", "--web.listen-address", "--web.config.file", "--web.telemetry-path", "--web.disable-exporter-metrics",
          "--web.max-requests")
    def test_run_takes_the_flags_of_exporter_toolkit(self):
        web = self.file("http_server_config: {headers: {X-Frame-Options: deny}}", "web.yml")
        with self.serving("--web.listen-address", "127.0.0.1:0", "--web.config.file", web, "--web.telemetry-path", "/other",
                          "--web.disable-exporter-metrics", "--web.max-requests", "7") as url:
            with urllib.request.urlopen(url + "/other", timeout=DEADLINE_SECONDS) as answer:
                self.assertEqual(answer.headers["X-Frame-Options"], "deny")
                self.assertNotIn("process_cpu_seconds_total", answer.read().decode())
            with self.assertRaises(urllib.error.HTTPError):
                urllib.request.urlopen(url + "/metrics", timeout=DEADLINE_SECONDS)
        for flag, value in (("--web.max-requests", "-1"), ("--web.telemetry-path", "x"), ("--web.telemetry-path", "/-/x"),
                            ("--web.config.file", self.folder / "none.yml")):
            self.assert_refused("run", "--listen", "127.0.0.1:0", flag, value)

    @acts("config migrate", "flags", "--from-windows-exporter", "--out", "--force")
    def test_config_migrate_of_a_file_or_of_flags(self):
        theirs, out = self.file("collectors: {enabled: memory}", "theirs.yaml"), self.folder / "ours.yaml"
        migrate = ("config", "migrate", "--from-windows-exporter", theirs)
        self.assertIn("Memory", self.good(*migrate))
        self.assertIn("System", self.good("config", "migrate", "--", "--collectors.enabled=system"))
        self.good(*migrate, "--out", out)
        self.assertEqual(out.read_text(), self.good(*migrate))
        out.write_text("mine")
        self.assertEqual(run(*migrate, "--out", out).returncode, 1)
        self.assertEqual(out.read_text(), "mine")
        self.good(*migrate, "--out", out, "--force")
        self.assertIn("Memory", out.read_text())


if __name__ == "__main__":
    unittest.main()
