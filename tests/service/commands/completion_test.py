#!/usr/bin/env python3
"""The scripts of `completion`, in real shells: a line that is typed up to the Tab key becomes the words that a command gets.

    completion_test.py EXECUTABLE [unittest arguments]

EXECUTABLE runs on the simulated server. A shell that isn't installed is skipped; PowerShell isn't tried.
"""

import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from thorough import THOROUGH

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE_SECONDS = 120
PROMPT = "ready> "
# In the place of the program: it answers completions, with time for a busy machine, and writes down the words of other commands.
PROGRAM = """#!/usr/bin/env python3
import json, os, sys
if sys.argv[1] in ("complete", "completion"):
    patience = ["--patience", "60"] if sys.argv[1] == "complete" else []
    os.execv({executable!r}, ["winperf_exporter", sys.argv[1], *patience, *sys.argv[2:]])
with open({words!r}, "w") as file:
    json.dump(sys.argv[1:], file)
"""
# What is typed, and the words that it becomes. Each line costs a shell several starts of the program. Those of a sample come
# first: a command, an option behind a Tab that adds a space, quotes, a name with blanks, and a file.
LINES = [
    ("que\t", ["query"]),
    ("config hash\t --us\t x", ["config", "hash-password", "--user", "x"]),
    ("doctor Processor\\ I\t --format j\t", ["doctor", "Processor Information", "--format", "json"]),
    ("run --config=so\t", ["run", "--config=some file.yaml"]),
    (r"query '\MSSQL$PAYROLL:Buffer Manager\Page life" + "\t",
     ["query", r"\MSSQL$PAYROLL:Buffer Manager\Page life expectancy"]),
    ("query Memory --format pro\t", ["query", "Memory", "--format", "prometheus"]),
    ("query --format=pro\t Memory", ["query", "--format=prometheus", "Memory"]),
    ("doctor Mem\t", ["doctor", "Memory"]),
    ("doctor 'Processor I\t", ["doctor", "Processor Information"]),
    ('doctor "Processor I\t', ["doctor", "Processor Information"]),
    (r"query '\Memory\Available B" + "\t", ["query", r"\Memory\Available Bytes"]),
    (r'query "\Memory\Available B' + "\t", ["query", r"\Memory\Available Bytes"]),
    ("query '\\Processor(_T\t% Processor T\t", ["query", r"\Processor(_Total)\% Processor Time"]),
    (r'query "\MSSQL\$PAYROLL:Buffer Manager\Page life' + "\t",
     ["query", r"\MSSQL$PAYROLL:Buffer Manager\Page life expectancy"]),
    ("top Working\\ Set\\ P\t", ["top", "Working Set Peak"]),
    ("check-config some\t", ["check-config", "some file.yaml"]),
    ("list --source repl\tso\t", ["list", "--source", "replay:some file.yaml"]),
]
SAMPLE = 5


class Shell:
    """An interactive shell on a terminal, in a folder with one file."""

    def __init__(self, name, folder):
        self.words = folder / "words"
        self.folder = folder / "here"
        self.folder.mkdir()
        (self.folder / "some file.yaml").touch()
        program = folder / "bin/winperf_exporter"
        program.parent.mkdir()
        program.write_text(PROGRAM.format(executable=str(EXECUTABLE), words=str(self.words)))
        program.chmod(0o755)
        rc = folder / "rc"
        environment = {**os.environ, "WINPERF_SIMULATOR": "server", "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": str(folder),
                       "ZDOTDIR": str(folder), "XDG_CONFIG_HOME": str(folder), "PATH": f"{program.parent}:{os.environ['PATH']}"}
        commands = {"bash": ["bash", "--noprofile", "--rcfile", rc, "-i"], "zsh": ["zsh", "-d", "-i"],
                    "fish": ["fish", "--private"]}
        files = {"bash": (rc, f"PS1='{PROMPT}'\nunset HISTFILE\nbind 'set bell-style none'\n"
                          "source <(winperf_exporter completion bash)\n"),
                 "zsh": (folder / ".zshrc", f"PS1='{PROMPT}'\nautoload -Uz compinit && compinit -u -D\n"
                         "source <(winperf_exporter completion zsh)\n"),
                 "fish": (folder / "fish/config.fish", f"function fish_prompt; echo -n '{PROMPT}'; end\n"
                          "set -g fish_greeting\nset -g fish_autosuggestion_enabled 0\nwinperf_exporter completion fish | source\n")}
        path, text = files[name]
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(self.folder)
            os.execvpe(commands[name][0], commands[name], environment)
        self.shown = ""

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)

    def read_until(self, is_done):
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not is_done():
            if not select.select([self.terminal], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError(self.shown)
            self.shown += os.read(self.terminal, 65536).decode(errors="replace")

    def typed(self, line):
        """The words that the command gets for the line."""
        self.read_until(lambda: PROMPT in self.shown)
        self.words.unlink(missing_ok=True)
        self.shown = ""
        os.write(self.terminal, f"winperf_exporter {line}\r".encode())
        self.read_until(lambda: self.words.exists() and self.words.read_text().endswith("]") and PROMPT in self.shown)
        return json.loads(self.words.read_text())


class Completion(unittest.TestCase):
    def check(self, name):
        if shutil.which(name) is None:
            self.skipTest(f"NO {name.upper()}: its completion is not tried")
        shell = Shell(name, pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())))
        self.addCleanup(shell.close)
        for line, words in LINES if THOROUGH else LINES[:SAMPLE]:
            with self.subTest(line):
                self.assertEqual(shell.typed(line), words)

    def test_bash(self):
        self.check("bash")

    def test_zsh(self):
        self.check("zsh")

    def test_fish(self):
        self.check("fish")


    def complete(self, *words, scenario="still", options=("--patience", "60"), **variables):
        result = subprocess.run([EXECUTABLE, "complete", *options, "words", "--", *words[:-1], words[-1] + "."], text=True,
                                capture_output=True, stdin=subprocess.DEVNULL, timeout=DEADLINE_SECONDS,
                                env={**os.environ, "WINPERF_SIMULATOR": scenario, **variables})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def test_commands_options_and_choices_are_those_of_the_parser(self):
        shown = subprocess.run([EXECUTABLE, "--help"], capture_output=True, text=True, check=True).stdout
        commands = [line.split()[0] for line in shown.partition("Subcommands:\n")[2].splitlines()]
        self.assertEqual(self.complete(""), commands)
        self.assertEqual(self.complete("he"), ["help"])
        self.assertEqual(self.complete("help", "config", "s"), ["set", "self-signed"])
        self.assertEqual(self.complete("list", "--c"), ["--config", "--counters", "--costly"])
        self.assertEqual(self.complete("completion", ""), ["powershell", "bash", "zsh", "fish"])
        self.assertEqual(self.complete("query", "-f", "t"), ["table", "tsv"])
        self.assertEqual(self.complete("query", "--source", ""), ["registry", "replay:", "blg:"])
        self.assertEqual(self.complete("query", "--source=blg:x"), [":files --source=blg:"])
        self.assertEqual(self.complete("capture", "--out", ""), [":files "])
        for nothing in (["query", "--count", ""], ["nope", ""], ["--nope"], ["config", "migrate", "--", "--"], ["query", "--x="]):
            self.assertEqual(self.complete(*nothing), [], nothing)

    def test_names_are_those_of_the_machine_or_of_a_recording(self):
        self.assertEqual(self.complete("query", "t"), ["Thing"])
        self.assertEqual(self.complete("query", "--target", "srv-1", ""), [], "it would take too long")
        paths = self.complete("query", "\\Thing(")
        self.assertEqual(paths, [f"\\Thing({instance})\\" for instance in ("first", "second", "*")])
        self.assertEqual(self.complete("query", "\\Thing(f"), self.complete("query", "\\Thing(first)\\"))
        self.assertIn("\\Processor Information(*)\\% Idle Time", self.complete("query", "\\Processor Information(*)\\%"))
        self.assertIn("% Idle Time", self.complete("query", "Processor Information", "--sort", "%"))
        with tempfile.TemporaryDirectory() as folder:
            capture = subprocess.run([EXECUTABLE, "capture", "--out", f"{folder}/c", "--samples", "1"], capture_output=True,
                                     text=True, env={**os.environ, "WINPERF_SIMULATOR": "server"})
            self.assertEqual(capture.returncode, 0, capture.stderr)
            self.assertEqual(self.complete("query", "--source", f"replay:{folder}/c", "LogicalD"), ["LogicalDisk"])
        self.assertEqual(self.complete("query", "--source", "replay:/none", ""), [])

    def test_a_provider_that_hangs_does_not_hang_the_shell(self):
        with tempfile.TemporaryDirectory() as folder:
            config, fault = pathlib.Path(folder, "w.yaml"), pathlib.Path(folder, "fault")
            config.write_text("limits: {query_timeout: 10m}")
            fault.write_text("hang_collect")
            self.assertEqual(self.complete("query", "--config", str(config), "", scenario="faulty", options=(),
                                           WINPERF_FAULT_FILE=str(fault)), [])


if __name__ == "__main__":
    unittest.main()
