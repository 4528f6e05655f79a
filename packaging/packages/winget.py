"""The winget manifest of the MSI, which consists of three files. Schema 1.6."""

import hashlib

IDENTIFIER = "winperf_exporter.winperf_exporter"
HEAD = "PackageIdentifier: {identifier}\nPackageVersion: {version}\n"
TAIL = "ManifestType: {kind}\nManifestVersion: 1.6.0\n"

INSTALLER = """InstallerType: wix
Scope: machine
InstallModes: [interactive, silent, silentWithProgress]
UpgradeBehavior: install
MinimumOSVersion: 10.0.14393.0
Installers:
  - Architecture: x64
    InstallerUrl: {url}
    InstallerSha256: {digest}
    ProductCode: '{product_code}'
"""

LOCALE = """PackageLocale: en-US
Publisher: winperf_exporter
PackageName: winperf_exporter
{project}License: none chosen yet
ShortDescription: Windows performance counters for Prometheus
Tags: [prometheus, exporter, performance-counters, monitoring]
"""


def write(out, version, msi, product_code, base_url, project_url):
    # The manifest contains the address from which winget downloads the MSI.
    if not base_url:
        print("no winget manifest, because it needs the MSI's download address; pass the address of its folder with --base-url")
        return
    folder = out / "winget"
    folder.mkdir()
    facts = {"identifier": IDENTIFIER, "version": version, "product_code": product_code,
             "url": f"{base_url.rstrip('/')}/{msi.name}",
             "project": f"PackageUrl: {project_url}\n" if project_url else "",
             "digest": hashlib.sha256(msi.read_bytes()).hexdigest().upper()}
    for suffix, kind, body in (("", "version", "DefaultLocale: en-US\n"), (".installer", "installer", INSTALLER),
                               (".locale.en-US", "defaultLocale", LOCALE)):
        text = (HEAD + body + TAIL).format(kind=kind, **facts)
        (folder / f"{IDENTIFIER}{suffix}.yaml").write_text(text)
