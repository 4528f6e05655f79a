"""The files next to the executable in the MSI and the ZIP: documents, example configuration, files for Prometheus and Grafana,
and licences of the libraries.

The documents are those of the repository; the dashboards come from their script. Links to files that are not in the packages become plain text.
"""

import pathlib
import posixpath
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "packaging/grafana"))

import make_dashboards  # noqa: E402

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")

LICENCES_README = """# Licences

This folder contains the licences of the libraries that are part of winperf_exporter.exe, one file for each entry of the
bill of materials. They do not cover winperf_exporter itself, for which no licence has been chosen yet.
"""


# CONTRIBUTING.md is for people who have the repository.
TOP_PAGES = ("README.md", "CHANGELOG.md", "SECURITY.md")
# Their files are shipped as they are, under the same names.
SHIPPED_FOLDERS = ("packaging/prometheus", "packaging/grafana")
DASHBOARDS = {f"packaging/grafana/{name}": content for name, content in make_dashboards.files().items()}


def pages():
    """The documents, with their pictures."""
    docs = (path for path in (ROOT / "docs").rglob("*") if path.suffix in (".md", ".svg"))
    return [*(ROOT / name for name in TOP_PAGES), *sorted(docs)]


def shipped():
    paths = (path for folder in SHIPPED_FOLDERS for path in sorted((ROOT / folder).rglob("*")))
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths
             if path.is_file() and "__pycache__" not in path.parts}
    return {**files, **DASHBOARDS}


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
    files.update(shipped())
    files.update({page.relative_to(ROOT).as_posix(): page.read_bytes() for page in pages()})
    return {name: collected(name, content, set(files)) for name, content in files.items()}


def collected(name, content, names):
    """The content for the packages: pages have no links to files that are left out."""
    if not name.endswith(".md"):
        return content
    return without_dead_links(content.decode(), posixpath.dirname(name), names).encode()
