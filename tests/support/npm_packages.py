#!/usr/bin/env python3
"""The packages of a package-lock.json, installed by npm without their scripts into the cache folder, once for each such file.

    npm_packages.py FOLDER    installs those of the FOLDER's package-lock.json and prints where they are
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "winperf_exporter"
SECONDS_TO_INSTALL = 180

AVAILABLE = bool(shutil.which("node") and shutil.which("npm"))


def installed_packages(folder):
    """The folder with node_modules."""
    files = [pathlib.Path(folder) / name for name in ("package.json", "package-lock.json")]
    installed = CACHE / f"npm-{hashlib.sha256(files[1].read_bytes()).hexdigest()[:12]}"
    if installed.is_dir():
        return installed
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as name:
        making = pathlib.Path(name) / "npm"
        making.mkdir()
        for file in files:
            shutil.copy(file, making)
        done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=making, text=True,
                              capture_output=True, timeout=SECONDS_TO_INSTALL)
        if done.returncode != 0:
            raise AssertionError(f"npm ci failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        try:
            making.rename(installed)
        except OSError:
            if not installed.is_dir():  # otherwise another test was quicker
                raise
    return installed


if __name__ == "__main__":
    print(installed_packages(sys.argv[1]))
