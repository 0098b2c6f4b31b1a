"""Writes the manual page and the completions of shells from the help of the program.

    python -m tools.installed.shell_files PROGRAM FOLDER
"""

import dataclasses
import pathlib
import re
import subprocess
import sys

from tools.installed.completions import bash, fish, zsh
from tools.installed.manual_page import manual_page

COLUMN = 30  # of the meanings in a help text


@dataclasses.dataclass
class Option:
    """An option of a command, such as --format."""

    name: str
    meaning: str
    takes_value: bool
    choices: list  # the words that the value is one of; empty: any text


@dataclasses.dataclass
class Command:
    """A command, such as check. `usage` is its help from "Usage:" on."""

    name: str
    meaning: str
    usage: str
    options: list


def rows_of(text):
    """Yields (name, text of its value, meaning) for each option of a help text: ("--jobs", "INT:NUMBER=1", "...")."""
    lines = text[text.index("Options:") :].split("\n\n")[0].splitlines()
    for line, after in zip(lines, lines[1:] + [""]):
        if not line.startswith("  --"):
            continue
        # A long placeholder leaves the meaning to the next line.
        is_alone = after.startswith(" " * COLUMN)
        spec, meaning = (line, after) if is_alone else (line[:COLUMN], line[COLUMN:])
        name, _, rest = re.sub(r" Excludes: --[\w-]+", "", spec).strip().partition(" ")
        yield name, rest, meaning.strip()


def usage_of(program, *command):
    """Returns the help of a command, or of the program, without the lines before "Usage:"."""
    text = subprocess.run([program, *command, "--help"], check=True, capture_output=True, text=True).stdout
    return text[text.index("Usage:") :].replace(program, "assay")


def backends(program):
    """Returns the backends that need no further words, as the error about an unknown one lists them."""
    done = subprocess.run([program, "serve", "--backend", "?"], check=False, capture_output=True, text=True)
    listed = done.stderr.strip().partition("expected one of ")[2]
    return [name for name in re.sub(r"\[[^]]*\]+", "", listed).split(", ") if re.fullmatch(r"[\w-]+", name)]


def choices_of(name, value, meaning, names_of_backends):
    """Returns the words that the value of an option is one of."""
    if name == "--backend":
        return names_of_backends
    words = re.search(": (.*), or a file", meaning) if name == "--profile" else re.search(r"\{(.*)\}", value)
    return re.split(", ?", words[1]) if words else []


def commands(program):
    """Returns the commands in the order of the help."""
    overview, names_of_backends = usage_of(program), backends(program)
    found = []
    for name, meaning in re.findall(r"^  ([a-z-]+)  +(.+)$", overview[overview.index("Subcommands:") :], re.M):
        usage = usage_of(program, name)
        options = [Option(option, text, value != "", choices_of(option, value, text, names_of_backends))
                   for option, value, text in rows_of(usage)]  # fmt: skip
        found.append(Command(name, meaning, usage, options))
    return found


def main():
    """Writes the files."""
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    found = commands(program)
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    for name, text in (("assay.1", manual_page(version, usage_of(program), found)), ("assay.bash", bash(found)),
                       ("_assay", zsh(found)), ("assay.fish", fish(found))):  # fmt: skip
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
