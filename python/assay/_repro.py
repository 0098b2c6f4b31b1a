"""Failures as folders that the authors of a backend can use (docs/reproducing.md)."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import shutil
import tempfile
from collections.abc import Sequence

from . import _program
from ._check import name_of
from ._values import Writer
from .errors import Error
from .verdicts import Comparison

SCRIPT = '''"""Compares {name!r} with the reference again; exits with 1 if it fails. It needs assay on the path."""
import pathlib
import subprocess
import sys

command = {command!r}
sys.exit(subprocess.run(command, cwd=pathlib.Path(__file__).parent).returncode)
'''


def repro(comparison: Comparison, folder: str | os.PathLike[str], backend: str | Sequence[str] | None = None,
          profile: str | None = None, seconds: float = 300) -> tuple[str, ...]:  # fmt: skip
    """Writes a failure into a folder like `assay repro`, with the text of the comparison in comparison.txt.

    `backend`, by default that of the comparison, runs the module again, or the first instruction that fails alone. If
    that does not fail, the folder has the module, its arguments in inputs.json, and a script that compares them again;
    the script is missing if no backend is known. The default of `profile` is the comparison's. Returns the files'
    names.
    """
    where, backend = pathlib.Path(folder), comparison.peer if backend is None else backend
    profile = profile or comparison.profile
    where.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="assay-") as temporary:
        module, inputs = pathlib.Path(temporary, "module.hlo"), pathlib.Path(temporary, "inputs.json")
        module.write_text(comparison.hlo)
        # The arrays are written whole, because the folder is meant for others.
        values = Writer(temporary, inline=True).devices(comparison.inputs)
        inputs.write_text(json.dumps({"inputs_per_device": values}))
        options = ["--backend", name_of(backend), "--profile", profile] if backend is not None else []
        written = 0
        if backend is not None:
            done = _program.run(["repro", str(module), "--inputs", str(inputs), *options, "--out", str(where)], seconds)
            written = done.returncode
        if written != 1 or not (where / "issue.md").is_file():
            for path in (module, inputs):
                (where / path.name).write_text(path.read_text())
            command = ["assay", "diff", module.name, "--inputs", inputs.name, *options]
            if backend is not None:
                (where / "repro.py").write_text(SCRIPT.format(name=comparison.name, command=command))
    (where / "comparison.txt").write_text(f"{comparison}\n")
    return tuple(sorted(path.name for path in where.iterdir()))


def repro_of_test(comparison: Comparison, folder: str | os.PathLike[str], key: str) -> str:
    """Writes the failure of a test into a folder of its own, which another process may write at the same time. Returns
    its path, or why there is none."""
    where = pathlib.Path(folder, f"{re.sub(r'[^a-zA-Z0-9_.-]+', '_', comparison.name)}-{key[:8]}")
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".", dir=where.parent) as temporary:
            made = pathlib.Path(temporary, where.name)
            with contextlib.suppress(Error):  # the report has the comparison
                repro(comparison, made)
            shutil.rmtree(where, ignore_errors=True)
            made.rename(where)
    except OSError as error:
        if not where.is_dir():
            return f"not written: {error}"
    return str(where)
