"""The goldens of level 1, golden/quick.txt: a few of each operation, which a backend runs in seconds.

    python -m golden.make.quick [--check]

The cases of an operation are the first worked example of the specification, the first case of large arrays and the
last, special values, and the first case of one file in ten.
"""

import re
import sys

from golden.witness.hlo.goldens import case_names
from golden.witness.program import GOLDEN

LIST = GOLDEN / "quick.txt"
SPECIAL = re.compile(r"/(specials?|limits|special_values|out_of_bounds|ties|negative)\b")
EVERY = 10


def cases_of(path):
    """Returns the names of the cases of a golden file."""
    stem = f"{path.parent.name}/{path.stem}"
    return [f"{stem}/{name}" for name in case_names(path)]


def chosen(folder):
    """Returns the chosen cases of an operation."""
    files = {path.stem: cases_of(path) for path in sorted([*folder.glob("*.hlo"), *folder.glob("*.mlir")])}
    cases = [case for of_file in files.values() for case in of_file]
    names = {case for case in cases if "/seed" in case and case in files[case.split("/")[1]][:1]}
    names = set(sorted(names)[:1])
    large = files.get("large", [])
    names.update(large[:1] + large[-1:])
    names.update([case for case in cases if SPECIAL.search(case)][:2])
    names.update(of_file[0] for of_file in list(files.values())[::EVERY])
    return sorted(names)


def made():
    """Returns the text of the list that the corpus determines."""
    folders = sorted(path for path in GOLDEN.iterdir() if path.is_dir())
    return "\n".join(["# Level 1: golden/make/quick.py chooses them.", *sum(map(chosen, folders), [])]) + "\n"


def main(arguments):
    """Writes the list, or fails if it differs from the list that the corpus determines."""
    text = made()
    if "--check" in arguments:
        return 0 if LIST.read_text() == text else f"{LIST.name} is not what the corpus makes: run python -m golden.make.quick"
    LIST.write_text(text)
    print(f"{LIST.name}: {text.count(chr(10)) - 1} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
