#!/usr/bin/env python3
"""The native executable as a person at a prompt meets it: messages, exit codes, output, stopping.

    command_line_test.py EXECUTABLE [unittest arguments]

The tests that need recorded data take it from WINPERF_CAPTURES and say so where it is absent.
"""

import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
import zipfile

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
VISTA = pathlib.Path(os.environ.get("WINPERF_CAPTURES", "")) / "vista-6000"
VISTA_LOG = VISTA.parent / "blg" / "vista-6000.blg"
DEADLINE_SECONDS = 60

needs_capture = unittest.skipUnless(
    VISTA.is_dir(), f"NO RECORDED DATA: {VISTA} is absent; set WINPERF_CAPTURES to the captures")
needs_log = unittest.skipUnless(
    VISTA_LOG.is_file(), f"NO RECORDED LOG: {VISTA_LOG} is absent; set WINPERF_CAPTURES to the captures")


def run(*arguments):
    return subprocess.run([EXECUTABLE, *arguments], capture_output=True, text=True,
                          timeout=DEADLINE_SECONDS, stdin=subprocess.DEVNULL)


class Usage(unittest.TestCase):
    def assert_refused(self, result, exit_code, *words):
        self.assertEqual(result.returncode, exit_code, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_version_names_program_and_revision(self):
        result = run("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^winperf_exporter \d+\.\d+\.\d+ \(revision ")

    def test_help_lists_the_commands(self):
        result = run("--help")
        self.assertEqual(result.returncode, 0)
        for command in ("run", "list", "query", "doctor", "service", "check-config"):
            self.assertRegex(result.stdout, rf"(?m)^  {command} ")

    def test_no_command_is_a_usage_error(self):
        self.assert_refused(run(), 2, 'a command is missing; see "winperf_exporter --help"')
        self.assert_refused(run("service"), 2, 'a command is missing; see "winperf_exporter service --help"')

    def test_what_the_parser_refuses_is_said_in_our_words(self):
        for arguments, sentence in (
                (["config", "set"], '"file" is missing; see "winperf_exporter config set --help"'),
                (["query", "--interval"], '"--interval" requires a value: TIME; see "winperf_exporter query --help"'),
                (["query", "--count", "many"], '"--count" must be a number, not "many"; see "winperf_exporter query --help"'),
                (["query", "--format", "jsn"], '--format: "jsn" is not one of table, json, prometheus, csv, tsv; did you mean "json"? see')):
            result = run(*arguments)
            self.assert_refused(result, 2, sentence)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_unknown_command_is_named(self):
        self.assert_refused(run("qery", "Memory"), 2, 'unknown command "qery"; did you mean "query"? see "winperf_exporter --help"')
        self.assert_refused(run("zzzzzz"), 2, 'unknown command "zzzzzz"; see "winperf_exporter --help"')
        self.assert_refused(run("config", "migrat"), 2,
                            'unknown command "migrat"; did you mean "migrate"? see "winperf_exporter config --help"')

    def test_a_word_that_is_no_choice_is_told_which_there_are(self):
        for arguments in (["query", "--format", "xml"], ["query", "--format", "1"]):
            self.assert_refused(run(*arguments), 2, "is not one of table, json, prometheus, csv, tsv")
        self.assert_refused(run("query", "--path", "wmi"), 2, "is not one of auto, registry, perflib")
        self.assert_refused(run("service", "install", "--start", "soon"), 2, "is not one of auto, delayed, manual")

    def test_a_value_that_is_empty_is_no_value_left_out(self):
        for arguments in (["run", "--config", ""], ["run", "--listen", ""], ["check-config", ""],
                          ["capture", "--out", ""], ["config", "init", "--out", ""],
                          ["config", "set", ""],
                          ["service", "install", "--config", ""]):
            self.assert_refused(run(*arguments), 2, "empty")

    def test_an_interval_is_written_as_in_the_configuration(self):
        self.assert_refused(run("query", "--interval", "-5s"), 2, '"-5s" is not a duration; write, for example, 5s')
        self.assert_refused(run("query", "--interval", "5 weeks"), 2, '"5 weeks" is not a duration')
        self.assert_refused(run("query", "--interval", "99999999999999999999s"), 2, "is not a duration")

    def test_a_file_in_no_folder_says_so(self):
        name = pathlib.Path(tempfile.gettempdir()) / "no such folder" / "new.yaml"
        result = run("config", "init", "--out", str(name))
        self.assertEqual(result.returncode, 1)
        self.assertIn("its folder does not exist", result.stderr)

    def assert_lines(self, arguments, *lines):
        result = run(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
        self.assertEqual(result.stderr.splitlines(), ["winperf_exporter: " + line for line in lines], arguments)

    def test_an_unknown_option_is_named_with_the_nearest(self):
        self.assert_lines(["query", "--formt", "json"],
                          'unknown option "--formt" of "query"; did you mean "--format"? see "winperf_exporter query --help"')
        self.assert_lines(["run", "--lisen", "1"],
                          'unknown option "--lisen" of "run"; did you mean "--listen"? see "winperf_exporter run --help"')
        self.assert_lines(["run", "--lisen=1"],
                          'unknown option "--lisen" of "run"; did you mean "--listen"? see "winperf_exporter run --help"')
        self.assert_lines(["-v"], 'unknown option "-v"; did you mean "-V"? see "winperf_exporter --help"')
        self.assert_lines(["run", "-config", "x.yaml"],
                          'unknown option "-config" of "run"; did you mean "--config"? see "winperf_exporter run --help"')

    def test_an_unknown_option_goes_before_a_command_that_is_missing(self):
        self.assert_lines(["--nope"], 'unknown option "--nope"; see "winperf_exporter --help"')
        self.assert_lines(["--config", "x.yaml"],
                          'unknown option "--config"; write it after its command: "winperf_exporter run --config"')

    def test_an_option_is_found_by_what_it_takes(self):
        self.assert_lines(["run", "--port", "9182"],
                          'unknown option "--port" of "run"; did you mean "--listen"? see "winperf_exporter run --help"')
        self.assert_lines(["config", "init", "--port", "9182"],
                          'unknown option "--port" of "init"; did you mean "--listen-port"? see "winperf_exporter config init --help"')
        self.assert_lines(["list", "--nope"],
                          'unknown option "--nope" of "list"; see "winperf_exporter list --help"')

    def test_what_is_unknown_is_named_in_the_order_typed(self):
        self.assert_lines(["run", "--first", "1", "--second", "other", "third"],
                          'unknown option "--first" of "run"; see "winperf_exporter run --help"',
                          'unknown option "--second" of "run"; see "winperf_exporter run --help"',
                          'unexpected argument "third"; see "winperf_exporter run --help"')
        self.assert_lines(["--nope", "run", "--lisen", "1"],
                          'unknown option "--nope"; see "winperf_exporter --help"',
                          'unknown option "--lisen" of "run"; did you mean "--listen"? see "winperf_exporter run --help"')
        self.assert_lines(["check-config", "a.yaml", "b.yaml"],
                          'unexpected argument "b.yaml"; see "winperf_exporter check-config --help"')

    def test_values_and_words_behind_two_dashes_are_no_options(self):
        self.assertIn("no such file", run("check-config", "--", "--nope").stderr)
        self.assertIn('"-5s" is not a duration', run("query", "-i", "-5s").stderr)
        self.assertIn('"registry", "replay:DIR"', run("list", "--source", "--nope").stderr)
        self.assertIn("--nope: no such file", run("list", "--config=--nope").stderr)

    def test_help_is_shown_whatever_else_is_asked(self):
        self.assertEqual(run("run", "--nope", "--help").returncode, 0)

    def test_options_of_windows_exporter_are_answered_with_ours(self):
        self.assert_refused(run("run", "--telemetry.addr", ":9182"), 2, "this is a windows_exporter option",
                            '"run --listen ADDRESS:PORT"',
                            "config migrate")
        self.assert_refused(run("--web.listen-address=:9182"), 2, '"winperf_exporter run --web.listen-address"')
        self.assert_refused(run("run", "--config.file", "x.yaml"), 2, '"run --config FILE"', "config migrate")
        self.assert_refused(run("run", "--collectors.enabled", "cpu"), 2, "this is a windows_exporter option", "config migrate")

    def test_help_and_version_are_commands_too(self):
        self.assertEqual(run("version").stdout, run("--version").stdout)
        self.assertEqual(run("version").returncode, 0)
        for words, same in ((["help"], ["--help"]), (["help", "run"], ["run", "--help"]),
                            (["help", "config", "init"], ["config", "init", "--help"])):
            result = run(*words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(result.stdout, run(*same).stdout)
        self.assertRegex(run("help").stdout, r"(?m)^  help .*\n  version ")
        self.assert_lines(["help", "qery"], 'unknown command "qery"; did you mean "query"? see "winperf_exporter --help"')

    def test_a_path_of_another_machine_makes_it_the_target(self):
        path = r"\\web1\Processor(_Total)\% Processor Time"
        for command in ("query", "list", "doctor", "verify", "top"):
            result = run(command, path)
            self.assertEqual(result.returncode, 1, command)
            self.assertIn("reading counters of remote machines needs Windows", result.stdout + result.stderr)
            self.assert_refused(run(command, path, "--target", "web2"), 2, "names a machine other than web2")
        self.assert_refused(run("metrics", path), 2, 'names the machine "web1"; write '
                            r'"\Processor(_Total)\% Processor Time", and name the machine by --target')

    def test_unknown_source_says_what_there_is(self):
        self.assert_refused(run("query", "--source", "wmi"), 2, "registry", "replay:DIR", "blg:FILE")

    def test_bad_interval_is_a_usage_error(self):
        self.assert_refused(run("query", "--interval", "5x"), 2, "interval")

    def test_interval_below_the_floor_is_refused(self):
        self.assert_refused(run("query", "--interval", "0s"), 2, "at least 1s")
        self.assert_refused(run("query", "--interval", "999ms"), 2, "at least 1s")

    def test_registry_without_windows_says_what_to_do(self):
        self.assert_refused(run("list", "--source", "registry"), 1, "replay:DIR")

    def test_another_machine_without_windows_says_so(self):
        for command in ("list", "query", "verify", "doctor", "capture"):
            words = [command, "--target", "SQL01"] + (["-o", "/nowhere/capture"] if command == "capture" else [])
            with self.subTest(command):
                result = run(*words)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("reading counters of remote machines needs Windows", result.stdout + result.stderr)

    def test_what_is_no_machine_is_a_usage_error(self):
        for name in ("", "\\\\", "a\\b", "a/b", "a b", "srv@80", "a%s", "b\u00fccher", "x" * 256):
            for command in ("list", "query", "verify", "doctor"):
                with self.subTest(command, name=name):
                    self.assert_refused(run(command, "--target", name), 2, "is not a machine name")

    def test_another_machine_and_a_recording_are_a_usage_error(self):
        for command in ("list", "query", "verify", "doctor"):
            with self.subTest(command):
                self.assert_refused(run(command, "--target", "SQL01", "--source", "replay:/nowhere"), 2,
                                    "--target", "--source")

    def test_hosts_are_of_this_machine(self):
        self.assert_refused(run("verify", "--hosts", "--target", "SQL01"), 2, "remove --target")

    def test_missing_capture_is_named(self):
        self.assert_refused(run("query", "--source", "replay:/nowhere/at-all"), 1, "/nowhere/at-all")

    def test_missing_log_is_named(self):
        self.assert_refused(run("query", "--source", "blg:/nowhere/at-all.blg"), 1, "/nowhere/at-all.blg")

    def test_what_is_no_log_is_refused(self):
        for command in ("query", "list", "run"):
            self.assert_refused(run(command, "--source", f"blg:{__file__}"), 1, "not a binary log")

    def test_a_log_that_is_named_as_a_capture_is_answered_with_how_to_read_it(self):
        with tempfile.NamedTemporaryFile(suffix=".blg") as log:
            self.assert_refused(run("list", "--source", f"replay:{log.name}"), 1, "use blg:FILE for a perfmon binary log")

    def test_missing_config_file_is_named(self):
        self.assert_refused(run("check-config", "no-such-file.yaml"), 2, "no-such-file.yaml")


class Service(unittest.TestCase):
    def test_help_lists_what_there_is(self):
        result = run("service", "--help")
        self.assertEqual(result.returncode, 0)
        for action in ("install", "uninstall", "start", "stop", "status"):
            self.assertRegex(result.stdout, rf"(?m)^  {action} ")
        options = run("service", "install", "--help").stdout
        for option in ("--name", "--config", "--account", "--start"):
            self.assertIn(option, options)

    def test_without_windows_says_what_to_do(self):
        for action in ("install", "uninstall", "start", "stop", "status"):
            result = run("service", action)
            self.assertEqual(result.returncode, 1)
            self.assertIn("winperf_exporter run", result.stderr)
            self.assertEqual(result.stdout, "")

    def test_usage_errors(self):
        for arguments in ([], ["restart"], ["install", "--start", "sometimes"], ["start", "--format", "json"]):
            self.assertEqual(run("service", *arguments).returncode, 2, arguments)


class Capture(unittest.TestCase):
    @needs_capture
    def test_a_recording_of_a_recording_has_the_same_blocks(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "again"
            result = run("capture", "--out", str(out), "--samples", "100", "--source", f"replay:{VISTA}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("11 samples", result.stdout)
            self.assertEqual(re.findall(r"sample (\d+) of 100", result.stderr), [str(n) for n in range(1, 12)])
            for file in VISTA.iterdir():
                self.assertEqual((out / file.name).read_bytes(), file.read_bytes(), file.name)


    @needs_capture
    def test_a_scrubbed_recording_has_the_same_values_and_no_names(self):
        def values(source):
            lines = run("query", "--source", f"replay:{source}", "--format", "json").stdout.splitlines()
            return [[(value["object"], value["counter"], value["raw"], value["cooked"])
                     for value in json.loads(line)["values"]] for line in lines]

        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "scrubbed"
            result = run("capture", "--scrub", "--out", str(out), "--samples", "100", "--source", f"replay:{VISTA}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(values(out), values(VISTA))
            recorded = b"".join(path.read_bytes() for path in VISTA.glob("sample-*"))
            kept = b"".join(path.read_bytes() for path in out.glob("sample-*"))
        for name in ("explorer", "svchost", "lsass"):
            self.assertIn(name.encode("utf-16-le"), recorded)
            self.assertNotIn(name.encode("utf-16-le"), kept)


class ConfigInit(unittest.TestCase):
    def test_writes_a_valid_file_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "new.yaml"
            result = run("config", "init", "--out", str(path), "--listen-address", "127.0.0.1", "--listen-port", "9")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("listens on 127.0.0.1:9\n", run("check-config", str(path), "--file-alone").stdout)
            path.write_text("mine")
            self.assertIn("already exists and was not changed", run("config", "init", "--out", str(path)).stdout)
            self.assertEqual(path.read_text(), "mine")
            self.assertEqual(run("config", "init", "--out", str(path), "--force").returncode, 0)
            self.assertIn("//", path.read_text())
            self.assertEqual([entry.name for entry in path.parent.iterdir()], ["new.yaml"])

    def test_what_cannot_be_written_whole_leaves_nothing_behind(self):
        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "new.yaml"
            result = subprocess.run([EXECUTABLE, "config", "init", "--out", str(path)], capture_output=True, text=True,
                                    stdin=subprocess.DEVNULL, timeout=DEADLINE_SECONDS, preexec_fn=no_room)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("new.yaml cannot be written: ", result.stderr)
            self.assertEqual(list(path.parent.iterdir()), [])

    def test_undo_removes_only_what_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "new.yaml"
            command = ("config", "init", "--out", str(path), "--listen-port", "9")
            self.assertEqual(run(*command, "--undo").returncode, 0, "nothing to remove is no failure")
            run(*command)
            written = path.read_text()
            self.assertEqual(run("config", "init", "--out", str(path), "--listen-port", "8", "--undo").returncode, 0)
            self.assertEqual(path.read_text(), written, "another port is another file")
            path.write_text(written[:-1] + "#")
            self.assertIn("has been changed, so it was not removed", run(*command, "--undo").stdout)
            self.assertTrue(path.is_file())
            path.write_text(written)
            self.assertEqual(run(*command, "--undo").returncode, 0)
            self.assertEqual(list(path.parent.iterdir()), [])

    def test_undo_wants_a_file_and_no_force(self):
        self.assertEqual(run("config", "init", "--undo").returncode, 2)
        self.assertEqual(run("config", "init", "--out", "x", "--undo", "--force").returncode, 2)

    def test_without_a_file_prints_it(self):
        self.assertIn("countersets:", run("config", "init").stdout)

    def test_what_is_wrong_is_said(self):
        result = run("config", "init", "--listen-port", "http")
        self.assertEqual(result.returncode, 2)
        self.assertIn("10182", result.stderr)
        result = run("config", "init", "--out", "/no/such/folder/x.yaml")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/no/such/folder/x.yaml cannot be written: its folder does not exist", result.stderr)

    def test_what_is_no_file_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder) / "pipe"
            os.mkfifo(pipe)
            for arguments in ([], ["--force"]):
                result = run("config", "init", "--out", folder, *arguments)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertIn(f"{folder} cannot be written: this is a folder: name the file in it", result.stderr)
                result = run("config", "init", "--out", str(pipe), *arguments)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertIn(f"{pipe} cannot be written: this is a pipe or a device", result.stderr)
            self.assertTrue(pipe.is_fifo())


class ConfigSet(unittest.TestCase):
    TEXT = b"# Ours.\r\nlisten: {address: 'localhost', port: 9182} // not 10182\r\ninterval: 7s\r\n"

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.folder / "own.yaml"
        self.backup = self.folder / "own.yaml.bak"
        self.file.write_bytes(self.TEXT)

    def set(self, *arguments, code=0):
        result = run("config", "set", str(self.file), *arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout + result.stderr

    def test_changes_values_in_their_place_and_says_so(self):
        self.assertEqual(self.set("listen.port=21991", "log.level=debug", "interval=7s"),
                         f"listen.port changed from 9182 to 21991 in {self.file}\n"
                         f"log.level set to debug in {self.file}; it was not set before\n"
                         f"interval is already 7s in {self.file}\n")
        self.assertEqual(self.file.read_bytes(),
                         self.TEXT.replace(b"9182", b"21991") + b'log:\r\n  level: "debug"\r\n')
        self.assertEqual(list(self.folder.iterdir()), [self.file])
        self.assertEqual(run("check-config", str(self.file), "--file-alone").returncode, 0)

    def test_an_empty_value_is_one_unless_it_is_to_be_left_out(self):
        self.assertEqual(self.set("--skip-empty", "listen.port=", "listen.address="), "")
        self.assertEqual(self.file.read_bytes(), self.TEXT)
        self.assertIn("listen.port", self.set("listen.port=", code=2))
        self.assertIn('log.file set to "" in', self.set("log.file="))

    def test_the_backup_goes_back(self):
        self.set("--backup", "listen.port=1")
        self.assertEqual(self.backup.read_bytes(), self.TEXT)
        self.set("--undo")
        self.assertEqual(self.file.read_bytes(), self.TEXT)
        self.assertFalse(self.backup.exists())
        self.assertEqual(self.set("--undo"), "", "there is nothing to put back")
        # A backup of an earlier change is not taken for one of this.
        self.set("--backup", "listen.port=1")
        changed = self.file.read_bytes()
        self.set("--backup", "listen.port=1")
        self.set("--undo")
        self.assertEqual(self.file.read_bytes(), changed)

    def test_rights_stay_and_what_is_wrong_changes_nothing(self):
        self.file.chmod(0o640)
        self.set("listen.port=1")
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o640)
        before = self.file.read_bytes()
        for arguments, words in ((["listen.port=2", "listen.prot=3"], 'did you mean "listen.port"?'),
                                 (["listen.port=70000"], "from 0 to 65535"), (["listen.port"], "write KEY=VALUE"),
                                 (["=1"], "write KEY=VALUE"), (["countersets=x"], "edit the file instead")):
            self.assertIn(words, self.set(*arguments, code=2))
        self.assertEqual(self.file.read_bytes(), before)
        self.file.write_text("intervall: 5s")
        self.assertIn(f'{self.file}:1:1: unknown key "intervall"', self.set("listen.port=2", code=2))
        self.file.unlink()
        self.assertIn(f"{self.file}: no such file", self.set("listen.port=2", code=2))

    def test_a_list_of_addresses_is_left_to_people(self):
        self.file.write_text("listen:\n- {port: 1}\n- {port: 2}\n")
        for change in ("listen.port=3", "listen.address=::1", "listen.serve=metrics", "listen.hosts=a"):
            self.assertIn(f'{self.file}:2:1: "listen" is a list in this file', self.set("--backup", change, code=2))
        self.assertIn("cannot be set by this command; edit the file instead", self.set("listen=1", code=2))
        self.assertEqual(self.file.read_text(), "listen:\n- {port: 1}\n- {port: 2}\n")
        self.assertFalse(self.backup.exists())
        self.assertIn("interval set to 7s", self.set("interval=7s"))

    def test_what_lies_where_the_new_file_begins_is_not_written_through(self):
        other = self.folder / "other.txt"
        other.write_text("another's")
        beside = self.file.with_name("own.yaml.new")
        for port, make in enumerate((beside.hardlink_to, beside.symlink_to), 1):
            make(other)
            self.set(f"listen.port={port}")
            self.assertEqual(other.read_text(), "another's")
            self.assertFalse(beside.exists())

    def test_values_that_no_value_has_are_refused_with_the_place(self):
        for change, words in (('listen.address=::" --x', "has a quotation mark at character 18"),
                              ("log.file=a\nb", r"has the control character \u000a at character 11")):
            self.assertIn(words, self.set(change, code=2))
        self.assertEqual(self.file.read_bytes(), self.TEXT)
        result = run("config", "init", "--out", str(self.folder / "new.yaml"), "--listen-address", '::"')
        self.assertEqual(result.returncode, 2)
        self.assertIn('the address ::" has a quotation mark at character 3; write it without', result.stderr)

    def test_a_link_is_refused(self):
        link = self.folder / "link.yaml"
        link.symlink_to(self.file)
        result = run("config", "set", str(link), "listen.port=1")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{link} is a link", result.stderr)
        self.assertTrue(link.is_symlink())
        self.assertEqual(self.file.read_bytes(), self.TEXT)


class ConfigMigrate(unittest.TestCase):
    def test_of_a_file_and_of_flags(self):
        with tempfile.TemporaryDirectory() as folder:
            theirs, ours = pathlib.Path(folder) / "config.yaml", pathlib.Path(folder) / "ours.yaml"
            theirs.write_text("collectors: {enabled: 'cpu,textfile'}\nweb: {listen-address: [':9999', '10.0.0.1:1']}\n"
                              "scrape: {timeout-margin: 1}\n")
            result = run("config", "migrate", "--from-windows-exporter", str(theirs), "--out", str(ours), "--",
                         "--collectors.enabled", "memory,service,container")
            self.assertEqual(result.returncode, 3, "something was lost")
            self.assertIn("winperf_exporter: lost: --collectors.enabled: container: containers are not read: keep "
                          "windows_exporter for them, on another port\n", result.stderr)
            self.assertIn(f"winperf_exporter: note: {theirs}:3:10: scrape.timeout-margin: not needed", result.stderr)
            self.assertIn("winperf_exporter: 2 of 3 collectors taken over, 1 loss\n", result.stderr)
            plan = run("check-config", str(ours), "--file-alone").stdout
            self.assertIn("listens on [::]:9999, 10.0.0.1:1\n", plan)
            self.assertRegex(plan, r"(?m)^Memory ")
            self.assertNotIn("Processor Information", plan)
            again = run("config", "migrate", "--from-windows-exporter", str(theirs), "--out", str(ours))
            self.assertEqual(again.returncode, 1)
            self.assertIn("already exists and was not changed", again.stderr)

    def test_what_is_wrong_is_said(self):
        result = run("config", "migrate")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("an installed windows_exporter is detected only on Windows; pass its configuration with "
                      "--from-windows-exporter FILE", result.stderr)
        result = run("config", "migrate", "--from-windows-exporter", "/no/such/file")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/no/such/file cannot be read: no such file", result.stderr)
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder) / "pipe"
            os.mkfifo(pipe)
            result = run("config", "migrate", "--from-windows-exporter", folder)
            self.assertIn(f"{folder} cannot be read: this is a folder", result.stderr)
            result = run("config", "migrate", "--from-windows-exporter", str(pipe))
            self.assertIn(f"{pipe} cannot be read: this is a pipe or a device", result.stderr)
            wide = pathlib.Path(folder) / "wide.yaml"
            wide.write_text("collectors: {enabled: cpu}", encoding="utf-32")
            result = run("config", "migrate", "--from-windows-exporter", str(wide))
            self.assertIn("wide.yaml:1:1: the file is UTF-32: save it as UTF-8", result.stderr)
        self.assertEqual(run("config", "migrate", "--", "--collectors.enabled=cpu,memory").returncode, 0)
        for words in (["cpu"], ["cpu", "--log.level=debug"], ["/etc/windows/cpu", "--log.level=debug"]):
            result = run("config", "migrate", "--", *words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn('cpu" is not a windows_exporter flag; write --flag=value, or pass its '
                          "configuration file with --from-windows-exporter", result.stderr)
        for program in (r"C:\Program Files\we\Windows_Exporter.exe", "./windows_exporter-0.31"):
            result = run("config", "migrate", "--", program, "--collectors.enabled=cpu")
            self.assertEqual(result.returncode, 0, result.stderr)
        result = run("config", "migrate", "--", "--collectors.enabled=cpuu")
        self.assertEqual(result.returncode, 3, "an unknown collector is a loss")
        self.assertIn('did you mean "cpu"?', result.stderr)
        self.assertEqual(run("config", "migrate", "--", "--scrape.timeout-margin=1").returncode, 0, "a note is no loss")
        defaults = run("config", "migrate", "--", "--collectors.enabled=[defaults]").stdout
        for words in (["--collectors.enabled", "[defaults]"], ["windows_exporter.exe", "--collectors.enabled", "[defaults]"],
                      ["msiexec", "/i", "x.msi", "ENABLED_COLLECTORS=[defaults]"], ["--collectors.enabled", "[default]"]):
            result = run("config", "migrate", "--", *words)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout.split("# Good to know")[0], defaults, words)
        for pattern in ("[A-Z]", "[a,b]", "[[a]]", '"a"', "a\\\\b"):
            result = run("config", "migrate", "--", "--collectors.enabled", "service", "--collector.service.include", pattern)
            self.assertIn(f"include: [{json.dumps(pattern)}]", result.stdout)
        result = run("config", "migrate", "--", "ENABLED_COLLECTORS=memory", "LISTEN_PORT=5000")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("port: 5000", result.stdout)


class Recordings(unittest.TestCase):
    """That can't be read, or not whole: which one, and why."""

    def refuse(self, source, *words):
        result = run("query", "--source", source)
        self.assertEqual((result.returncode, result.stdout), (1, ""), source)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_what_is_no_recording_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            pipe, empty, text = place / "pipe", place / "empty.zip", place / "text.zip"
            os.mkfifo(pipe)
            empty.write_bytes(b"")
            text.write_text("no archive")
            self.refuse(f"replay:{pipe}", f"cannot read the capture {pipe}: this is a pipe or a device, not a file")
            self.refuse(f"blg:{pipe}", f"cannot replay the log {pipe}: this is a pipe or a device, not a file")
            self.refuse(f"blg:{folder}", f"cannot replay the log {folder}: this is a folder: name the file in it")
            self.refuse(f"replay:{folder}/none", f"cannot read the capture {folder}/none: no such file or folder")
            self.refuse(f"replay:{empty}", f"{empty} is not a capture: it is empty")
            self.refuse(f"blg:{empty}", f"cannot replay the log {empty}: it is empty")
            self.refuse(f"replay:{text}", f"{text} is not a capture: it does not end like a ZIP archive")
            self.refuse(f"blg:{text}", f"{text}: it is not a binary log", "use replay:FILE.zip for a capture in an archive")
            self.refuse(f"replay:{folder}", "is not a capture: it has no sample")

    @needs_capture
    def test_a_damaged_archive_names_the_sample(self):
        with tempfile.TemporaryDirectory() as folder:
            whole, damaged = pathlib.Path(folder) / "whole.zip", pathlib.Path(folder) / "damaged.zip"
            run("capture", "--out", str(whole), "--samples", "3", "--source", f"replay:{VISTA}")
            content = bytearray(whole.read_bytes())
            with zipfile.ZipFile(whole) as archive:
                second = next(entry for entry in archive.infolist() if entry.filename.startswith("sample-0001"))
            # The archive's directory has another checksum for it.
            place = content.rindex(second.filename.encode()) - 46 + 16
            content[place] ^= 1
            damaged.write_bytes(content)
            result = run("query", "Memory", "--format", "json", "--source", f"replay:{damaged}")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"replay:{damaged}, sample 1: capture.sample is damaged (its checksum is wrong)", result.stderr)
        self.assertEqual([bool(json.loads(line)["values"]) for line in result.stdout.splitlines()], [True, False, True])

    @needs_capture
    def test_a_capture_that_cannot_be_written_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("none/capture", "none/capture.zip"):
                result = run("capture", "--out", f"{folder}/{name}", "--source", f"replay:{VISTA}")
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"{folder}/{name}.partial cannot be", result.stderr)
                self.assertIn("its folder does not exist", result.stderr)


class WithoutNames(unittest.TestCase):
    @needs_capture
    def test_a_name_cannot_be_looked_up_and_an_index_can(self):
        with tempfile.TemporaryDirectory() as folder:
            for sample in VISTA.glob("sample-000[01]-*.perf"):
                (pathlib.Path(folder) / sample.name).write_bytes(sample.read_bytes())
            for command in ("query", "list"):
                result = run(command, "Memory", "--source", f"replay:{folder}")
                self.assertEqual(result.returncode, 1)
                self.assertIn("the name table is missing; use the object's index", result.stderr)
            self.assertIn("  24    83587072\n", run("query", "4", "--source", f"replay:{folder}").stdout)


class CheckConfig(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "winperf.yaml"
            path.write_text(text)
            return run("check-config", str(path)), path

    def test_valid_file_shows_its_plan(self):
        result, _ = self.check('{countersets: ["Memory", {name: ["A", "B"], interval: "7s"}]}')
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^A +auto +7s +- +- +-$")
        self.assertIn("the countersets were not resolved: ", result.stdout)

    def test_every_address_is_shown(self):
        for listen, texts in (('{port: 80}', ["[::]:80"]), ('[{address: "127.0.0.1", serve: page}]', ["127.0.0.1:10182"]),
                              ('[{address: "::1"}, {address: localhost, port: 0}]', ["[::1]:10182", "localhost:0"])):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "winperf.yaml"
                path.write_text(f"listen: {listen}")
                text = run("check-config", str(path), "--file-alone").stdout
                document = json.loads(run("check-config", str(path), "--file-alone", "--format", "json").stdout)
            self.assertTrue(text.startswith(f"{path}: valid\nlistens on {', '.join(texts)}\n\n"), text)
            self.assertEqual(document["listen"], texts)

    def test_what_is_no_file_is_not_waited_for(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder) / "pipe"
            os.mkfifo(pipe)
            for command in (["check-config"], ["run", "--config"], ["list", "--config"]):
                result = run(*command, str(pipe))
                self.assertEqual(result.returncode, 2)
                self.assertEqual(result.stderr, f"{pipe}: this is a pipe or a device, not a file\n")
            self.assertEqual(run("check-config", folder).stderr, f"{folder}: this is a folder: name the file in it\n")

    def test_a_file_in_another_encoding_is_told_which(self):
        for encoding, name in (("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-32", "UTF-32")):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "wide.yaml"
                path.write_text("interval: 5s", encoding=encoding)
                self.assertEqual(run("check-config", str(path)).stderr,
                                 f"{path}:1:1: the file is {name}: save it as UTF-8\n")

    def test_a_log_file_that_can_be_none_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            config, pipe = pathlib.Path(folder) / "winperf.yaml", pathlib.Path(folder) / "pipe"
            os.mkfifo(pipe)
            for file, reason in (("/", "not of a folder"), (folder, "this is a folder"), ("pipe", "this is a pipe"),
                                 ("/dev/full", "this is a pipe or a device")):
                config.write_text(json.dumps({"listen": {"address": "127.0.0.1", "port": 0}, "log": {"file": file}}))
                result = run("check-config", str(config), "--file-alone")
                self.assertEqual(result.returncode, 2, file)
                self.assertIn(reason, result.stderr)
                if VISTA.is_dir() and file != "/":
                    self.assert_run_refuses(config, reason)

    def assert_run_refuses(self, config, reason):
        result = run("run", "--config", str(config), "--source", f"replay:{VISTA}")
        self.assertEqual(result.returncode, 2, reason)
        self.assertIn(reason, result.stderr)

    @needs_capture
    def test_a_log_file_is_refused_in_the_same_words_by_the_check_and_by_run(self):
        with tempfile.TemporaryDirectory() as folder:
            config, loop = pathlib.Path(folder) / "winperf.yaml", pathlib.Path(folder) / "loop.log"
            loop.symlink_to(loop)
            (pathlib.Path(folder) / "link.log").symlink_to(config)
            linked = "cannot be opened: it is the configuration file itself; name another file\n"
            itself = f"{config}:1:"
            for file, reason in (("winperf.yaml", itself), ("link.log", linked), (str(config), itself),
                                 ("loop.log", "loop.log cannot be opened: Too many levels of symbolic links\n"),
                                 ("winperf.yaml/below.log", "below.log cannot be opened: Not a directory\n")):
                text = json.dumps({"listen": {"address": "127.0.0.1", "port": 0}, "log": {"file": file}})
                config.write_text(text)
                result = run("check-config", str(config), "--file-alone")
                self.assertEqual((result.returncode, result.stdout), (2, ""), file)
                self.assertIn(reason, result.stderr)
                self.assert_run_refuses(config, reason)
                self.assertEqual(config.read_text(), text)

    def test_a_path_of_another_machine_is_answered_with_what_to_write(self):
        result, path = self.check(r"countersets: ['\\web1\Memory\Available Bytes']")
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"{path}:1:15: ", result.stderr)
        self.assertIn(r'write "\Memory\Available Bytes"', result.stderr)

    def test_a_capture_that_cannot_be_read_is_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "winperf.yaml"
            path.write_text("interval: 5s")
            result = run("check-config", str(path), "--source", f"replay:{folder}/none")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the countersets were not resolved: cannot read the capture", result.stdout)

    @needs_capture
    def test_what_is_not_exposed_is_not_listed_as_if_it_were(self):
        config = '{countersets: ["Processor"], metrics: {detail: full%s}}'
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "winperf.yaml"
            path.write_text(config % "")
            text = run("check-config", str(path), "--source", f"replay:{VISTA}").stdout
            document = json.loads(
                run("check-config", str(path), "--source", f"replay:{VISTA}", "--format", "json").stdout)
            path.write_text(config % ", total_instances: true")
            total = run("check-config", str(path), "--source", f"replay:{VISTA}").stdout
        self.assertRegex(text, r"(?m)^Processor +registry +5s +14 +1 +26$")
        self.assertIn("\n  instances: 0\n", text)
        self.assertIn("on /metrics only with metrics: {total_instances: true}: _Total\n", text)
        processor, = document["countersets"]
        self.assertEqual((processor["instance_names"], processor["hidden_instance_names"], processor["series"]),
                         (["0"], ["_Total"], 26))
        self.assertRegex(total, r"(?m)^Processor +registry +5s +14 +2 +52$")
        self.assertIn("\n  instances: 0, _Total\n", total)

    @needs_capture
    def test_a_name_that_nothing_has_is_answered_with_the_nearest(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "winperf.yaml"
            path.write_text("countersets: [Procesor]")
            result = run("check-config", str(path), "--source", f"replay:{VISTA}")
        self.assertIn('cannot be read: counterset is not in the name table; did you mean "Processor"?', result.stdout)

    def test_valid_file_with_a_capture_shows_what_it_finds(self):
        if not VISTA.is_dir():
            self.skipTest(f"NO RECORDED DATA: {VISTA} is absent; set WINPERF_CAPTURES to the captures")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "winperf.yaml"
            path.write_text('{countersets: ["Memory", {name: "Process", instances: {include: ["svchost"]}}, "Absent"]}')
            result = run("check-config", str(path), "--source", f"replay:{VISTA}", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        memory, process, absent = json.loads(result.stdout)["countersets"]
        self.assertEqual((memory["object"], memory["path"], memory["instance_names"]), ("Memory", "registry", []))
        self.assertGreater(memory["series"], 10)
        self.assertEqual(set(name.split("#")[0] for name in process["instance_names"]), {"svchost"})
        self.assertGreater(process["instances_in_all"], len(process["instance_names"]))
        self.assertFalse(absent["success"])
        self.assertIn("not in the name table", absent["error"])

    def test_error_has_file_line_column_and_advice(self):
        result, path = self.check('{\n  "intervall": "5s"\n}')
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"{path}:2:3:", result.stderr)
        self.assertIn('did you mean "interval"?', result.stderr)

    def test_run_does_not_start_with_a_bad_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "winperf.yaml"
            path.write_text("listen: {port: 70000}")
            result = run("run", "--config", str(path))
        self.assertEqual(result.returncode, 2)
        self.assertIn(":1:", result.stderr)


@needs_capture
class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        result = run("query", "--source", f"replay:{VISTA}", "--format", "json")
        assert result.returncode == 0, result.stderr
        cls.samples = [json.loads(line) for line in result.stdout.splitlines()]

    def value(self, sample, counterset, counter, instance=""):
        found = [value for value in self.samples[sample]["values"]
                 if (value["object"], value["counter"], value["instance"])
                 == (counterset, counter, instance)]
        self.assertEqual(len(found), 1, (counterset, counter, instance))
        return found[0]

    def test_prints_every_sample_in_order(self):
        self.assertEqual([sample["sequence"] for sample in self.samples], list(range(11)))
        self.assertEqual(self.samples[1]["time"], "2007-08-14T19:41:38.6148066Z")

    def test_idle_time_and_its_inverse_agree(self):
        busy = self.value(1, "Processor", "% Processor Time", "_Total")
        idle = self.value(1, "Processor", "% Idle Time", "_Total")
        self.assertEqual((busy["object_index"], busy["counter_index"]), (238, 6))
        self.assertEqual((busy["type"], busy["instance_ordinal"]), ("0x21510500", 1))
        self.assertAlmostEqual(busy["cooked"] + idle["cooked"], 100, delta=1)

    def test_rates_wait_for_a_second_sample(self):
        first = self.value(0, "Memory", "Page Faults/sec")
        self.assertEqual((first["cooked"], first["reason"]), (None, "first_sample"))
        self.assertIsNone(first["instance_ordinal"])
        self.assertIsNone(self.value(1, "Memory", "Page Faults/sec")["reason"])

    def test_fractions_carry_their_base(self):
        committed = self.value(0, "Memory", "% Committed Bytes In Use")
        self.assertAlmostEqual(committed["cooked"], 100 * committed["raw"] / committed["base"])
        self.assertNotIn("base", self.value(0, "Memory", "Available Bytes"))

    def test_processes_of_one_name_are_kept_apart(self):
        rows = [value for value in self.samples[1]["values"]
                if (value["object"], value["counter"]) == ("Process", "ID Process")
                and value["instance"] == "svchost"]
        self.assertGreater(len(rows), 1)
        self.assertEqual(len({row["raw"] for row in rows}), len(rows))
        self.assertEqual(len({row["instance_ordinal"] for row in rows}), len(rows))

    def test_lists_objects_and_their_counters(self):
        result = run("list", "--source", f"replay:{VISTA}", "Processor")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("% Processor Time  [6, PERF_100NSEC_TIMER_INV]", result.stdout)
        self.assertIn('"_Total"', result.stdout)

    def test_object_that_is_not_in_the_capture_is_a_failure(self):
        result = run("query", "--source", f"replay:{VISTA}", "99999")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no sample of the recording", result.stderr)

    def test_unknown_object_gets_advice(self):
        result = run("query", "--source", f"replay:{VISTA}", "Procesor")
        self.assertEqual(result.returncode, 1)
        self.assertIn('did you mean "Processor"?', result.stderr)


@needs_capture
@needs_log
class BinaryLog(unittest.TestCase):
    """The capture was made of the log, so both say the same."""

    def assert_same_output(self, *arguments):
        command, *rest = arguments
        of_log = run(command, "--source", f"blg:{VISTA_LOG}", *rest)
        of_capture = run(command, "--source", f"replay:{VISTA}", *rest)
        self.assertEqual((of_log.returncode, of_log.stderr), (0, ""))
        self.assertGreater(len(of_log.stdout), 1000)
        self.assertEqual(of_log.stdout, of_capture.stdout)

    def test_query_prints_what_the_capture_prints(self):
        self.assert_same_output("query", "--format", "json")

    def test_list_prints_what_the_capture_prints(self):
        self.assert_same_output("list", "--counters", "--instances")

    def test_damage_costs_its_sample_and_is_reported(self):
        content = bytearray(VISTA_LOG.read_bytes())
        # Part 2 of the second sample calls itself part 3.
        content[212464 + 64] = 3
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "damaged.blg"
            path.write_bytes(content)
            result = run("query", "--source", f"blg:{path}", "--format", "json", "Memory")
        self.assertEqual(result.returncode, 1)
        self.assertIn("1 damaged part (the first: log.record.part_order", result.stderr)
        self.assertIn("offset 212464", result.stderr)
        samples = [json.loads(line)["values"] for line in result.stdout.splitlines()]
        self.assertEqual([index for index, values in enumerate(samples) if not values], [1])
        self.assertEqual(len(samples), 11)


@needs_capture
class Doctor(unittest.TestCase):
    def doctor(self, *arguments):
        result = run("doctor", "--source", f"replay:{VISTA}", "--format", "json", *arguments)
        document = json.loads(result.stdout)
        self.assertEqual(document["source"], "replay")
        return result.returncode, {entry["name"]: entry for entry in document["countersets"]}

    def test_everything_in_the_capture_is_healthy(self):
        code, found = self.doctor()
        self.assertEqual(code, 0)
        self.assertEqual({entry["reason"] for entry in found.values()}, {"healthy"})
        self.assertEqual(found["Processor Information"]["object"], "Processor")
        self.assertEqual(found["Process"]["object_index"], 230)

    def test_what_is_missing_has_a_reason(self):
        code, found = self.doctor("Procesor", "Thread", "TCP", "99999")
        self.assertEqual(code, 1)
        self.assertEqual({name: entry["reason"] for name, entry in found.items()},
                         {"Procesor": "name_unknown", "Thread": "not_in_capture", "TCP": "replaced",
                          "99999": "not_in_capture"})
        self.assertIn('did you mean "Processor"?', found["Procesor"]["sentence"])

    def test_filters_are_those_of_the_configuration(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "winperf.yaml"
            path.write_text("""{countersets: [
                {name: "Process", instances: {include: ["SVCHOST"]}},
                {name: "Memory", counters: {include: ["Nonsense"]}},
                {name: "Processor", instances: {include: ["0"]}, counters: {include: ["% .*"]}}]}""")
            code, found = self.doctor("--config", str(path))
            _, named = self.doctor("--config", str(path), "process")
        self.assertEqual(code, 1)
        self.assertEqual({name: (entry["status"], entry["reason"]) for name, entry in found.items()},
                         {"Process": ("warning", "instance_filter_matches_nothing"),
                          "Memory": ("failed", "counter_filter_matches_nothing"),
                          "Processor": ("ok", "healthy")})
        self.assertEqual(named["Process"]["reason"], "instance_filter_matches_nothing")

    def test_prints_a_text_for_people(self):
        result = run("doctor", "--source", f"replay:{VISTA}", "Memory", "Thread")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r'(?m)^ok       Memory: "Memory" \(index 4\): 35 of 35 counters$')
        self.assertRegex(result.stdout, r"(?m)^failed   Thread: not_in_capture$")
        self.assertRegex(result.stdout, r"(?m)^2 countersets: 1 ok, 0 with a warning, 1 failed$")

    def test_bad_configuration_is_a_usage_error(self):
        self.assertEqual(run("doctor", "--config", "no-such-file.yaml").returncode, 2)


@needs_capture
class Run(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen(
            [EXECUTABLE, "run", "--source", f"replay:{VISTA}", "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        line = self.process.stdout.readline()
        self.assertRegex(line, r"^listening on http://127\.0\.0\.1:\d+/?$")
        self.url = line.split()[-1].rstrip("/")

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=DEADLINE_SECONDS) as answer:
            return answer.read().decode()

    def test_serves_the_capture_and_stops_on_ctrl_c(self):
        deadline = time.monotonic() + DEADLINE_SECONDS
        while True:
            try:
                self.get("/-/ready")
                break
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, 503)
                self.assertLess(time.monotonic(), deadline, error.read())
        page = self.get("/metrics")
        self.assertRegex(page, r'(?m)^winperf_cpu_time_seconds_total\{core="0",mode="idle"\} ')
        self.assertIn('winperf_exporter_counterset_success{counterset="Memory"} 1', page)
        document = json.loads(self.get("/api/v1/sample?counterset=Memory"))
        self.assertEqual([entry["name"] for entry in document["countersets"]], ["Memory"])
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(timeout=DEADLINE_SECONDS), 0)

    def test_bad_listen_address_says_what_is_wanted(self):
        for address in ("nonsense", "127.0.0.1:99999", "127.0.0.1:"):
            result = run("run", "--source", f"replay:{VISTA}", "--listen", address)
            self.assertEqual(result.returncode, 2)
            self.assertIn("ADDRESS:PORT", result.stderr)

    def test_second_instance_on_the_same_port_is_refused(self):
        address = self.url.removeprefix("http://")
        result = run("run", "--source", f"replay:{VISTA}", "--listen", address)
        self.assertEqual(result.returncode, 1)
        self.assertIn(address.rpartition(":")[2], result.stderr)


if __name__ == "__main__":
    unittest.main()
