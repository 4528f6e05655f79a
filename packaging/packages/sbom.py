"""The software bill of materials: what is in the executable. CycloneDX 1.5."""

import datetime
import hashlib
import json
import os
import subprocess
import uuid

# Of the libraries' own licence files, as SPDX names them.
LICENCES = {"fmt": "MIT", "pcre2": "BSD-3-Clause", "spdlog": "MIT", "yaml-cpp": "MIT", "prometheus-cpp": "MIT",
            "nlohmann-json": "MIT", "cpp-httplib": "MIT", "CLI11": "BSD-3-Clause", "zlib": "Zlib",
            "mingw-w64": "ZPL-2.1", "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1"}
# What comes with the compiler, by Debian's binary package.
RUNTIME = {"zlib": ("libz-mingw-w64-dev", "libz-mingw-w64"), "mingw-w64": ("mingw-w64-x86-64-dev", "mingw-w64"),
           "gcc": ("g++-mingw-w64-x86-64-posix", "gcc-mingw-w64")}


def component(name, source, version):
    upstream = version.split(":")[-1].rsplit("-", 1)[0].split("+")[0]
    purl = f"pkg:deb/debian/{source}@{version}?arch=source".replace("+", "%2B")
    return {"type": "library", "bom-ref": purl, "name": name, "version": upstream, "purl": purl,
            "licenses": [{"expression" if " " in LICENCES[name] else "license":
                          LICENCES[name] if " " in LICENCES[name] else {"id": LICENCES[name]}}]}


def installed_version(package):
    return subprocess.run(["dpkg-query", "-W", "-f", "${source:Version}", package], check=True, capture_output=True,
                          text=True).stdout


def write(out, version, executable, dependencies):
    components = [component(*dependency) for dependency in dependencies]
    components += [component(name, source, installed_version(package)) for name, (package, source) in RUNTIME.items()]
    digest = hashlib.sha256(executable.read_bytes()).hexdigest()
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    main = f"winperf_exporter@{version}"
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, main + digest)}",
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "component": {"type": "application", "bom-ref": main, "name": "winperf_exporter",
                                   "version": version, "hashes": [{"alg": "SHA-256", "content": digest}]}},
        "components": components,
        "dependencies": [{"ref": main, "dependsOn": [entry["bom-ref"] for entry in components]}]}
    (out / f"winperf_exporter-{version}.cdx.json").write_text(json.dumps(document, indent=2) + "\n")
