"""Judges another PJRT plugin while it works: JAX_PLATFORMS=assay_shadow with ASSAY_SHADOW=PLUGIN.so (docs/shadow.md).

JAX finds this module by the entry point jax_plugins.
"""

from __future__ import annotations

import os
import pathlib

from . import _program
from .pjrt import find_library, is_named

PLATFORM = "assay_shadow"


def library() -> pathlib.Path:
    """Returns the path of the shadow: ASSAY_SHADOW_LIBRARY, the one in the wheel, or the one that a clone has built."""
    return find_library("libassay_shadow.so", "ASSAY_SHADOW_LIBRARY")


def initialize() -> None:
    """Registers the platform, if JAX_PLATFORMS names it. JAX calls this before it makes its clients."""
    if not is_named(PLATFORM):
        return
    from jax._src import xla_bridge

    os.environ.setdefault("ASSAY_PROGRAM", str(_program.find()))
    xla_bridge.register_plugin(PLATFORM, library_path=str(library()))
