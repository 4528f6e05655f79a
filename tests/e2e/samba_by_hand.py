#!/usr/bin/env python3
"""Blocks that Samba serves as another machine's HKEY_PERFORMANCE_DATA go through the reader. Run by hand:

    apt-get install samba python3-samba          (as root; a running smbd is neither needed nor disturbed)
    /usr/bin/python3 samba_by_hand.py EXECUTABLE [unittest arguments]

Samba's pipe winreg answers OpenPerformanceData from two small databases, which this script fills. It starts an smbd of its
own on loopback, in a temporary folder, asks it as RegConnectRegistry would, and gives what comes back to the native
executable as a capture. Samba's blocks are not quite Windows': TotalByteLength leaves the header out, so the reader reports the
object that ends behind it. With the length that Windows writes, it reads the rest.
"""

import contextlib
import json
import os
import pathlib
import signal
import socket
import struct
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


def with_windows_length(block):
    """The same block with its header in TotalByteLength, the number at byte 20; HeaderLength follows it."""
    objects, header = struct.unpack_from("<2I", block, 20)
    return block[:20] + struct.pack("<I", objects + header) + block[24:]


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
        # When it ends, it ends its whole group of processes.
        self.process = subprocess.Popen(["smbd", "-F", "-s", self.settings, "--no-process-group"], stdout=subprocess.DEVNULL,
                                        start_new_session=True)

    def close(self):
        self.process.terminate()
        self.process.wait(SECONDS)
        # Its helpers outlive it.
        for file in (self.folder / "pid").glob("*.pid"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(file.read_text()), signal.SIGTERM)

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
        cls.names = cls.samba.query("Counter 009")
        cls.blocks = []
        for seconds, red, green in ((0, 7, 100), (10, 8, 150)):
            cls.samba.set_values(seconds, red, green)
            cls.blocks.append(cls.samba.query("Global"))

    def run_on(self, blocks, *words):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(dir=self.folder)))
        (folder / "counter-009.bin").write_bytes(self.names)
        for number, block in enumerate(blocks):
            (folder / f"sample-{number:04}.perf").write_bytes(block)
        return subprocess.run([EXECUTABLE, *words, "--source", f"replay:{folder}"], capture_output=True, text=True,
                              timeout=SECONDS)

    def test_the_length_without_the_header_is_reported(self):
        result = self.run_on(self.blocks, "query", "Things")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("object ends past its container at offset 112", result.stderr)

    def test_names_values_and_rates_are_its(self):
        result = self.run_on(map(with_windows_length, self.blocks), "query", "Things", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        values = [[(value["counter"], value["raw"], value["cooked"]) for value in json.loads(line)["values"]]
                  for line in result.stdout.splitlines()]
        self.assertEqual(values, [[("Red", 7, 7), ("Green", 100, None)], [("Red", 8, 8), ("Green", 150, 5)]])

    def test_a_reply_that_was_cut_is_reported(self):
        # Samba calls it a success.
        result = self.run_on([self.samba.query("Global", 16)], "query", "Things")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("ends past its container", result.stderr)


if __name__ == "__main__":
    unittest.main()
