"""The Chocolatey package. It contains the MSI, so that it downloads nothing."""

import hashlib
from xml.sax.saxutils import escape

from .archive import write_zip

DESCRIPTION = "A Windows service that publishes performance counters, V1 and V2, as Prometheus metrics and as JSON."

NUSPEC = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2015/06/nuspec.xsd">
  <metadata>
    <id>winperf_exporter</id>
    <version>{version}</version>
    <title>winperf_exporter</title>
    <authors>winperf_exporter</authors>{project}
    <summary>Windows performance counters for Prometheus</summary>
    <description>{description}

Pass properties to the installer with: `choco install winperf_exporter --install-arguments="LISTEN_PORT=9182"`.
Upgrades and removals keep the configuration, C:\\ProgramData\\winperf_exporter\\winperf_exporter.yaml.

No licence has been chosen for winperf_exporter yet. The folder licences contains the licences of the libraries that it includes.</description>
    <tags>prometheus exporter performance-counters perflib metrics monitoring</tags>
  </metadata>
  <files><file src="tools\\**" target="tools" /></files>
</package>
"""

INSTALL = """$ErrorActionPreference = 'Stop'
$tools = Split-Path -Parent $MyInvocation.MyCommand.Definition
Install-ChocolateyInstallPackage @{{
  PackageName    = $env:ChocolateyPackageName
  FileType       = 'msi'
  File64         = Join-Path $tools '{msi}'
  SilentArgs     = "/qn /norestart /l*v `"$env:TEMP\\winperf_exporter.install.log`""
  ValidExitCodes = @(0, 3010, 1641)
  SoftwareName   = 'winperf_exporter'
}}
"""

UNINSTALL = """$ErrorActionPreference = 'Stop'
Uninstall-ChocolateyPackage @{{
  PackageName    = $env:ChocolateyPackageName
  FileType       = 'msi'
  SilentArgs     = "$((Get-UninstallRegistryKey -SoftwareName 'winperf_exporter').PSChildName) /qn /norestart"
  File           = ''
  ValidExitCodes = @(0, 3010, 1605, 1614, 1641)
}}
"""

VERIFICATION = """The installer in this package is identical to the MSI of the same release.
File:   {msi}
SHA256: {digest}
To verify it, compare this checksum with SHA256SUMS of the release, and with the output of:
Get-FileHash -Algorithm SHA256 {msi}
"""

RELATIONSHIPS = """<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/winperf_exporter.nuspec" Id="R1" />
  <Relationship Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="/package/services/metadata/core-properties/winperf_exporter.psmdcp" Id="R2" />
</Relationships>
"""

CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />
  <Default Extension="psmdcp" ContentType="application/vnd.openxmlformats-package.core-properties+xml" />
  <Default Extension="nuspec" ContentType="application/octet" />
  <Default Extension="ps1" ContentType="application/octet" />
  <Default Extension="txt" ContentType="application/octet" />
  <Default Extension="msi" ContentType="application/octet" />
</Types>
"""

CORE_PROPERTIES = """<?xml version="1.0" encoding="utf-8"?>
<coreProperties xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="http://schemas.openxmlformats.org/package/2006/metadata/core-properties">
  <dc:creator>winperf_exporter</dc:creator>
  <dc:description>{description}</dc:description>
  <dc:identifier>winperf_exporter</dc:identifier>
  <version>{version}</version>
</coreProperties>
"""


def write(out, version, msi, project_url):
    digest = hashlib.sha256(msi.read_bytes()).hexdigest()
    facts = {"version": version, "msi": msi.name, "digest": digest, "description": escape(DESCRIPTION),
             "project": f"\n    <projectUrl>{escape(project_url)}</projectUrl>" if project_url else ""}
    texts = {"winperf_exporter.nuspec": NUSPEC, "tools/chocolateyinstall.ps1": INSTALL,
             "tools/chocolateyuninstall.ps1": UNINSTALL, "tools/VERIFICATION.txt": VERIFICATION,
             "package/services/metadata/core-properties/winperf_exporter.psmdcp": CORE_PROPERTIES}
    files = {name: text.format(**facts).encode() for name, text in texts.items()}
    files["_rels/.rels"] = RELATIONSHIPS.encode()
    files["[Content_Types].xml"] = CONTENT_TYPES.encode()
    files[f"tools/{msi.name}"] = msi.read_bytes()
    write_zip(out / f"winperf_exporter.{version}.nupkg", files)
