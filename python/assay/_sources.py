"""Finds the places in Python code that the instructions of JAX's modules come from."""

from __future__ import annotations

import re

from .verdicts import Source

TABLE_ROW = re.compile(r"^(\d+) (.*)$")
METADATA = re.compile(r",? metadata=\{(?:[^{}\"]|\"(?:[^\"\\]|\\.)*\")*\}")


class Sources:
    """The places of one module's instructions, read from its text: from the instruction, or from tables at the top."""

    def __init__(self, hlo: str):
        self.lines = hlo.splitlines()
        self.tables: dict[str, dict[str, str]] = {}
        name = ""
        for line in self.lines:
            if line.endswith("{") and not TABLE_ROW.match(line):
                break
            if row := TABLE_ROW.match(line):
                self.tables.setdefault(name, {})[row[1]] = row[2]
            elif line:
                name = line

    def metadata(self, line: int) -> str:
        """Returns the metadata of the instruction at a line of the text, counted from 1; "" if it has none."""
        found = METADATA.search(self.lines[line - 1]) if 0 < line <= len(self.lines) else None
        return found[0] if found else ""

    def argument(self, line: int) -> str:
        """Returns the place of a parameter in the arguments of a function of JAX, such as "params['w']"."""
        return text_field(self.metadata(line), "op_name")

    def of(self, line: int) -> Source | None:
        """Returns the place of the instruction at a line of the text, counted from 1; None if the text has none."""
        metadata = self.metadata(line)
        name = text_field(metadata, "op_name")
        if frame := number_field(metadata, "stack_frame_id"):
            place = self.tables.get("StackFrames", {}).get(frame, "")
            place = self.tables.get("FileLocations", {}).get(number_field(place, "file_location_id"), "")
            file = self.tables.get("FileNames", {}).get(number_field(place, "file_name_id"), "")
            file = text_field(f"name={file}", "name")
            number = number_field(place, "line")
        else:
            file, number = text_field(metadata, "source_file"), number_field(metadata, "source_line")
        return Source(file, int(number), name) if file and number else None


def text_field(metadata: str, field: str) -> str:
    """Returns the value of a field that is a text; "" if there is none."""
    found = re.search(rf'\b{field}="((?:[^"\\]|\\.)*)"', metadata)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else ""


def number_field(metadata: str, field: str) -> str:
    """Returns the digits of a field that is a number; "" if there is none."""
    found = re.search(rf"\b{field}=(\d+)", metadata)
    return found[1] if found else ""


def without_metadata(instruction: str) -> str:
    """Returns the text of an instruction without its metadata."""
    return METADATA.sub("", instruction)


def plain_text(hlo: str) -> str:
    """Returns the text of a module without the places of its instructions: without metadata and tables."""
    head, brace, rest = without_metadata(hlo).partition("{\n")
    first, _, tables = head.partition("\n")
    return f"{first}\n{tables.splitlines()[-1] if tables else ''}{brace}{rest}"
