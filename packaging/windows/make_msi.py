#!/usr/bin/env python3
"""Builds the MSI from winperf_exporter.wxs, with WiX 3 on Windows and with wixl elsewhere. Adds what wixl 0.101 leaves out.

    make_msi.py --version 1.2.3 --executable FILE --installer FILE --counters DIR --documents DIR --out FILE
                [--project-url URL] [--contact TEXT] [--prepare DIR]

--installer is winperf_installer.dll. --counters is a folder with the files of the exporter's own counters (COUNTER_FILES), and
--documents one with all other files that the MSI installs beside the executable.
--prepare creates the folder DIR with all input files for candle and light, instead of building the MSI. Otherwise prints the
MSI's product code. Requires candle and light of WiX 3, in PATH or in the folder that the environment variable WIX names, or
wixl and msibuild of msitools.
"""

import argparse
import hashlib
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

from icon import icon

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WIX = "{http://schemas.microsoft.com/wix/2006/wi}"
NAMESPACE = uuid.UUID("5b0b6a3c-1c0e-4f0b-9c66-3b6e8e0c6a5d")
COUNTER_LIBRARY = "winperf_exporter_perf.dll"
COUNTER_FILES = (COUNTER_LIBRARY, "winperf_exporter_perf.ini", "winperf_exporter_perf.h", "winperf_exporter.man")


def run(*command, folder=None):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=folder)
    if result.returncode != 0 or "CRITICAL" in result.stderr or "ERROR" in result.stderr:
        sys.exit(f"{' '.join(map(str, command))} failed ({result.returncode}): {result.stdout}{result.stderr}")
    return result.stdout


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def file_version(binary):
    """Returns the version in the version resource, or None. VS_FIXEDFILEINFO follows its name, at the next multiple of four."""
    data = pathlib.Path(binary).read_bytes()
    match = re.search(re.escape("VS_VERSION_INFO\0".encode("utf-16-le")) + rb"\0{0,3}\xbd\x04\xef\xfe.{4}(.{8})", data,
                      re.DOTALL)
    if not match:
        return None
    minor, major, revision, build = struct.unpack("<4H", match[1])
    return f"{major}.{minor}.{build}.{revision}"


def version_of(executable):
    version = file_version(executable)
    if not version:
        sys.exit(f"{executable} has no version resource, so Windows Installer would not replace it in an upgrade")
    return version


def identifier(path):
    """Returns an identifier that Windows Installer accepts (letters, digits and _) and that is unique to the path."""
    return "F" + hashlib.sha256(str(path).encode()).hexdigest()[:16]


def documents_tree(folder, path=pathlib.PurePosixPath()):
    """Returns the component with the folder's files, and the elements of its subfolders."""
    entries = sorted(folder.iterdir())
    files = [entry for entry in entries if entry.is_file()]
    elements = []
    if files:
        component = tree.Element("Component", Id="C" + identifier(path), Win64="yes",
                                 Guid=str(uuid.uuid5(NAMESPACE, f"documents {path}")).upper())
        for number, file in enumerate(files):
            tree.SubElement(component, "File", Id=identifier(path / file.name), Name=file.name,
                            Source=str("documents" / path / file.name), **({"KeyPath": "yes"} if number == 0 else {}))
        elements.append(component)
    for entry in entries:
        if entry.is_dir():
            directory = tree.Element("Directory", Id="D" + identifier(path / entry.name), Name=entry.name)
            directory.extend(documents_tree(entry, path / entry.name))
            elements.append(directory)
    return elements


def include_file(elements):
    root = tree.Element("Include", xmlns=WIX.strip("{}"))
    root.extend(elements)
    return tree.tostring(root, encoding="unicode")


def prepare(folder, options):
    """Puts all input files into the folder, and returns the source, in which all file names are relative to the folder."""
    shutil.copytree(options.documents, folder / "documents")
    shutil.copy(options.executable, folder / "winperf_exporter.exe")
    shutil.copy(options.installer, folder / "winperf_installer.dll")
    (folder / "counters").mkdir()
    for name in COUNTER_FILES:
        shutil.copy(options.counters / name, folder / "counters" / name)
    (folder / "winperf_exporter.ico").write_bytes(icon())
    elements = documents_tree(folder / "documents")
    (folder / "documents.wxi").write_text(include_file(elements))
    components = [entry for element in elements for entry in element.iter("Component")]
    (folder / "documents_refs.wxi").write_text(include_file(
        [tree.Element("ComponentRef", Id=component.get("Id")) for component in components]))
    source = tree.parse(HERE / "winperf_exporter.wxs", tree.XMLParser(target=tree.TreeBuilder(insert_pis=True)))
    product = source.getroot().find(f"{WIX}Product")
    installed = [file for file in folder.rglob("*") if file.name == "winperf_exporter.exe" or {"counters", "documents"} & set(file.parts)]
    size = sum(file.stat().st_size for file in installed if file.is_file())
    values = {"Version": options.version, "Size": str(-(-size // 1024)), "ProjectUrl": options.project_url,
              "Contact": options.contact}
    for entry in list(product.iter()):
        for name, text in entry.attrib.items() if isinstance(entry.tag, str) else ():
            entry.set(name, re.sub(r"\$\(var\.(\w+)\)", lambda match: values[match[1]], text))
    for entry in product.findall(f"{WIX}Property"):
        if entry.get("Value") == "":
            product.remove(entry)
    return source


def as_wixl_takes_it(source):
    """Removes what wixl does not support from the source, and returns it: launch conditions, error texts, and the actions
    that are left out of the sequence of the user interface."""
    product = source.getroot().find(f"{WIX}Product")
    conditions = []
    for condition in product.findall(f"{WIX}Condition"):
        conditions.append((condition.text.strip(), condition.get("Message")))
        product.remove(condition)
    errors = []
    for part in product.findall(f"{WIX}UI"):
        errors += [(entry.get("Id"), entry.text) for entry in part.findall(f"{WIX}Error")]
        product.remove(part)
    interface = product.find(f"{WIX}InstallUISequence")
    product.remove(interface)
    for entry in product.iter(f"{WIX}Custom"):
        entry.text = entry.text and entry.text.replace("$", "$$")  # for wixl, $ begins a variable
    # wixl expects Platform on its command line, and does not support Schedule: see complete().
    del product.find(f"{WIX}Package").attrib["Platform"]
    del product.find(f"{WIX}MajorUpgrade").attrib["Schedule"]
    return conditions, errors, [action.tag.removeprefix(WIX) for action in interface]


def rollback_actions(msi):
    source = tree.parse(HERE / "winperf_exporter.wxs").getroot()
    names = {action.get("Id") for action in source.iter(f"{WIX}CustomAction") if action.get("Execute") == "rollback"}
    rows = [line.split("\t") for line in run("msiinfo", "export", msi, "CustomAction").splitlines()]
    return [(row[0], int(row[1])) for row in rows if row[0] in names]


def complete(msi, conditions, errors, suppressed, versions):
    query = [f"INSERT INTO `LaunchCondition` (`Condition`, `Description`) VALUES ({quoted(text)}, {quoted(message)})"
              for text, message in conditions]
    query += [f"DELETE FROM `InstallUISequence` WHERE `Action` = {quoted(action)}" for action in suppressed]
    query += [f"INSERT INTO `Error` (`Error`, `Message`) VALUES ({number}, {quoted(text)})" for number, text in errors]
    # Directly after InstallInitialize, so that a failed upgrade restores the old version.
    query += ["UPDATE `InstallExecuteSequence` SET `Sequence` = 1501 WHERE `Action` = 'RemoveExistingProducts'"]
    # Without these versions, Windows Installer would not let a program replace an older one, which has a version. It would
    # still remove the old one, so that none remains. Only files without a version have a hash.
    for file, version in versions.items():
        query += [f"UPDATE `File` SET `Version` = '{version}', `Language` = '1033' WHERE `File` = '{file}'",
                  f"DELETE FROM `MsiFileHash` WHERE `File_` = '{file}'"]
    # wixl does not set the flags of rollback actions: in script (0x400) and rollback (0x100).
    query += [f"UPDATE `CustomAction` SET `Type` = {kind | 0x400 | 0x100} WHERE `Action` = {quoted(action)}"
              for action, kind in rollback_actions(msi)]
    for line in query:
        run("msibuild", msi, "-q", line)


def build_with_wixl(folder, source, options):
    conditions, errors, suppressed = as_wixl_takes_it(source)
    source.write(folder / "winperf_exporter.wxs", encoding="utf-8")
    run("wixl", "--arch", "x64", "--output", "out.msi", "winperf_exporter.wxs", folder=folder)
    versions = {"Executable": version_of(options.executable), "CounterLibrary": file_version(options.counters / COUNTER_LIBRARY)}
    complete(folder / "out.msi", conditions, errors, suppressed, {file: version for file, version in versions.items() if version})


def wix_tool(name):
    installed = os.environ.get("WIX")
    return shutil.which(name) or (installed and shutil.which(name, path=str(pathlib.Path(installed) / "bin")))


def build_with_wix(folder, source, _):
    source.write(folder / "winperf_exporter.wxs", encoding="utf-8")
    run(wix_tool("candle"), "-nologo", "-arch", "x64", "-out", "out.wixobj", "winperf_exporter.wxs", folder=folder)
    # Skips validation, which requires Windows Installer in an interactive session.
    run(wix_tool("light"), "-nologo", "-sval", "-out", "out.msi", "out.wixobj", folder=folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--version", required=True, help="three numbers, such as 1.2.3")
    parser.add_argument("--executable", required=True, type=pathlib.Path, metavar="FILE", help="winperf_exporter.exe")
    parser.add_argument("--installer", required=True, type=pathlib.Path, metavar="FILE", help="winperf_installer.dll")
    parser.add_argument("--counters", required=True, type=pathlib.Path, metavar="DIR",
                        help=f"folder with {', '.join(COUNTER_FILES)}")
    parser.add_argument("--documents", required=True, type=pathlib.Path, metavar="DIR",
                        help="folder with all other files that are installed next to the executable")
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the MSI")
    place.add_argument("--prepare", type=pathlib.Path, metavar="DIR",
                       help="create this folder with the input files for candle and light instead of the MSI")
    parser.add_argument("--project-url", default="", metavar="URL", help="the project's web page")
    parser.add_argument("--contact", default="", metavar="TEXT", help="support contact")
    options = parser.parse_args()
    if not re.fullmatch(r"\d{1,3}\.\d{1,3}\.\d{1,5}", options.version):
        sys.exit(f"--version requires three numbers, such as 1.2.3, not '{options.version}'")
    tree.register_namespace("", WIX.strip("{}"))
    if options.prepare:
        options.prepare.mkdir(parents=True)
        prepare(options.prepare, options).write(options.prepare / "winperf_exporter.wxs", encoding="utf-8")
        return
    # The same version always has the same product code.
    product_code = "{" + str(uuid.uuid5(NAMESPACE, "product " + options.version)).upper() + "}"
    # wixl accepts only relative file names.
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = prepare(folder, options)
        source.getroot().find(f"{WIX}Product").set("Id", product_code)
        build = build_with_wix if wix_tool("candle") and wix_tool("light") else build_with_wixl
        build(folder, source, options)
        shutil.copy(folder / "out.msi", options.out)
    print(product_code)


if __name__ == "__main__":
    main()
