#!/usr/bin/env python3
"""Builds the MSI from winperf_exporter.wxs: on Windows with WiX 3, elsewhere with wixl, and puts in what wixl 0.101
leaves out.

    make_msi.py --version 1.2.3 --executable FILE --installer FILE --documents DIR --out FILE
                [--project-url URL] [--contact TEXT] [--prepare DIR]

--installer is winperf_installer.dll; --documents a folder with all files that lie beside the executable. With
--prepare, DIR is made instead of the MSI: everything that candle and light want, who need none of the rest.
Prints the product code. Needs candle and light of WiX 3, in PATH or where its installer's variable WIX says, or wixl and
msibuild of msitools.
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


def identifier(path):
    """For Windows Installer: letters, digits and _, and never the same for two paths."""
    return "F" + hashlib.sha256(str(path).encode()).hexdigest()[:16]


def documents_tree(folder, path=pathlib.PurePosixPath()):
    """The component of the folder's files, and the folders in it."""
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
    """All that the MSI is made of, with names relative to the folder."""
    shutil.copytree(options.documents, folder / "documents")
    shutil.copy(options.executable, folder / "winperf_exporter.exe")
    shutil.copy(options.installer, folder / "winperf_installer.dll")
    (folder / "winperf_exporter.ico").write_bytes(icon())
    elements = documents_tree(folder / "documents")
    (folder / "documents.wxi").write_text(include_file(elements))
    components = [entry for element in elements for entry in element.iter("Component")]
    (folder / "documents_refs.wxi").write_text(include_file(
        [tree.Element("ComponentRef", Id=component.get("Id")) for component in components]))
    source = tree.parse(HERE / "winperf_exporter.wxs", tree.XMLParser(target=tree.TreeBuilder(insert_pis=True)))
    product = source.getroot().find(f"{WIX}Product")
    installed = [file for file in folder.rglob("*") if file.name == "winperf_exporter.exe" or "documents" in file.parts]
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
    """The source without what wixl does not know: the launch conditions, the marks of secure properties, the texts of
    errors; and these."""
    product = source.getroot().find(f"{WIX}Product")
    conditions = []
    for condition in product.findall(f"{WIX}Condition"):
        conditions.append((condition.text.strip(), condition.get("Message")))
        product.remove(condition)
    secure = [entry for entry in product.findall(f"{WIX}Property") if entry.attrib.pop("Secure", "no") == "yes"]
    for entry in secure:
        if len(entry) == 0 and entry.get("Value") is None:  # declared, and no more
            product.remove(entry)
    errors = []
    for part in product.findall(f"{WIX}UI"):
        errors += [(entry.get("Id"), entry.text) for entry in part.findall(f"{WIX}Error")]
        product.remove(part)
    for entry in product.iter(f"{WIX}Custom"):
        entry.text = entry.text and entry.text.replace("$", "$$")  # it takes $ for the beginning of a variable
    # wixl takes the one from its command line, and the other not at all: see complete().
    del product.find(f"{WIX}Package").attrib["Platform"]
    del product.find(f"{WIX}MajorUpgrade").attrib["Schedule"]
    return conditions, [entry.get("Id") for entry in secure], errors


def rollback_actions(msi):
    source = tree.parse(HERE / "winperf_exporter.wxs").getroot()
    names = {action.get("Id") for action in source.iter(f"{WIX}CustomAction") if action.get("Execute") == "rollback"}
    rows = [line.split("\t") for line in run("msiinfo", "export", msi, "CustomAction").splitlines()]
    return [(row[0], int(row[1])) for row in rows if row[0] in names]


def complete(msi, conditions, secure, errors, version):
    query = [f"INSERT INTO `LaunchCondition` (`Condition`, `Description`) VALUES ({quoted(text)}, {quoted(message)})"
              for text, message in conditions]
    known = re.search(r"(?m)^SecureCustomProperties\t(.*)$", run("msiinfo", "export", msi, "Property"))
    value = ";".join(([known[1].strip()] if known else []) + secure)
    query += [f"UPDATE `Property` SET `Value` = {quoted(value)} WHERE `Property` = 'SecureCustomProperties'" if known else
              f"INSERT INTO `Property` (`Property`, `Value`) VALUES ('SecureCustomProperties', {quoted(value)})"]
    query += [f"INSERT INTO `Error` (`Error`, `Message`) VALUES ({number}, {quoted(text)})" for number, text in errors]
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


def build_with_wixl(folder, source, options):
    conditions, secure, errors = as_wixl_takes_it(source)
    source.write(folder / "winperf_exporter.wxs", encoding="utf-8")
    run("wixl", "--arch", "x64", "--output", "out.msi", "winperf_exporter.wxs", folder=folder)
    complete(folder / "out.msi", conditions, secure, errors, file_version(options.executable))


def wix_tool(name):
    installed = os.environ.get("WIX")
    return shutil.which(name) or (installed and shutil.which(name, path=str(pathlib.Path(installed) / "bin")))


def build_with_wix(folder, source, _):
    source.write(folder / "winperf_exporter.wxs", encoding="utf-8")
    run(wix_tool("candle"), "-nologo", "-arch", "x64", "-out", "out.wixobj", "winperf_exporter.wxs", folder=folder)
    # Without validation, which needs an interactive session's Windows Installer.
    run(wix_tool("light"), "-nologo", "-sval", "-out", "out.msi", "out.wixobj", folder=folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--version", required=True)
    for option in ("--executable", "--installer", "--documents"):
        parser.add_argument(option, required=True, type=pathlib.Path)
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--out", type=pathlib.Path)
    place.add_argument("--prepare", type=pathlib.Path)
    parser.add_argument("--project-url", default="")
    parser.add_argument("--contact", default="")
    options = parser.parse_args()
    if not re.fullmatch(r"\d{1,3}\.\d{1,3}\.\d{1,5}", options.version):
        sys.exit(f"a version of an MSI has three numbers, such as 1.2.3, unlike '{options.version}'")
    tree.register_namespace("", WIX.strip("{}"))
    if options.prepare:
        options.prepare.mkdir(parents=True)
        prepare(options.prepare, options).write(options.prepare / "winperf_exporter.wxs", encoding="utf-8")
        return
    # The same version is the same product, whoever builds it.
    product_code = "{" + str(uuid.uuid5(NAMESPACE, "product " + options.version)).upper() + "}"
    # wixl takes files by relative names alone.
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
