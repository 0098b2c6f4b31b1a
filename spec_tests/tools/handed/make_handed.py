"""Makes the files of this folder: what people who use JAX have in hand as a module. It needs jax 0.10 besides jaxlib:

    python make_handed.py

The arguments and results are small numbers, with which all is exact; spec_tests/tools/handed_modules_test.py has them.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

FOLDER = pathlib.Path(__file__).parent
# A folder, how XLA is asked for it, and what of it is kept.
DUMPS = [
    ("snapshot", "--xla_dump_hlo_as_proto --xla_dump_hlo_snapshots", ".before_optimizations.hlo.pb", ".snapshot."),
    ("unoptimized", "--xla_dump_hlo_as_proto --xla_dump_hlo_unoptimized_snapshots", ".hlo_unoptimized_snapshot.pb"),
    ("text", "--xla_dump_hlo_as_text", ".before_optimizations.txt"),
]


def affine(x, y, mask, small, index):
    """Its arguments have all their own types, and their order shows."""
    import jax.numpy as jnp

    return x @ y - 1, jnp.where(mask, small.astype(jnp.int32), -1), x[index]


def arguments():
    import ml_dtypes

    return (np.arange(6, dtype=np.float32).reshape(2, 3) / 8, np.array([[1, 2], [3, 4], [5, 7]], np.float32),
            np.array([1, 0, 1, 1, 0, 1, 1, 1, 0], bool), np.array([-8, 7, -1, 0, 1, 2, 3, 4, 5], ml_dtypes.int4),
            np.int16(1))


def prepare():
    import jax

    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
    return jax.jit(affine)


def main():
    if sys.argv[1:] == ["run"]:
        print(prepare()(*arguments()))
        return
    lowered = prepare().lower(*arguments())
    (FOLDER / "affine.mlir").write_text(lowered.as_text())
    from jaxlib.mlir.dialects import stablehlo

    artifact = stablehlo.serialize_portable_artifact(lowered.compiler_ir("stablehlo"), "1.0.0")
    (FOLDER / "affine.mlirbc").write_bytes(artifact)
    for name, flags, *kept in DUMPS:
        with tempfile.TemporaryDirectory() as folder:
            flags = f"--xla_dump_to={folder} {flags}"
            subprocess.run([sys.executable, __file__, "run"], env={**os.environ, "XLA_FLAGS": flags}, check=True)
            shutil.rmtree(FOLDER / name, ignore_errors=True)
            (FOLDER / name).mkdir()
            for path in pathlib.Path(folder).glob("*jit_affine.*"):
                if any(part in path.name for part in kept):
                    shutil.copy(path, FOLDER / name)


if __name__ == "__main__":
    main()
