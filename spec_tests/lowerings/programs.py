"""Programs as people lower them: JAX's own test harnesses, the layers of the folder `layers`, and modules that
`jax.export` wrote in past versions.

A program is named GROUP.NAME. `lowered` makes its module and the values of the module's parameters.
"""

import argparse
import dataclasses
import re
import zlib
from collections.abc import Callable

import jax
import numpy

import assay.jax
from assay._sources import without_metadata
from spec_tests.lowerings.artifacts import Artifact, artifacts
from spec_tests.python import jax_harnesses

LONGEST = 150  # letters of a name: that of a folder has at most 255 bytes
PLACES = re.compile(r"\nFileNames\n.*?\n\n(?=%|ENTRY)", re.DOTALL)  # the table of places in the source


@dataclasses.dataclass(frozen=True)
class Program:
    """A function of JAX, and a function that makes its arguments."""

    name: str
    function: Callable
    arguments: Callable[[], tuple]
    uses_64_bits: bool = False


class NotLowered(Exception):
    """The reason why JAX does not lower a program."""


def harness_program(harness):
    """Returns the program of a harness. Its arguments follow from its name."""
    name = re.sub(r"[^\w=.-]", "_", harness.name)
    if len(name) > LONGEST:
        name = f"{name[:LONGEST]}_{zlib.crc32(name.encode()):08x}"
    seed = zlib.crc32(harness.fullname.encode())
    return Program(f"{harness.group_name}.{name}", harness.dyn_fun,
                   lambda: tuple(harness.dyn_args_maker(numpy.random.RandomState(seed))), uses_64_bits=True)  # fmt: skip


def harness_programs():
    """Returns the programs of all harnesses that JAX runs on the CPU."""
    every_one = argparse.Namespace(every=1, offset=0, group=None, name="")
    return [harness_program(harness) for harness in jax_harnesses.harnesses(every_one)]


def all_programs():
    """Returns the programs of harnesses and layers, and the modules of past versions."""
    from spec_tests.lowerings.layers import indexing, layer, networks, numerics, training  # noqa: F401

    return harness_programs() + layer.LAYERS + artifacts()


def lowered(program):
    """Returns the HLO text of a program without places in the source, and the values of its parameters.

    Raises NotLowered with the reason that JAX gives, or assay for a module of a past version.
    """
    if isinstance(program, Artifact):
        try:
            return program.hlo(), program.values
        except ValueError as error:
            raise NotLowered(str(error)) from error
    with jax.enable_x64(program.uses_64_bits):
        try:
            arguments = program.arguments()
            leaves = [assay.jax.as_numpy(leaf) for leaf in jax.tree_util.tree_leaves(arguments)]
            module = assay.jax.module_of(jax.jit(program.function).lower(*arguments), len(leaves))
        except Exception as error:  # whatever JAX says of a program that it cannot lower
            raise NotLowered(f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}") from error
        return without_metadata(PLACES.sub("\n\n", module.hlo)), module.arguments(leaves)
