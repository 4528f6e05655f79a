#!/usr/bin/env python3
"""Builds the MSI from winperf_exporter.wxs: on Windows with WiX 3, elsewhere with wixl, and puts in what wixl 0.101
leaves out.

    make_msi.py --version 1.2.3 --executable FILE --out FILE

Prints the product code. Needs candle and light of WiX 3, in PATH or where its installer's variable WIX says, or wixl and
msibuild of msitools.
"""

import argparse
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import uuid
import xml.etree.ElementTree as tree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WIX = "{http://schemas.microsoft.com/wix/2006/wi}"
NAMESPACE = uuid.UUID("5b0b6a3c-1c0e-4f0b-9c66-3b6e8e0c6a5d")


def run(*command, folder=None):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=folder)
    if result.returncode != 0 or "CRITICAL" in result.stderr or "ERROR" in result.stderr:
        sys.exit(f"{' '.join(map(str, command))} failed ({result.returncode}): {result.stdout}{result.stderr}")
    return result.stdout


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def file_version(executable):
    """Of its version resource: VS_FIXEDFILEINFO stands behind its name, at the next multiple of four."""
    data = pathlib.Path(executable).read_bytes()
    match = re.search(re.escape("VS_VERSION_INFO\0".encode("utf-16-le")) + rb"\0{0,3}\xbd\x04\xef\xfe.{4}(.{8})", data,
                      re.DOTALL)
    if not match:
        sys.exit(f"{executable} has no version resource, without which Windows Installer would not replace it")
    minor, major, revision, build = struct.unpack("<4H", match[1])
    return f"{major}.{minor}.{build}.{revision}"


def source_of(product_code):
    tree.register_namespace("", WIX.strip("{}"))
    root = tree.parse(HERE / "winperf_exporter.wxs").getroot()
    root.find(f"{WIX}Product").set("Id", product_code)
    return root


def as_wixl_takes_it(root):
    """The source without the launch conditions and the marks of secure properties, which wixl does not know, and these."""
    product = root.find(f"{WIX}Product")
    conditions = []
    for condition in product.findall(f"{WIX}Condition"):
        conditions.append((condition.text.strip(), condition.get("Message")))
        product.remove(condition)
    secure = [entry for entry in product.findall(f"{WIX}Property") if entry.attrib.pop("Secure", "no") == "yes"]
    for entry in secure:
        if len(entry) == 0 and entry.get("Value") is None:  # declared, and no more
            product.remove(entry)
    # wixl takes the one from its command line, and the other not at all: see complete().
    del product.find(f"{WIX}Package").attrib["Platform"]
    del product.find(f"{WIX}MajorUpgrade").attrib["Schedule"]
    return tree.tostring(root, encoding="unicode"), conditions, [entry.get("Id") for entry in secure]


def rollback_actions(msi):
    source = tree.parse(HERE / "winperf_exporter.wxs").getroot()
    names = {action.get("Id") for action in source.iter(f"{WIX}CustomAction") if action.get("Execute") == "rollback"}
    rows = [line.split("\t") for line in run("msiinfo", "export", msi, "CustomAction").splitlines()]
    return [(row[0], int(row[1])) for row in rows if row[0] in names]


def complete(msi, conditions, secure, version):
    query = [f"INSERT INTO `LaunchCondition` (`Condition`, `Description`) VALUES ({quoted(text)}, {quoted(message)})"
              for text, message in conditions]
    known = re.search(r"(?m)^SecureCustomProperties\t(.*)$", run("msiinfo", "export", msi, "Property"))
    value = ";".join(([known[1].strip()] if known else []) + secure)
    query += [f"UPDATE `Property` SET `Value` = {quoted(value)} WHERE `Property` = 'SecureCustomProperties'" if known else
              f"INSERT INTO `Property` (`Property`, `Value`) VALUES ('SecureCustomProperties', {quoted(value)})"]
    # After InstallInitialize: an upgrade that fails brings the old version back.
    query += ["UPDATE `InstallExecuteSequence` SET `Sequence` = 1501 WHERE `Action` = 'RemoveExistingProducts'"]
    # Without its version, Windows Installer takes the executable for one that must not replace an older one, which has a
    # version; the old one is removed all the same, and none is left. A hash is for files without a version.
    query += [f"UPDATE `File` SET `Version` = '{version}', `Language` = '1033' WHERE `File` = 'Executable'",
              "DELETE FROM `MsiFileHash` WHERE `File_` = 'Executable'"]
    # wixl forgets to say of a rollback action that it is one: in the script, and for the rollback.
    query += [f"UPDATE `CustomAction` SET `Type` = {kind | 0x400 | 0x100} WHERE `Action` = {quoted(action)}"
              for action, kind in rollback_actions(msi)]
    for line in query:
        run("msibuild", msi, "-q", line)


def build_with_wixl(root, files, version, out):
    source, conditions, secure = as_wixl_takes_it(root)
    # wixl takes files by relative names alone.
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "winperf_exporter.wxs").write_text(source)
        defines = ["-D", f"Version={version}"]
        for variable, file in files.items():
            shutil.copy(file, folder / variable)
            defines += ["-D", f"{variable}={variable}"]
        run("wixl", "--arch", "x64", *defines, "--output", "out.msi", "winperf_exporter.wxs", folder=folder)
        complete(folder / "out.msi", conditions, secure, file_version(files["Executable"]))
        shutil.copy(folder / "out.msi", out)


def wix_tool(name):
    installed = os.environ.get("WIX")
    return shutil.which(name) or (installed and shutil.which(name, path=str(pathlib.Path(installed) / "bin")))


def build_with_wix(root, files, version, out):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "winperf_exporter.wxs").write_text(tree.tostring(root, encoding="unicode"), encoding="utf-8")
        defines = [f"-d{variable}={pathlib.Path(file).resolve()}" for variable, file in files.items()]
        run(wix_tool("candle"), "-nologo", "-arch", "x64", f"-dVersion={version}", *defines, "-out",
            folder / "out.wixobj", folder / "winperf_exporter.wxs")
        # Without validation, which needs an interactive session's Windows Installer.
        run(wix_tool("light"), "-nologo", "-sval", "-out", pathlib.Path(out).resolve(), folder / "out.wixobj")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for option in ("--version", "--executable", "--out"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    if not re.fullmatch(r"\d{1,3}\.\d{1,3}\.\d{1,5}", options.version):
        sys.exit(f"a version of an MSI has three numbers, such as 1.2.3, unlike '{options.version}'")
    # The same version is the same product, whoever builds it.
    product_code = "{" + str(uuid.uuid5(NAMESPACE, "product " + options.version)).upper() + "}"
    files = {"Executable": options.executable, "Readme": ROOT / "README.md",
             "Example": ROOT / "config/winperf_exporter.yaml",
             "Schema": ROOT / "config/winperf_exporter.schema.json"}
    build = build_with_wix if wix_tool("candle") and wix_tool("light") else build_with_wixl
    build(source_of(product_code), files, options.version, options.out)
    print(product_code)


if __name__ == "__main__":
    main()
