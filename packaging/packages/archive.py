"""Reproducible ZIP files: the same contents give the same bytes."""

import os
import time
import zipfile


def write_zip(path, files):
    """Writes `files`, contents by name, in the order of their names. SOURCE_DATE_EPOCH sets their times."""
    epoch = max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800)  # the earliest time in a ZIP file is 1980
    stamp = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
