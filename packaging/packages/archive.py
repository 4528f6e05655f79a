"""ZIP files of which the same contents give the same bytes."""

import os
import time
import zipfile


def write_zip(path, files):
    """`files`: contents by name, in the order of the names. The times are SOURCE_DATE_EPOCH's."""
    epoch = max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800)  # a ZIP's time begins in 1980
    stamp = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
