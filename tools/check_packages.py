"""Checks that a fresh machine gets all that the build reads and runs: check_packages.py FOLDER PACKAGE...

Each header that a compilation read and each library that a program loads belongs to a package. That package must be one
of PACKAGE..., a dependency of one, or part of the base system. A build on a machine with more packages does not show
that the list lacks one; this check does. Needs dpkg and apt-cache.
"""

import pathlib
import re
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[1]


def output(*command):
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def headers(folder):
    """Returns the files outside of the project that compilations read."""
    lines = output("ninja", "-C", folder, "-t", "deps").splitlines()
    return {line.strip() for line in lines if line.startswith("    /") and not line.strip().startswith(f"{PROJECT}/")}


def libraries(folder):
    """Returns the shared libraries that the programs load."""
    programs = [path for path in pathlib.Path(folder).rglob("*") if path.is_file() and is_program(path)]
    listing = output("ldd", *map(str, programs))
    return set(re.findall(r"=> (/\S+)", listing)) - {str(path) for path in programs}


def is_program(path):
    if path.suffix in {".o", ".a", ".gch"}:
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def owners(paths):
    """Returns the package of each file: {path: name}. A file in /lib may be registered in /usr/lib, and the reverse."""
    spelled = {}
    for path in paths:
        real = str(pathlib.Path(path).resolve())
        for spelling in {path, real, real.removeprefix("/usr"), "/usr" + real}:
            spelled[spelling] = path
    found = {}
    for line in output("dpkg", "-S", *spelled).splitlines():
        names, _, path = line.rpartition(": ")
        if path in spelled and not names.startswith("diversion "):
            found[spelled[path]] = names.split(", ")[0].split(":")[0]
    return found


def installed_with(packages):
    """Returns the packages that apt-get installs for these, and those of the base system."""
    options = [f"--no-{kind}" for kind in ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")]
    listing = output("apt-cache", "depends", "--recurse", *options, *packages)
    names = {line.split(":")[0] for line in listing.splitlines() if not line.startswith((" ", "<"))}
    rows = output("dpkg-query", "-W", "-f", "${Package} ${Priority} ${Essential}\n").splitlines()
    return names | set(packages) | {row.split()[0] for row in rows if row.endswith(" yes") or " required" in row}


def lacking(owner_of, present):
    """Returns the packages that nothing installs, each with one of its files: {name: path}."""
    return {name: path for path, name in sorted(owner_of.items(), reverse=True) if name not in present}


def main():
    folder, *packages = sys.argv[1:]
    paths = headers(folder) | libraries(folder)
    wrong = lacking(owners(paths), installed_with(packages))
    for name, path in wrong.items():
        print(f"{path} is of {name}, which the list of packages in tools/dev does not install")
    print(f"{len(paths)} headers and libraries, {len(wrong)} packages lacking")
    sys.exit(1 if wrong or not paths else 0)


if __name__ == "__main__":
    main()
