#!/usr/bin/env python3
"""docs/cli.md is what --help says of each command: cli_page_test.py EXECUTABLE. WINPERF_UPDATE_FILES=1 writes it anew."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/cli.md"
HEAD = """# Command line reference

Each command's `--help`, as the program prints it. [commands.md](commands.md) says what the commands are for, and has the exit codes.
"""


def help_of(command):
    result = subprocess.run([EXECUTABLE, *command, "--help"], check=True, capture_output=True, text=True, timeout=60)
    return "".join(line.rstrip() + "\n" for line in result.stdout.strip().splitlines())


def commands(command=()):
    """All commands, those of a group after it, with their help."""
    text = help_of(command)
    yield command, text
    if command == ("help",):  # its commands are all of the others
        return
    _, _, listed = text.partition("Subcommands:\n")
    for name in re.findall(r"(?m)^  ([a-z][a-z-]*) ", listed):
        yield from commands((*command, name))


class CliPage(unittest.TestCase):
    def test_is_what_help_says(self):
        found = dict(commands())
        self.assertGreater(len(found), 15)
        page = HEAD + "".join(f"\n## {' '.join(('winperf_exporter', *command))}\n\n```\n{text}```\n" for command, text in found.items())
        if os.environ.get("WINPERF_UPDATE_FILES"):
            PAGE.write_text(page)
        self.assertEqual(PAGE.read_text(), page, "set WINPERF_UPDATE_FILES=1 and review the change")


if __name__ == "__main__":
    unittest.main()
