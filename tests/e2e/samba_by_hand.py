#!/usr/bin/env python3
"""Blocks that Samba serves as another machine's HKEY_PERFORMANCE_DATA go through the reader. Run by hand:

    apt-get install samba python3-samba          (as root; a running smbd is neither needed nor disturbed)
    /usr/bin/python3 samba_by_hand.py EXECUTABLE [unittest arguments]

Samba's pipe winreg answers OpenPerformanceData from two small databases, which this script fills. It starts an smbd of its
own on loopback, in a temporary folder, asks it as RegConnectRegistry would, and gives what comes back to the native
executable as a capture. Samba's blocks are not Windows': a signature with a byte too many is one of the differences to find.
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import tdb
from samba.credentials import Credentials
from samba.dcerpc import winreg
from samba.param import LoadParm

EXECUTABLE = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
PORT, PASSWORD, SECONDS = 1445, "secret", 30
RAW_DWORD, BULK_COUNT = 0x00010000, 0x10410500
SETTINGS = """[global]
workgroup = TEST
netbios name = SAMBAHOST
server role = standalone server
interfaces = lo
bind interfaces only = yes
smb ports = {port}
private dir = {folder}/private
lock directory = {folder}/lock
state directory = {folder}/state
cache directory = {folder}/cache
pid directory = {folder}/pid
ncalrpc dir = {folder}/ncalrpc
log file = {folder}/log/%m.log
passdb backend = tdbsam:{folder}/private/passdb.tdb
disable netbios = yes
load printers = no
disable spoolss = yes
"""


def fill(path, values):
    database = tdb.open(str(path), 0, tdb.DEFAULT, os.O_RDWR | os.O_CREAT, 0o644)
    for key, value in values.items():
        database.store(key.encode(), str(value).encode())
    database.close()


class Samba:
    """An smbd with one object, "Things", of two counters, "Red" and "Green"."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("private", "lock", "state/perfmon", "cache", "pid", "ncalrpc", "log"):
            (folder / name).mkdir(parents=True)
        self.settings = folder / "smb.conf"
        self.settings.write_text(SETTINGS.format(port=PORT, folder=folder))
        fill(folder / "state/perfmon/names.tdb", {
            "0PerfFreq": 1_000_000, "1": 3, "2": "Things", "2rel": "p", "4": "Red", "4rel": "c[2]", "4type": RAW_DWORD,
            "6": "Green", "6rel": "c[2]", "6type": BULK_COUNT})
        subprocess.run(["smbpasswd", "-c", self.settings, "-s", "-a", "root"], input=f"{PASSWORD}\n{PASSWORD}\n", text=True,
                       check=True, stdout=subprocess.DEVNULL)
        self.process = subprocess.Popen(["smbd", "-F", "-s", self.settings, "--no-process-group"], stdout=subprocess.DEVNULL)

    def close(self):
        self.process.terminate()
        self.process.wait(SECONDS)

    def set_values(self, seconds, red, green):
        fill(self.folder / "state/perfmon/data.tdb", {
            "4": red, "6": green, "0PerfTime": 5_000_000 + seconds * 1_000_000,
            "0PerfTime100nSec": 133_716_612_800_000_000 + seconds * 10_000_000})

    def wait(self):
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                return socket.create_connection(("127.0.0.1", PORT), 1).close()
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def connect(self):
        settings = LoadParm()
        settings.load(str(self.settings))
        account = Credentials()
        account.guess(settings)
        account.set_username("root")
        account.set_password(PASSWORD)
        self.pipe = winreg.winreg(r"ncacn_np:127.0.0.1[\pipe\winreg]", settings, account)
        self.handle = self.pipe.OpenHKPD(None, 0x02000000)  # MAXIMUM_ALLOWED

    def query(self, value_name, room=1 << 16):
        name = winreg.String()
        name.name = value_name
        _, data, _, length = self.pipe.QueryValue(self.handle, name, 0, [0] * room, room, room)
        return bytes(data[:length])


class Blocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.samba = Samba(cls.folder / "samba")
        cls.addClassCleanup(cls.samba.close)
        cls.samba.set_values(0, 7, 100)
        cls.samba.wait()
        cls.samba.connect()
        cls.capture = cls.folder / "capture"
        cls.capture.mkdir()
        (cls.capture / "counter-009.bin").write_bytes(cls.samba.query("Counter 009"))
        for number, (red, green) in enumerate(((7, 100), (8, 150))):
            cls.samba.set_values(10 * number, red, green)
            (cls.capture / f"sample-{number:04}.perf").write_bytes(cls.samba.query("Global"))

    def run_on_capture(self, *words):
        result = subprocess.run([EXECUTABLE, *words, "--source", f"replay:{self.capture}"], capture_output=True, text=True,
                                timeout=SECONDS)
        return result.returncode, result.stdout, result.stderr

    def test_the_names_are_those_of_its_table(self):
        code, output, errors = self.run_on_capture("list", "Things", "--format", "json")
        self.assertEqual(code, 0, errors)
        things = json.loads(output)["objects"][0]
        self.assertEqual([counter["counter"] for counter in things["counters"]], ["Red", "Green"])
        self.assertEqual(errors, "")

    def test_values_and_rates_are_its_numbers(self):
        code, output, errors = self.run_on_capture("query", "Things", "--format", "json")
        self.assertEqual(code, 0, errors)
        print(output)

    def test_a_reply_that_was_cut_is_reported(self):
        cut = self.folder / "cut"
        cut.mkdir()
        (cut / "sample-0000.perf").write_bytes(self.samba.query("Global", 16))
        result = subprocess.run([EXECUTABLE, "query", "--source", f"replay:{cut}"], capture_output=True, text=True,
                                timeout=SECONDS)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("ends past its container", result.stderr)


if __name__ == "__main__":
    unittest.main()
