"""The software bill of materials (SBOM) of the executable, in CycloneDX 1.5."""

import collections
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import uuid

# SPDX identifiers of the licences.
LICENCES = {"fmt": "MIT", "pcre2": "BSD-3-Clause", "spdlog": "MIT", "yaml-cpp": "MIT", "prometheus-cpp": "MIT",
            "nlohmann-json": "MIT", "cpp-httplib": "MIT", "CLI11": "BSD-3-Clause", "zlib": "Zlib",
            "libdeflate": "MIT", "uplot": "MIT", "mbedtls": "Apache-2.0 OR GPL-2.0-or-later",
            "libxcrypt": "CC0-1.0 AND LicenseRef-PublicDomain",
            "mingw-w64": "ZPL-2.1", "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1"}
# The compiler's runtime, by Debian's binary packages. The cross-compiler's source package has its own version number, which
# is not GCC's.
RUNTIME = {"zlib": "libz-mingw-w64-dev", "mingw-w64": "mingw-w64-x86-64-dev", "gcc": "g++-mingw-w64-x86-64-posix"}
DESCRIPTIONS = {"gcc": "the compiler's libraries: libstdc++ and libgcc", "mingw-w64": "headers, start-up code, winpthreads",
                "libxcrypt": "bcrypt alone, whose authors have put it into the public domain",
                "uplot": "draws the charts of the page"}


def component(name, package, version, arch):
    upstream = version.split(":")[-1].rsplit("-", 1)[0].split("+")[0]
    return described(name, upstream, f"pkg:deb/debian/{package}@{version}?arch={arch}".replace("+", "%2B"))


def described(name, upstream, purl):
    description = {"description": DESCRIPTIONS[name]} if name in DESCRIPTIONS else {}
    return {"type": "library", "bom-ref": purl, "name": name, "version": upstream, **description, "purl": purl,
            "licenses": [{"expression" if " " in LICENCES[name] else "license":
                          LICENCES[name] if " " in LICENCES[name] else {"id": LICENCES[name]}}]}


def installed(package):
    """Returns the version and architecture of an installed package."""
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version} ${Architecture}", package], check=True,
                          capture_output=True, text=True).stdout.split()


def of_npm(folder):
    """Returns the component of a package that npm has installed there."""
    package = json.loads((folder / "package.json").read_text())
    return described(package["name"], package["version"], f"pkg:npm/{package['name']}@{package['version']}")


def components(dependencies, npm_folders):
    """Returns the components. `dependencies` are the name, source package and version of each library."""
    return ([component(*dependency, "source") for dependency in dependencies] + [of_npm(folder) for folder in npm_folders] +
            [component(name, package, *installed(package)) for name, package in RUNTIME.items()])


def compilers(executable):
    """Returns the compilers' versions, which GCC writes into each object file. The most frequent version compiled the program
    and its libraries; Debian compiled the runtime with others."""
    found = collections.Counter(re.findall(rb"GCC: \(GNU\) ([ -~]+)\0", executable.read_bytes()))
    if not found:
        sys.exit(f"{executable} contains no version of GCC, so its bill of materials would be incomplete")
    names = ["compiler", *["compiler-of-runtime"] * (len(found) - 1)]
    return [{"name": f"winperf_exporter:{name}", "value": f"GCC {text.decode()}"}
            for name, (text, _) in zip(names, found.most_common())]


def write(out, version, executable, entries):
    digest = hashlib.sha256(executable.read_bytes()).hexdigest()
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    main = f"winperf_exporter@{version}"
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, main + digest)}",
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "component": {"type": "application", "bom-ref": main, "name": "winperf_exporter",
                                   "version": version, "hashes": [{"alg": "SHA-256", "content": digest}]},
                     "properties": compilers(executable)},
        "components": entries,
        "dependencies": [{"ref": main, "dependsOn": [entry["bom-ref"] for entry in entries]}]}
    (out / f"winperf_exporter-{version}.cdx.json").write_text(json.dumps(document, indent=2) + "\n")
