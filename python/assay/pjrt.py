"""Makes assay a device of JAX: JAX_PLATFORMS=assay. JAX finds this module by the entry point jax_plugins."""

from __future__ import annotations

import os
import pathlib
from typing import Any

from .errors import Error

PLATFORM = "assay"
PACKAGE = pathlib.Path(__file__).resolve().parent

_configured: dict[str, Any] = {}


def library() -> pathlib.Path:
    """Returns the path of the plugin: ASSAY_PJRT_LIBRARY, the one in the wheel, or the one that a clone has built."""
    return find_library("libassay_pjrt.so", "ASSAY_PJRT_LIBRARY")


def find_library(name: str, variable: str) -> pathlib.Path:
    """Returns the path of a library of assay: the variable's value, that in the wheel, or that in a clone's build."""
    if named := os.environ.get(variable):
        candidates = [pathlib.Path(named)]
    else:
        candidates = [PACKAGE / "_program/lib" / name, PACKAGE.parents[1] / "build/backends/pjrt/device" / name]
    for path in candidates:
        if path.is_file():
            return path
    raise Error("backend", f"assay's plugin was not found: expected {' or '.join(map(str, candidates))}")


def is_named(platform: str) -> bool:
    """True if JAX_PLATFORMS names the platform."""
    import jax

    config: Any = jax.config
    return platform in (config.jax_platforms or "").split(",")


def configure(*, num_devices: int | None = None, engine: str | None = None, profile: str | None = None,
              memory_limit: int | None = None, time_limit: float | None = None) -> None:  # fmt: skip
    """Sets options of the client (docs/pjrt.md), before JAX has made it. None leaves an option as it is."""
    given = {"num_devices": num_devices, "engine": engine, "profile": profile, "memory_limit": memory_limit,
             "time_limit": time_limit}  # fmt: skip
    _configured.update({name: value for name, value in given.items() if value is not None})


def options() -> dict[str, Any]:
    """Returns the options of the client: those of ASSAY_PJRT_OPTIONS ("num_devices=8;engine=simd"), then those of
    `configure`."""
    found: dict[str, Any] = {}
    for setting in filter(None, os.environ.get("ASSAY_PJRT_OPTIONS", "").split(";")):
        name, equals, value = setting.partition("=")
        if not equals:
            raise Error("usage", f"ASSAY_PJRT_OPTIONS: expected OPTION=VALUE, found {setting!r}")
        found[name.strip()] = value.strip()
    return {**found, **_configured}


def initialize() -> None:
    """Registers the platform, if JAX_PLATFORMS names it. JAX calls this before it makes its clients.

    Without that name nothing is registered: an installed wheel changes no other program.
    """
    import jax
    from jax._src import xla_bridge

    if not is_named(PLATFORM):
        return
    # Callbacks get arrays of JAX's CPU. JAX reads the list of platforms before it makes the first client, which then
    # asks for the options.
    config: Any = jax.config
    named = config.jax_platforms
    with_cpu = named if is_named("cpu") else f"{named},cpu"
    config.update("jax_platforms", with_cpu)

    def options_of_client() -> dict[str, Any]:
        if config.jax_platforms == with_cpu:
            config.update("jax_platforms", named)
        return options()

    xla_bridge.register_plugin(PLATFORM, library_path=str(library()), options=options_of_client)
    if make_topology := xla_bridge._topology_factories.get(PLATFORM):
        factories: Any = xla_bridge._topology_factories
        factories[PLATFORM] = lambda name="", **given: make_topology(name, **{**options(), **given})
    from . import _jax_platform

    _jax_platform.install(library())
