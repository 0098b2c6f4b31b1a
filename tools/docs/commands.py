"""Writes the tables of options in docs/commands.md from the help texts of the program.

    python -m tools.docs.commands [--check] [build/tools/assay]

Each command has a section that ends with a table of its options. Options that several commands share (inputs, devices,
limits) have one table, which the other sections name. --check writes nothing and fails if the page is out of date.
"""

import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "commands.md"
# Options of several commands: the heading of their section, and their names.
SHARED = {
    "Modules": ["--function", "--mixed-precision"],
    "Inputs": ["--input", "--inputs", "--seed", "--write-inputs"],
    "Devices": ["--replicas", "--partitions"],
    "Limits": ["--time-limit", "--step-limit", "--memory-limit", "--custom-call-library"],
    "Profiles": ["--profile"],
    "Corpus": ["--corpus"],
    "Jobs": ["--jobs"],
    "Cases": ["--filter", "--quick"],
}
KINDS = {"INT": "N", "UINT": "N", "FLOAT": "SECONDS", "TEXT": "", "VALUE": ""}
COLUMN = 30  # of the meanings in a help text


def help_of(assay, *command):
    """Returns the help text of a command, or of the program."""
    return subprocess.run([assay, *command, "--help"], check=True, capture_output=True, text=True).stdout


def commands_of(assay):
    """Returns the names of all commands in the order of the help text."""
    text = help_of(assay)
    return re.findall(r"^  ([a-z-]+)  ", text[text.index("Subcommands:") :], re.M)


def value_of(spec):
    """Returns the placeholder of an option's value, and its default: ("N", "256") for "INT:NUMBER=256"."""
    choices = re.search(r"\{(.*?)\}", spec)
    kind = re.match(r"[A-Z]*", spec)[0]
    default = re.search(r"=([^\s,\]()]+)$", spec)
    placeholder = choices[1].replace(",", "|") if choices else "SIZE" if ":SIZE" in spec else KINDS.get(kind, kind)
    return placeholder, default[1] if default else ""


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


def options_of(assay, command):
    """Returns (name, placeholder, default, meaning) for each option of a command, in the order of the help text."""
    return [(name, *value_of(rest), meaning) for name, rest, meaning in rows_of(help_of(assay, command))]


def table(options):
    """Returns the table of some options."""
    lines = ["| option | meaning |", "|---|---|"]
    for name, placeholder, default, meaning in options:
        shown = f"{name} {placeholder}".strip().replace("|", "\\|")
        text = meaning.replace("|", "\\|").replace("*", "\\*")
        lines.append(f"| `{shown}` | {text}" + (f" (default: {default})" if default else "") + " |")
    return lines


def block_of(assay, command):
    """Returns the generated text of a command's section."""
    options = options_of(assay, command)
    names = {option[0] for option in options}
    present = [group for group, of in SHARED.items() if set(of) <= names]
    shared = {name for group in present for name in SHARED[group]}
    own = [option for option in options if option[0] not in shared]
    groups = [f"[{group.lower()}](#{group.lower()})" for group in present]
    lines = table(own) if own else []
    if groups:
        lines += ([""] if lines else []) + [f"{'Also' if lines else 'Options'}: {', '.join(groups)}."]
    return "\n".join(lines) if lines else "No options."


def shared_block(assay, group):
    """Returns the generated text of a section of shared options."""
    found = {option[0]: option for command in ("check", "diff") for option in options_of(assay, command)}
    return "\n".join(table([found[name] for name in SHARED[group]]))


def text_of(assay, text):
    """Returns the page with all tables of options made again."""
    for name in [*commands_of(assay), *SHARED]:
        heading = name if name in SHARED else f"`{name}`"
        section = re.search(rf"^### {heading}\n.*?(?=\n## |\n### |\Z)", text, re.M | re.S)
        if section is None:
            sys.exit(f"{PAGE.name} needs a section: ### {heading}")
        words = re.split(r"^(?:\| option |Options: |No options)", section[0], flags=re.M)[0].rstrip("\n")
        block = shared_block(assay, name) if name in SHARED else block_of(assay, name)
        text = text[: section.start()] + f"{words}\n\n{block}\n" + text[section.end() :]
    return text


def main(arguments):
    check = "--check" in arguments
    paths = [argument for argument in arguments if argument != "--check"]
    assay = paths[0] if paths else str(PAGE.parents[1] / "build" / "tools" / "assay")
    text = PAGE.read_text()
    wanted = text_of(assay, text)
    if check and text != wanted:
        sys.exit("docs/commands.md is out of date: run python -m tools.docs.commands")
    if text != wanted:
        PAGE.write_text(wanted)


if __name__ == "__main__":
    main(sys.argv[1:])
