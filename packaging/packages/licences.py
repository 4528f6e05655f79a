"""The licence texts of everything in the executable, from the sources that it was built from.

For the libraries, these are the licence files at the top of their upstream tarballs, and the copyright notices in their
sources, because some parts have other authors. For what npm has installed, they are the licence files in its folder. For the
compiler's runtime, they are Debian's copyright files, with the texts of the common licences that those refer to.
"""

import pathlib
import re
import subprocess
import sys
import tarfile

from .sbom import RUNTIME

HERE = pathlib.Path(__file__).resolve().parent.parent
LICENCE_FILE = re.compile(r"(licen[cs]e|licensing|copying|notice|authors)([.-].*)?", re.I)
SOURCE_FILE = re.compile(r"(include|src|core)/.*\.(h|hpp|c|cc|cpp|ipp)|[^/]*\.h")
NOTICE = re.compile(rb"(?:Copyright(?: ?\(c\))?|SPDX-FileCopyrightText:) *\d{4}[^\n\"]*", re.I)
MAX_BYTES = 4 * 1024 * 1024
COMMON = pathlib.Path("/usr/share/common-licenses")


def sources():
    """Returns the upstream tarball of each library, by name."""
    lines = subprocess.run([HERE / "deps/build_deps.sh", "mingw", "--print-sources"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {name: pathlib.Path(path) for name, path in (line.split(" ", 1) for line in lines)}


def texts_in(tarball):
    """Returns the licence files in the top folder, by name, and the copyright notices in the sources."""
    found, notices = {}, set()
    with tarfile.open(tarball) as archive:
        for member in archive:
            name = member.name.partition("/")[2]
            is_licence = LICENCE_FILE.fullmatch(name)
            if not member.isfile() or not (is_licence or SOURCE_FILE.fullmatch(name)):
                continue
            if member.size > MAX_BYTES:
                sys.exit(f"{member.name} in {tarball} has {member.size} bytes, which is too large to search for licences")
            content = archive.extractfile(member).read()
            if is_licence:
                found[name] = content.decode("utf-8", "replace")
            else:
                notices.update(line.decode("utf-8", "replace").strip() for line in NOTICE.findall(content))
    if found and notices:
        found["copyright notices in its sources"] = "\n".join(sorted(notices))
    return found


def texts_of_npm(folder):
    return {path.name: path.read_text() for path in sorted(folder.iterdir()) if LICENCE_FILE.fullmatch(path.name)}


def texts_of(package):
    """Returns Debian's copyright file of a binary package, and the common licences that it refers to."""
    file = pathlib.Path("/usr/share/doc") / package / "copyright"
    if not file.is_file():
        sys.exit(f"{file} is missing, so {package}'s licence cannot be included; reinstall {package}")
    text = file.read_text("utf-8", "replace")
    found = {"copyright": text}
    for name in sorted(set(re.findall(rf"{COMMON}/([\w.-]*\w)", text))):
        common = (COMMON / name).resolve()  # "GPL" links to the newest version
        if common.is_file():
            found[common.name] = common.read_text("utf-8", "replace")
    return found


def joined(name, version, texts):
    head = f"{name} {version}\n"
    return head + "".join(f"\n----- {title} -----\n\n{text.strip()}\n" for title, text in texts.items())


def collect(components, npm_folders):
    """Returns one text for each component of the bill of materials, by the component's name."""
    tarballs = sources()
    of_npm = {folder.name: folder for folder in npm_folders}
    result = {}
    for component in components:
        name = component["name"]
        if name in RUNTIME:
            texts = texts_of(RUNTIME[name])
        elif name in of_npm:
            texts = texts_of_npm(of_npm[name])
        else:
            texts = texts_in(tarballs[name])
        if not texts:
            sys.exit(f"{of_npm.get(name) or tarballs[name]} contains no licence file in its top folder")
        result[name] = joined(name, component["version"], texts)
    return result
