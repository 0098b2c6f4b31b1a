#!/usr/bin/env python3
"""Counts the sentences of comments, docstrings and pages that open with a clause where English has a subject.

    tools/prose.py [PATH...]

A sentence that begins with "Of", "What", "Where" and the like has its subject and its verb late. Prints each one, and
exits with 1 if there is any. Without a PATH every file that git tracks counts.
"""

import io
import pathlib
import re
import subprocess
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parents[1]
OPENING = re.compile(
    r"(?:^|(?<=[.:!?] )|(?<=[.:!?]\n))"
    r"(Of|What|Where|Whether|Whose|Which|How|Nobody|Somebody) [^?]*?(?:[.:!](?=\s|$)|$)",
    re.DOTALL,
)
C_SUFFIXES = {".cc", ".h", ".cu", ".in"}
# String and character literals of C++ may contain `//`; raw strings contain programs.
C_TOKEN = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*', re.DOTALL)


def blocks_of_lines(lines):
    """Joins (line number, indent, text) of adjacent lines into (first line number, text) blocks."""
    block, first, last, column = [], 0, -1, 0
    for number, indent, text in lines:
        if block and (number != last + 1 or indent != column):
            yield first, "\n".join(block)
            block = []
        if not block:
            first, column = number, indent
        block.append(text)
        last = number
    if block:
        yield first, "\n".join(block)


def comments_of_c(text):
    """Returns the comments of a C++ source as (line number, text) pairs."""
    found = []
    for token in C_TOKEN.finditer(text):
        if token[0].startswith("//"):
            start = text.rfind("\n", 0, token.start()) + 1
            found.append((text.count("\n", 0, token.start()) + 1, token.start() - start, token[0].lstrip("/ ")))
    return blocks_of_lines(found)


def comments_of_python(text):
    """Yields the comments and docstrings of a Python source, which may be a template."""
    comments, before = [], tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.start[1], token.string.lstrip("# ")))
        elif token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            yield token.start[0], token.string.strip('rb"\'')
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            before = token.type
    yield from blocks_of_lines(comments)


def comments_of_shell(text):
    """Returns the comments of a shell script or a meson.build."""
    lines = enumerate(text.split("\n"), 1)
    return blocks_of_lines((number, line.index("#"), line.strip("# ")) for number, line in lines
                           if line.lstrip().startswith("#"))  # fmt: skip


def paragraphs_of_page(text):
    """Yields the paragraphs and list items of a Markdown page, without its headings, programs and tables."""
    text = re.sub(r"```.*?```|^#[^\n]*", lambda part: "\n" * part[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    number = 1
    for paragraph in re.split(r"(\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) ))", text):
        stripped = re.sub(r"^\s*(?:[-*]+|\d+\.) (?:\*\*)?", "", paragraph.strip("\n"))
        if stripped.strip() and not stripped.lstrip().startswith("|"):
            yield number, stripped
        number += paragraph.count("\n")


def reader_of(path):
    """Returns the function that reads the sentences of a file; None for files without any."""
    if path.suffix in C_SUFFIXES:
        return comments_of_c
    if path.suffix == ".py":
        return comments_of_python
    if path.name in ("meson.build", "dev"):
        return comments_of_shell
    return paragraphs_of_page if path.suffix == ".md" else None


def openings(path):
    """Yields (line number, sentence) pairs of the sentences of a file that open with such a clause."""
    reader = reader_of(path)
    if reader is None:
        return
    for first, block in reader(path.read_text(encoding="utf-8")):
        for sentence in OPENING.finditer(block):
            yield first + block.count("\n", 0, sentence.start()), " ".join(sentence[0].split())


def tracked(paths):
    """Returns the files below the paths that git tracks."""
    listed = subprocess.run(["git", "ls-files", "-z", *paths], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def found_in(paths):
    """Returns a line for each such sentence below the paths."""
    found = [(path.relative_to(ROOT), *opening) for path in tracked(paths) for opening in openings(path)]
    return [f"{path}:{line}: {sentence}" for path, line, sentence in found]


def main():
    found = found_in(sys.argv[1:])
    if found:
        sys.exit("\n".join([*found, f"{len(found)} sentences open with a clause: begin them with the subject"]))


if __name__ == "__main__":
    main()
