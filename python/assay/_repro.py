"""Failures as folders that the authors of a backend can use (docs/reproducing.md)."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Sequence

from . import _program
from ._check import name_of
from ._values import Writer
from .verdicts import Comparison

def repro(comparison: Comparison, folder: str | os.PathLike, backend: str | Sequence[str] | None = None,
          profile: str | None = None, seconds: float = 300) -> tuple[str, ...]:  # fmt: skip
    """Writes a failure into a folder like `assay repro`, with the text of the comparison in comparison.txt.

    `backend` runs the module again, or the first instruction that fails alone. If that does not fail, or without a
    backend, the folder has the module, its arguments in inputs.json, and the comparison. Returns the files' names.
    """
    where = pathlib.Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="assay-") as temporary:
        module, inputs = pathlib.Path(temporary, "module.hlo"), pathlib.Path(temporary, "inputs.json")
        module.write_text(comparison.hlo)
        # The arrays are written whole, because the folder is meant for others.
        values = Writer(temporary, inline=True).devices(comparison.inputs)
        inputs.write_text(json.dumps({"inputs_per_device": values}))
        written = 0
        if backend is not None:
            words = ["repro", str(module), "--inputs", str(inputs), "--backend", name_of(backend), "--out", str(where)]
            done = _program.run([*words, *(["--profile", profile] if profile else [])], seconds)
            written = done.returncode
        if written != 1 or not (where / "issue.md").is_file():
            for path in (module, inputs):
                (where / path.name).write_text(path.read_text())
    (where / "comparison.txt").write_text(f"{comparison}\n")
    return tuple(sorted(path.name for path in where.iterdir()))
