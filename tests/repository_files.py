"""The files of the repository, for the tests that read its texts."""

import re
import subprocess


def file_names(root):
    """Names relative to the root: what git has or would add, or everything in an unpacked archive."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
    paths = [path.relative_to(root) for path in root.rglob("*") if path.is_file()]
    return [path.as_posix() for path in paths
            if not re.match(r"build|\.git$|\.cache$", path.parts[0]) and "__pycache__" not in path.parts]
