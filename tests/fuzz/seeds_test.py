#!/usr/bin/env python3
"""The seeds that a fuzz target writes are read again as inputs: seeds_test.py EXECUTABLE"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve()


class Seeds(unittest.TestCase):
    def inputs(self, *corpus):
        output = subprocess.run([EXECUTABLE, "--runs=0", *corpus], check=True, capture_output=True, text=True, timeout=120).stdout
        return int(re.fullmatch(r"(\d+) inputs and 0 mutations\n", output)[1])

    def test_they_are_a_corpus(self):
        own = self.inputs()
        self.assertGreater(own, 2)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "new"
            told = subprocess.run([EXECUTABLE, f"--write-seeds={folder}"], check=True, capture_output=True, text=True, timeout=120)
            self.assertEqual(told.stdout, f"{own} seeds in {folder}\n")
            files = list(folder.iterdir())
            self.assertEqual(len(files), own)
            self.assertGreater(sum(file.stat().st_size for file in files), 100)
            self.assertEqual(self.inputs(folder), 2 * own)


if __name__ == "__main__":
    unittest.main()
