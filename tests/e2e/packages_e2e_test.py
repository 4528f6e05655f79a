#!/usr/bin/env python3
"""What scripts/package makes of a built executable, opened again."""

import hashlib
import json
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as tree
import zipfile

from e2e_support import WinePrefix, required, windows_path

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSION = "3.2.1"


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.out = cls.make("one")
        cls.msi = cls.out / f"winperf_exporter-{VERSION}-x64.msi"

    @classmethod
    def make(cls, name):
        out = cls.folder / name
        subprocess.run([ROOT / "packaging/make_packages.py", "--executable", required("WINPERF_EXPORTER"), "--out", out,
                        "--version", VERSION, "--base-url", "https://files.invalid/v1/"], check=True, timeout=240)
        return out

    def test_checksums_name_every_file(self):
        listed = dict(reversed(line.split("  ")) for line in (self.out / "SHA256SUMS").read_text().splitlines())
        files = {str(path.relative_to(self.out)): hashlib.sha256(path.read_bytes()).hexdigest()
                 for path in self.out.rglob("*") if path.is_file() and path.name != "SHA256SUMS"}
        self.assertEqual(listed, files)
        self.assertEqual(len(files), 7)

    def test_zip_holds_what_runs_and_what_explains(self):
        with zipfile.ZipFile(self.out / f"winperf_exporter-{VERSION}-windows-x64.zip") as archive:
            names = {name.partition("/")[2] for name in archive.namelist()}
            archive.extractall(self.folder / "unpacked")
        for name in ("winperf_exporter.exe", "winperf_exporter.yaml", "README.md", "docs/service.md"):
            self.assertIn(name, names)
        program = next((self.folder / "unpacked").rglob("winperf_exporter.exe"))
        self.assertLess(program.stat().st_size, required("WINPERF_EXPORTER").stat().st_size, "without symbols")
        with WinePrefix() as prefix:
            result = prefix.run(windows_path(program), "check-config",
                                windows_path(program.parent / "winperf_exporter.yaml"), "--file-alone")
        self.assertEqual(result.code, 0, result.errors)

    def test_the_executable_is_hardened(self):
        data = required("WINPERF_EXPORTER").read_bytes()
        optional_header = int.from_bytes(data[0x3C:0x40], "little") + 24
        self.assertEqual(data[optional_header:optional_header + 2], b"\x0b\x02", "64-bit")
        kinds = int.from_bytes(data[optional_header + 70:optional_header + 72], "little")
        for name, kind in (("addresses of 64 bits", 0x20), ("randomised addresses", 0x40), ("no executable data", 0x100)):
            self.assertTrue(kinds & kind, name)
        self.assertIn(b"__stack_chk_fail", data, "a stack protector")

    def test_bill_of_materials_has_every_library(self):
        document = json.loads((self.out / f"winperf_exporter-{VERSION}.cdx.json").read_text())
        recipe = (ROOT / "packaging/deps/recipe.conf").read_text()
        libraries = set(re.findall(r"(?m)^base +\| (\S+)", recipe))
        self.assertGreater(len(libraries), 5)
        names = {entry["name"] for entry in document["components"]}
        self.assertEqual(names, libraries | {"zlib", "mingw-w64", "gcc"})
        for entry in document["components"]:
            self.assertRegex(entry["version"], r"^\d+\.\d+", entry["name"])
            self.assertTrue(entry["licenses"][0], entry["name"])
        self.assertEqual(document["specVersion"], "1.5")
        self.assertEqual(document["dependencies"][0]["dependsOn"],
                         [entry["bom-ref"] for entry in document["components"]])

    def test_chocolatey_package_holds_the_installer(self):
        with zipfile.ZipFile(self.out / f"winperf_exporter.{VERSION}.nupkg") as package:
            self.assertEqual(package.read(f"tools/{self.msi.name}"), self.msi.read_bytes())
            specification = tree.fromstring(package.read("winperf_exporter.nuspec"))
            self.assertIn(self.msi.name.encode(), package.read("tools/chocolateyinstall.ps1"))
            self.assertIn(hashlib.sha256(self.msi.read_bytes()).hexdigest().encode(),
                          package.read("tools/VERIFICATION.txt"))
            types = tree.fromstring(package.read("[Content_Types].xml"))
            known = {entry.get("Extension") for entry in types}
            self.assertEqual({name.rpartition(".")[2] for name in package.namelist()} - known - {"xml"}, set())
        self.assertEqual(specification.find(".//{*}version").text, VERSION)

    def test_winget_manifest_names_the_installer(self):
        installer = (self.out / "winget/winperf_exporter.winperf_exporter.installer.yaml").read_text()
        self.assertIn(f"InstallerUrl: https://files.invalid/v1/{self.msi.name}\n", installer)
        self.assertIn(hashlib.sha256(self.msi.read_bytes()).hexdigest().upper(), installer)
        for manifest in (self.out / "winget").iterdir():
            self.assertIn(f"PackageVersion: {VERSION}\n", manifest.read_text())

    def refused(self, *arguments):
        result = subprocess.run([ROOT / "packaging/make_packages.py", "--executable", required("WINPERF_EXPORTER"),
                                 *arguments], capture_output=True, text=True, timeout=60)
        self.assertNotEqual(result.returncode, 0)
        return result.stderr

    def test_a_folder_with_something_else_in_it_stays_as_it_is(self):
        folder = self.folder / "home"
        (folder / "winget").mkdir(parents=True)
        (folder / "winget/letter.txt").write_text("dear")
        self.assertIn("letter.txt was not made by this", self.refused("--out", folder))
        self.assertIn("letter.txt was not made by this", self.refused("--out", folder / "winget/letter.txt"))
        self.assertEqual((folder / "winget/letter.txt").read_text(), "dear")

    def test_addresses_and_versions_that_are_none_are_refused(self):
        for url in ("example.org", "javascript:x", "https://a b", "https://a\nInstallerType: exe"):
            self.assertIn("is no address", self.refused("--out", self.folder / "none", "--base-url", url))
        for version in ("1.2", "1.2.3-rc1", "x", "1.2.3'"):
            self.assertIn("is no version", self.refused("--out", self.folder / "none", "--version", version))
        self.assertFalse((self.folder / "none").exists())

    def test_what_can_be_is_the_same_again(self):
        again = self.make("two")
        self.make("two")
        for name in (f"winperf_exporter-{VERSION}-windows-x64.zip", f"winperf_exporter-{VERSION}.cdx.json"):
            self.assertEqual((self.out / name).read_bytes(), (again / name).read_bytes(), name)


if __name__ == "__main__":
    unittest.main()
