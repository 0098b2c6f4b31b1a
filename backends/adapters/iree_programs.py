"""Programs that IREE has compiled, kept in the peer's environment for the next process and the next check.

An entry is a JSON file, named by the digest of all that a program depends on: the version of IREE, the flags, the
processor and the text of the module. The entry names a program and its function, or has the compiler's error. A program is
a file named by its own digest, so a damaged file counts as absent. Files are written atomically, by renaming.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import re
import sys
import tempfile

FOLDER = pathlib.Path(sys.prefix) / "programs"
MOST_BYTES = 1 << 30


def processor():
    """Returns the name and the features of this machine's processor, which the compiler targets."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    return sorted(set(re.findall(r"^(?:model name|flags|Features)\s*:.*", text, re.M)))


class Programs:
    """The programs of one compiler on this machine."""

    def __init__(self, version, flags, folder=FOLDER):
        self.folder = folder
        self.prefix = json.dumps([version, flags, processor()])
        folder.mkdir(exist_ok=True)
        self.remove_oldest()

    def find(self, text):
        """Returns the entry of a module, with its program as bytes; None if there is none."""
        try:
            entry = json.loads((self.folder / self.key(text)).read_bytes())
            if "program" in entry:
                program = (self.folder / entry["program"]).read_bytes()
                if digest(program) != entry["program"]:
                    return None
                entry["program"] = program
            return entry
        except (OSError, ValueError):
            return None

    def add(self, text, entry):
        """Keeps the entry of a module. Its program is given as bytes."""
        if "program" in entry:
            entry = {**entry, "program": self.write(digest(entry["program"]), entry["program"])}
        self.write(self.key(text), json.dumps(entry).encode())

    def key(self, text):
        """Returns the file name of a module's entry."""
        return digest(self.prefix.encode() + text.encode())

    def write(self, name, data):
        """Writes a file unless it is there with this content. Returns its name."""
        path = self.folder / name
        if not path.exists() or path.read_bytes() != data:
            with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
                file.write(data)
            os.replace(file.name, path)
        return name

    def remove_oldest(self):
        """Removes the oldest files until at most half of MOST_BYTES remains, if there are more than MOST_BYTES."""
        files = []
        for file in os.scandir(self.folder):
            with contextlib.suppress(FileNotFoundError):  # another peer has renamed or removed it
                files.append((file.stat().st_mtime, file.stat().st_size, file.path))
        total = sum(size for _, size, _ in files)
        if total <= MOST_BYTES:
            return
        for _, size, path in sorted(files):
            if total <= MOST_BYTES // 2:
                break
            pathlib.Path(path).unlink(missing_ok=True)
            total -= size


def digest(data):
    """Returns the SHA-256 digest of bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
