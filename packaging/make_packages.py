#!/usr/bin/env python3
"""Makes all packages from a built executable. scripts/package calls this.

    make_packages.py --executable FILE --out DIR [--installer FILE] [--counter-library FILE] [--counter-files DIR]
                     [--trial-library FILE] [--version 1.2.3] [--uplot DIR] [--base-url URL] [--project-url URL] [--contact TEXT]

The defaults of --installer, --counter-library and --trial-library are winperf_installer.dll, winperf_exporter_perf.dll and
winperf_exporter_trial.dll beside the executable, and that of --version is the version in the top-level CMakeLists.txt. Replaces the packages of an earlier run in
DIR, but refuses a folder that contains other files.
Requires msitools, wixl and the cross-compiler's strip.
"""

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(HERE / "windows")]

from packages import chocolatey, documents, licences, sbom, winget  # noqa: E402
from packages.archive import write_zip  # noqa: E402
from windows.make_msi import COUNTER_FILES  # noqa: E402


# A file beside the executable like the documents: it isn't registered, and nothing depends on it but a check of selftest.
TRIAL_LIBRARY = "winperf_exporter_trial.dll"


def project_version():
    return re.search(r"project\(winperf_exporter VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def stripped(binary, folder):
    copy = folder / binary.name
    shutil.copy(binary, copy)
    subprocess.run(["x86_64-w64-mingw32-strip", copy], check=True)
    return copy


def dependencies():
    """The name, source package and version of each library in the executable."""
    lines = subprocess.run([HERE / "deps/build_deps.sh", "mingw", "--print-versions"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return [line.split() for line in lines]


def npm_folders(executable, uplot):
    """The packages of npm in the executable, which has the names of the page's files."""
    has_charts = b"uPlot.iife.min.js" in executable.read_bytes()
    if has_charts and not (uplot and uplot.is_dir()):
        sys.exit("make_packages.py: the executable contains uPlot, so its licence is needed; name npm's folder with --uplot")
    return [uplot] if has_charts else []


def counter_files(options, folder):
    """Returns a folder with the files of the exporter's own counters, which belong beside the executable."""
    counters = folder / "counters"
    counters.mkdir()
    library, *others = COUNTER_FILES
    stripped(options.counter_library or options.executable.with_name(library), counters)
    for name in others:
        shutil.copy(options.counter_files / name, counters)
    return counters


def portable_zip(out, version, executable, counters, files):
    folder = f"winperf_exporter-{version}-windows-x64"
    contents = {"winperf_exporter.exe": executable.read_bytes(),
                **{name: (counters / name).read_bytes() for name in COUNTER_FILES}, **files}
    write_zip(out / f"{folder}.zip", {f"{folder}/{name}": content for name, content in contents.items()})


def msi(out, options, executable, installer, counters, files, folder):
    target = out / f"winperf_exporter-{options.version}-x64.msi"
    documents_folder = folder / "documents"
    for name, content in files.items():
        (documents_folder / name).parent.mkdir(parents=True, exist_ok=True)
        (documents_folder / name).write_bytes(content)
    result = subprocess.run([HERE / "windows/make_msi.py", "--version", options.version, "--executable", executable,
                             "--installer", installer, "--counters", counters, "--documents", documents_folder,
                             "--out", target,
                             "--project-url", options.project_url, "--contact", options.contact],
                            check=True, capture_output=True, text=True)
    return target, result.stdout.strip()


def checksums(out):
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(out)}\n" for path in files]
    (out / "SHA256SUMS").write_text("".join(lines))


def refuse_others(out):
    """Exits if the folder contains a file that SHA256SUMS of an earlier run does not list."""
    sums = out / "SHA256SUMS"
    lines = sums.read_text().splitlines() if sums.is_file() else []
    made = {sums, *(out / line.partition("  ")[2] for line in lines)}
    others = [path for path in out.rglob("*") if not path.is_dir() and path not in made] if out.is_dir() else []
    if others or (out.exists() and not out.is_dir()):
        sys.exit(f"make_packages.py: {(others or [out])[0]} is not from an earlier run; choose another folder with --out")


def address(text):
    if not re.fullmatch(r"(https://[A-Za-z0-9._~:/%+-]+)?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not an https address; an example is https://example.org/releases/1.2.3")
    return text


def version(text):
    if not re.fullmatch(r"\d+\.\d+\.\d+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a version; an example is 1.2.3")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--executable", required=True, type=pathlib.Path, metavar="FILE", help="winperf_exporter.exe")
    parser.add_argument("--installer", type=pathlib.Path, metavar="FILE",
                        help="library with the MSI's custom actions (default: winperf_installer.dll beside the executable)")
    parser.add_argument("--counter-library", type=pathlib.Path, metavar="FILE",
                        help="performance DLL (default: winperf_exporter_perf.dll beside the executable)")
    parser.add_argument("--trial-library", type=pathlib.Path, metavar="FILE",
                        help="the selftest's trial provider (default: winperf_exporter_trial.dll beside the executable)")
    parser.add_argument("--counter-files", type=pathlib.Path, default=HERE / "windows/counters", metavar="DIR",
                        help="folder with the files by which the counters are registered (default: %(default)s)")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="folder for the packages")
    parser.add_argument("--version", type=version, default=project_version(), help="version number (default: %(default)s)")
    parser.add_argument("--uplot", type=pathlib.Path, metavar="DIR", help="npm's package uplot, if the executable contains it")
    parser.add_argument("--base-url", type=address, default="", metavar="URL",
                        help="folder of a web server where the MSI will be published; required for the winget manifest")
    parser.add_argument("--project-url", type=address, default="", metavar="URL", help="the project's web page")
    parser.add_argument("--contact", default="", metavar="TEXT", help="support contact")
    options = parser.parse_args()
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    refuse_others(options.out)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        out = folder / "packages"
        out.mkdir()
        executable = stripped(options.executable, folder)
        installer_library = stripped(options.installer or options.executable.with_name("winperf_installer.dll"), folder)
        counters = counter_files(options, folder)
        of_npm = npm_folders(executable, options.uplot)
        components = sbom.components(dependencies(), of_npm)
        trial = stripped(options.trial_library or options.executable.with_name(TRIAL_LIBRARY), folder)
        files = {**documents.collect(licences.collect(components, of_npm)), TRIAL_LIBRARY: trial.read_bytes()}
        installer, product_code = msi(out, options, executable, installer_library, counters, files, folder)
        portable_zip(out, options.version, executable, counters, files)
        sbom.write(out, options.version, executable, components)
        chocolatey.write(out, options.version, installer, options.project_url)
        winget.write(out, options.version, installer, product_code, options.base_url, options.project_url)
        checksums(out)
        shutil.rmtree(options.out, ignore_errors=True)
        shutil.copytree(out, options.out)


if __name__ == "__main__":
    main()
