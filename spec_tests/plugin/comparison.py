"""Results on assay beside XLA:CPU's."""

import jax
import numpy as np


def same(got, want):
    """Fails unless two arrays have the same type, shape and bits."""
    got, want = np.asarray(got), np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape), (got.dtype, got.shape, want.dtype, want.shape)
    if got.dtype.name in ("int2", "int4"):  # ml_dtypes leaves the rest of a byte open
        got, want = got.astype(np.int8), want.astype(np.int8)
    assert got.tobytes() == want.tobytes(), (got, want)


def on_cpu(function, *args):
    """Returns what XLA:CPU computes."""
    with jax.default_device(jax.devices("cpu")[0]):
        return jax.tree.map(np.asarray, function(*jax.tree.map(np.asarray, args)))


def close(function, *args, bound=1e-5):
    """Fails unless the results differ from XLA:CPU's by less than the bound, relative to the largest number."""
    got, want = function(*args), on_cpu(function, *args)
    for ours, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        assert next(iter(ours.devices())).platform == "assay"
        ours = np.asarray(ours)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        error = np.max(np.abs(ours - theirs), initial=0) / max(np.max(np.abs(theirs), initial=0), 1e-30)
        assert error < bound, (error, ours, theirs)


def refused(function, *args, reason):
    """Fails unless a call raises an exception with this reason."""
    try:
        jax.block_until_ready(function(*args))
    except Exception as error:
        assert reason in str(error), error
    else:
        raise AssertionError(f"there was no error: {reason}")
