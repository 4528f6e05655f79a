"""Makes an MSI of an executable for tests, and reads the tables of one."""

import pathlib
import re
import struct
import subprocess

MAKE_MSI = pathlib.Path(__file__).resolve().parents[2] / "packaging/windows/make_msi.py"
DOCUMENTS = {"README.md": "read me", "docs/service.md": "the service", "docs/adr/0001.md": "a decision",
             "licences/fmt.txt": "MIT"}
COUNTERS = {"winperf_exporter_perf.dll": b"MZ", "winperf_exporter_perf.ini": b"[info]", "winperf_exporter_perf.h": b"#define",
            "winperf_exporter.man": b"<instrumentationManifest/>"}
# What an executable's version resource begins with; as an executable, no more than make_msi.py reads.
NO_PROGRAM = b"MZ" + "VS_VERSION_INFO\0".encode("utf-16-le") + b"\0\0\xbd\x04\xef\xfe\x00\x00\x01\x00" + bytes(8)


def executable_of(folder, version, data):
    """Returns a copy of the executable with another version in its version resource."""
    major, minor, build = map(int, version.split("."))
    changed, count = re.subn(rb"(\xbd\x04\xef\xfe\x00\x00\x01\x00).{8}",
                             lambda match: match[1] + struct.pack("<4H", minor, major, 0, build), data, flags=re.DOTALL)
    if count != 1:
        raise AssertionError(f"{count} version resources in the executable")
    executable = folder / f"{version}.exe"
    executable.write_bytes(changed)
    return executable


def make_msi(folder, version, executable, installer, *options):
    documents = folder / f"{version}-documents"
    for name, text in DOCUMENTS.items():
        (documents / name).parent.mkdir(parents=True, exist_ok=True)
        (documents / name).write_text(text)
    counters = folder / f"{version}-counters"
    counters.mkdir(exist_ok=True)
    for name, data in COUNTERS.items():
        (counters / name).write_bytes(data)
    out = folder / f"{version}.msi"
    subprocess.run([MAKE_MSI, "--version", version, "--executable", executable_of(folder, version, executable),
                    "--installer", installer, "--counters", counters, "--documents", documents, "--out", out, *options],
                   check=True, timeout=120, stdout=subprocess.DEVNULL)
    return out


def table(msi, name):
    """Returns the rows of a table, without their first column, by that column."""
    lines = subprocess.run(["msiinfo", "export", msi, name], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split("\t")[0]: line.split("\t")[1:] for line in lines[3:]}


def product_code(msi):
    return table(msi, "Property")["ProductCode"][0]
