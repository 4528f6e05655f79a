#!/usr/bin/env python3
"""Tests the Windows executable at a prompt: arguments and output are UTF-8, whatever the code page is."""

import contextlib
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from e2e_support import WinePrefix, die_with_parent, required, windows_path

EXPORTER = windows_path(required("WINPERF_EXPORTER"))
# Latin, Cyrillic, and a character that takes two units of UTF-16.
NAME = "Gr\u00f6\u00dfe-\u0414\u0438\u0441\u043a-\U0001f600"


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = cls.enterClassContext(WinePrefix())

    def run_exporter(self, *words):
        return self.prefix.run(EXPORTER, *words)

    def at_a_console(self, *words, seconds=60):
        """Returns what a terminal shows. In it, Wine gives the program a console with an old code page."""
        leader, terminal = pty.openpty()
        try:
            process = subprocess.Popen(
                [self.prefix.wine, "cmd", "/c", "chcp", "437", ">nul", "&", EXPORTER, *words],
                env={**self.prefix.environment, "TERM": "xterm"}, stdin=terminal, stdout=terminal, stderr=terminal,
                preexec_fn=die_with_parent, start_new_session=True)
        finally:
            os.close(terminal)
        shown = b""
        deadline = time.monotonic() + seconds
        try:
            while time.monotonic() < deadline:
                ready, _, _ = select.select([leader], [], [], 0.2)
                if ready:
                    try:
                        part = os.read(leader, 65536)
                    except OSError:  # no process has the terminal open any more
                        break
                    shown += part
                elif process.poll() is not None:
                    break
            # It leaves the terminal a moment before it is gone.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0, deadline - time.monotonic()))
            self.assertIsNotNone(process.poll(), f"still running after {seconds} s; output: {shown!r}")
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            os.close(leader)
        # Removes escape sequences. Wine moves the cursor instead of writing blanks.
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode("utf-8", "replace"))

    def test_words_arrive_as_they_were_typed(self):
        result = self.run_exporter(NAME)
        self.assertEqual(result.code, 2, (result.output, result.errors))
        self.assertIn(f'unknown command "{NAME}"', result.errors)

    def test_a_console_shows_what_is_written(self):
        self.assertIn(f'"{NAME[:10]}"', self.at_a_console(NAME[:10]))

    def test_a_path_that_begins_with_a_slash_is_no_option(self):
        result = self.run_exporter("check-config", "/nonexist.yaml")
        self.assertEqual(result.code, 2)
        self.assertIn("no such file; check the path", result.errors)
        self.assertNotIn("file is required", result.errors)

    def test_files_have_names_in_any_language(self):
        folder = self.prefix.folder / NAME
        folder.mkdir()
        file = folder / f"{NAME}.yaml"
        result = self.run_exporter("config", "init", "--out", windows_path(file))
        self.assertEqual((result.code, result.output), (0, f"{windows_path(file)}: written\n"), result.errors)
        self.assertIn("countersets", file.read_text("utf-8"))
        result = self.run_exporter("check-config", windows_path(file), "--file-alone")
        self.assertEqual(result.code, 0, result.errors)

    def test_what_is_no_file_is_not_waited_for(self):
        folder = self.prefix.folder / "folder"
        folder.mkdir()
        for name in (windows_path(folder), "\\\\.\\NUL"):
            result = self.run_exporter("check-config", name)
            self.assertEqual(result.code, 2, name)
            self.assertRegex(result.errors, "this is a folder|this is a pipe or a device", name)


if __name__ == "__main__":
    unittest.main()
