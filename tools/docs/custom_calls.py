#!/usr/bin/env python3
"""Writes the table of built-in targets in docs/custom_calls.md from their records.

    tools/docs/custom_calls.py [--check] [build/tools/assay]

--check writes nothing and fails if the table is out of date.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "custom_calls.md"
HEAD = "| target | meaning | rule |\n|---|---|---|\n"


def main(arguments):
    check = "--check" in arguments
    arguments = [argument for argument in arguments if argument != "--check"]
    program = arguments[0] if arguments else str(ROOT / "build" / "tools" / "assay")
    table = subprocess.run([program, "ops", "--json"], check=True, capture_output=True, text=True).stdout
    rows = [
        f"| {', '.join(f'`{name}`' for name in target['patterns'])} | {target['meaning']} | {target['acceptance']} |\n"
        for target in json.loads(table)["custom_call_targets"]
    ]
    page = PAGE.read_text()
    before, rest = page.split(HEAD)
    after = re.sub(r"^(\|.*\n)*", "", rest)
    text = before + HEAD + "".join(rows) + after
    if not check:
        PAGE.write_text(text)
    elif page != text:
        sys.exit("docs/custom_calls.md is out of date: run tools/docs/custom_calls.py")


if __name__ == "__main__":
    main(sys.argv[1:])
