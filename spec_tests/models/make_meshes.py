"""Writes meshes/: JAX programs over several devices, and one that calls LAPACK, in every form that JAX and XLA give.

    python -m pip install jax==0.10.2
    python spec_tests/models/make_meshes.py

NAME.mlir is lower(...).as_text(), NAME.hlo is as_text(dialect="hlo"); the two of NAME.*_optimizations.txt are XLA's dump.
jax_meshes_test.py has what each program computes.
"""

import os
import pathlib
import tempfile

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P  # noqa: E402

HERE = pathlib.Path(__file__).parent
LINE = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
GRID = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Auto,) * 2)


def mapped(function, mesh, arguments, results, **options):
    return jax.jit(jax.shard_map(function, mesh=mesh, in_specs=arguments, out_specs=results, **options))


def moved(a):
    return lax.all_gather(a, "y", axis=1, tiled=True), lax.ppermute(a, "x", [(0, 1), (1, 0)]), 2 * a


def constrained(x, w):
    return lax.with_sharding_constraint(x @ w, NamedSharding(LINE, P("x")))


ROWS, WHOLE = NamedSharding(LINE, P("x")), NamedSharding(LINE, P())
PROGRAMS = {
    "psum": (mapped(lambda a: lax.psum(2 * a, "x"), LINE, P("x"), P()), (8, 4)),
    "product": (mapped(lambda a, b: lax.psum(a @ b, "y"), GRID, (P("x", "y"), P("y")), P("x")), (8, 16), (16, 4)),
    "moves": (mapped(moved, GRID, P("x", "y"), (P("x"), P("x", "y"), P(None, ("y", "x"))), check_vma=False), (8, 16)),
    "one_axis": (mapped(lambda a: lax.psum(a, "x"), GRID, P("x"), P(), axis_names={"x"}), (8, 4)),
    "named": (jax.jit(constrained, in_shardings=(ROWS, WHOLE), out_shardings=ROWS), (8, 16), (16, 4)),
    "qr": (jax.jit(jnp.linalg.qr), (6, 4)),
}


def main():
    for name, (function, *shapes) in PROGRAMS.items():
        lowered = function.lower(*(jax.ShapeDtypeStruct(shape, "float32") for shape in shapes))
        texts = {"mlir": lowered.as_text(), "hlo": lowered.as_text(dialect="hlo")}
        with tempfile.TemporaryDirectory() as folder:
            lowered.compile(compiler_options={"xla_dump_to": folder, "xla_dump_hlo_as_text": True})
            for stage in ("before", "after"):
                (path,) = pathlib.Path(folder).glob(f"*{stage}_optimizations.txt")
                texts[f"{stage}_optimizations.txt"] = path.read_text()
        for ending, text in texts.items():
            (HERE / "meshes" / f"{name}.{ending}").write_text(text.replace(f"{HERE.resolve()}/", ""))


if __name__ == "__main__":
    main()
