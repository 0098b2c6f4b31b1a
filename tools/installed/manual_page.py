"""Makes the manual page assay(1)."""


def verbatim(text):
    """Returns lines that groff prints literally: escapes backslashes, and dots and quotes at the beginning of a
    line."""
    lines = [line.replace("\\", "\\e").replace("-", "\\-") for line in text.rstrip().splitlines()]
    return "\n".join([".nf", *("\\&" + line for line in lines), ".fi"])


def manual_page(version, overview, commands):
    """Returns the page. `overview` is the help of the program."""
    parts = [
        f'.TH ASSAY 1 "" "assay {version}" "User Commands"',
        ".SH NAME\nassay \\- reference interpreter and conformance tests for the XLA operation set",
        ".SH SYNOPSIS\n.B assay\n.I COMMAND\n[\\fIOPTION\\fR]...",
        ".SH DESCRIPTION\nassay defines XLA operations to the last bit, and grades programs that run them. "
        "Each command has a section below.",
    ]
    for command in commands:
        parts.append(f".SH ASSAY {command.name.upper()}\n{command.meaning}.\n.PP\n" + verbatim(command.usage))
    parts.append(".SH EXIT STATUS\n" + verbatim(overview[overview.index("Exit codes:") :]))
    parts.append(".SH FILES\n.TP\n.I backends.json\nNames for backends, looked for in the working directory, above the "
                 "program, and in the folder share/assay of the installation.\n.TP\n.I share/assay/golden\nThe corpus, "
                 "unless the working directory has a folder golden.")
    return "\n".join(parts) + "\n"
