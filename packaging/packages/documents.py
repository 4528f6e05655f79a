"""The files beside the executable in the MSI and the ZIP: documents, example configuration, and licences of the libraries.

The documents are those of the repository. Links to files that are not in the packages become plain text.
"""

import pathlib
import posixpath
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")

LICENCES_README = """# Licences

This folder contains the licences of the libraries that are part of winperf_exporter.exe, one file for each entry of the
bill of materials. They do not cover winperf_exporter itself, for which no licence has been chosen yet.
"""


# CONTRIBUTING.md is for people who have the repository.
TOP_PAGES = ("README.md", "CHANGELOG.md", "SECURITY.md")


def pages():
    return [*(ROOT / name for name in TOP_PAGES), *sorted((ROOT / "docs").rglob("*.md"))]


def without_dead_links(text, folder, names):
    def replaced(match):
        target = match[2].partition("#")[0]
        is_elsewhere = not target or ":" in target
        there = posixpath.normpath(posixpath.join(folder, target)) in names
        return match[0] if is_elsewhere or there else match[1]
    return LINK.sub(replaced, text)


def collect(licences):
    """Returns the files' contents by name. `licences` are texts by the name of the library."""
    files = {f"config/{name}": (ROOT / "config" / name).read_bytes()
             for name in ("winperf_exporter.yaml", "winperf_exporter.schema.json")}
    files["licences/README.md"] = LICENCES_README.encode()
    files.update({f"licences/{name}.txt": text.encode() for name, text in licences.items()})
    texts = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in pages()}
    names = set(files) | set(texts)
    for name, text in texts.items():
        files[name] = without_dead_links(text, posixpath.dirname(name), names).encode()
    return files
