"""Writes the manual page assay(1) from the program's help: manual_page.py PROGRAM."""

import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def verbatim(text):
    """Returns lines that groff prints literally: escapes backslashes, and dots and quotes at the beginning of a
    line."""
    lines = [line.replace("\\", "\\e").replace("-", "\\-") for line in text.rstrip().splitlines()]
    return "\n".join([".nf", *("\\&" + line for line in lines), ".fi"])


def help_of(program, *command):
    """Returns the help without its first lines: the page has the meaning of the command above it."""
    text = output_of(program, *command, "--help").replace(program, "assay")
    return text[text.index("Usage:") :]


def page(program):
    version = output_of(program, "--version").split()[-1]
    overview = help_of(program)
    commands = re.findall(r"^  ([a-z-]+) +(.+)$", overview[overview.index("Subcommands:") :], re.M)
    parts = [
        f'.TH ASSAY 1 "" "assay {version}" "User Commands"',
        ".SH NAME\nassay \\- reference interpreter and conformance tests for the XLA operation set",
        ".SH SYNOPSIS\n.B assay\n.I COMMAND\n[\\fIOPTION\\fR]...",
        ".SH DESCRIPTION\nassay defines XLA operations to the last bit, and grades programs that run them. "
        "Each command has a section below.",
    ]
    for name, meaning in commands:
        parts.append(f".SH ASSAY {name.upper()}\n{meaning}.\n.PP\n" + verbatim(help_of(program, name)))
    parts.append(".SH EXIT STATUS\n" + verbatim(overview[overview.index("Exit codes:") :]))
    parts.append(".SH FILES\n.TP\n.I backends.json\nNames for backends, looked for in the working directory, above the "
                 "program, and in the folder share/assay of the installation.\n.TP\n.I share/assay/golden\nThe corpus, "
                 "unless the working directory has a folder golden.")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1]))
