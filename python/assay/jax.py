"""Functions of JAX on the reference: `check` judges what JAX computes, `compare` another function on the same
arguments, and `exact` computes without errors.

>>> import jax.numpy as jnp, assay.jax                                # doctest: +SKIP
>>> print(assay.jax.check(jnp.tanh, jnp.float32(0.5)))                # doctest: +SKIP
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import inspect
import numbers
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.core import Tracer

from . import _program
from ._batch import BatchInvariance, batch_invariance
from ._devices import Devices, devices_of, once
from ._diff import compare as compare_modules
from ._diff import diff, judge, judging, with_places
from ._evaluate import evaluate, limits
from ._modules import output_places, text_of_lowered
from ._trace import Finding, trace
from .errors import Error
from .verdicts import Comparison

__all__ = ["batch_invariant", "check", "check_compiled", "compare", "exact", "first_nan", "parts_backend"]

# Excludes this package from the places of instructions, which are in the user's code.
with contextlib.suppress(ImportError, AttributeError):
    from jax._src import source_info_util

    source_info_util.register_exclusion(str(_program.PACKAGE))


@dataclasses.dataclass(frozen=True)
class Lowered:
    """A function, lowered for some arguments."""

    hlo: str
    hoisted: tuple[Any, ...]  # arrays that the function closes over and that the module takes as its first parameters
    kept: tuple[int, ...]  # the arguments that are parameters of the module
    devices: Devices

    def arguments(self, leaves: Sequence[Any]) -> list[np.ndarray]:
        """Returns the arguments of the module for those of the function."""
        return [as_numpy(leaf) for leaf in (*self.hoisted, *(leaves[i] for i in self.kept))]


def as_numpy(leaf: Any) -> np.ndarray:
    """Returns the elements of a leaf; for a typed random key the elements of its data."""
    if hasattr(leaf, "dtype") and jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    array = np.asarray(leaf)
    if array.dtype == jax.dtypes.float0:  # the derivative of an integer, which modules have as pred
        return np.zeros(array.shape, np.bool_)
    if isinstance(leaf, jax.Array):
        return array
    # Converts Python numbers, and 64-bit arrays without jax_enable_x64, as JAX does.
    return array.astype(jax.dtypes.canonicalize_dtype(array.dtype), copy=False)


def module_of(lowered: Any, leaves: int) -> Lowered:
    """Returns the module of the result of jit(f).lower(...); `leaves` is the number of arrays in the arguments."""
    compiled_by = getattr(getattr(lowered, "_lowering", None), "compile_args", {})
    hlo = text_of_lowered(lowered)
    kept = sorted(compiled_by.get("kept_var_idx", range(leaves)))
    hoisted = tuple(getattr(lowered._lowering, "const_args", None) or compiled_by.get("const_args") or ())
    # Hoisted arrays count as arguments.
    kept = [i - len(hoisted) for i in kept if i >= len(hoisted)] if hoisted else kept
    return Lowered(hlo, hoisted, tuple(kept), devices_of(lowered))


JITTED = type(jax.jit(lambda: None))
STAGES = (jax.stages.Lowered, jax.stages.Compiled, getattr(jax.stages, "Traced", jax.stages.Lowered))


@dataclasses.dataclass(frozen=True)
class Call:
    """A call of a function: what it gives to a jitted function, and the arguments of the compiled one."""

    function: Any  # has the method lower
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    static: frozenset[int]  # the places of static arguments, which the compiled function does not take
    dynamic: tuple[tuple[Any, ...], dict[str, Any]]  # the others

    def of_dynamic(self, dynamic: Sequence[Any], keywords: dict[str, Any]) -> Any:
        """Calls the function with other values of its dynamic arguments."""
        rest = iter(dynamic)
        args = (arg if i in self.static else next(rest) for i, arg in enumerate(self.args))
        return self.function(*args, **{**self.kwargs, **keywords})

    def lowered(self) -> Any:
        """Lowers the function for the arguments."""
        lowered = self.function.lower(*self.args, **self.kwargs)
        wanted, found = len(jax.tree_util.tree_leaves(self.dynamic)), lowered.in_tree.num_leaves
        if getattr(lowered, "_lowering", None) and lowered._lowering.compile_args.get("mut"):
            raise Error("unsupported", f"{name_of(self.function)} changes a mutable reference that it closes over: "
                                       "pass its value, and return the new one")  # fmt: skip
        if wanted != found:
            rule = (f"the static arguments of {name_of(self.function)} are not known: static_argnums and "
                    f"static_argnames must leave the {found} arrays that it takes, found {wanted}")  # fmt: skip
            raise Error("usage", rule)
        return lowered

    def places(self) -> list[tuple[str, Any]]:
        """Returns each leaf of the arguments with its place, such as "params['w']"."""
        try:
            names = list(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):
            names = []
        kept = [i for i in range(len(self.args)) if i not in self.static]
        by_name = {names[i] if i < len(names) else f"args[{i}]": value for i, value in zip(kept, self.dynamic[0])}
        return [(f"{name}{jax.tree_util.keystr(path)}", leaf) for name, value in {**by_name, **self.dynamic[1]}.items()
                for path, leaf in jax.tree_util.tree_flatten_with_path(value)[0]]  # fmt: skip

    def leaves(self) -> list[np.ndarray]:
        """Returns the arrays of the arguments. Raises Error for one that JAX does not take."""
        for place, leaf in self.places():
            if fault := fault_of(leaf):
                fault = fault.format(name=re.split("[.[]", place)[0])
                raise Error("usage", f"argument {place} of {name_of(self.function)} {fault}")
        return [as_numpy(leaf) for leaf in jax.tree_util.tree_leaves(self.dynamic)]


def call_of(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], static_argnums: int | Sequence[int],
            static_argnames: str | Sequence[str]) -> Call:  # fmt: skip
    """Returns the call of a function, jitted or not. A jitted function knows its own static arguments."""
    places = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    f, args = lowerable(f, args)
    function = f if hasattr(f, "lower") else jax.jit(f, static_argnums=places or None, static_argnames=names or None)
    state: Any = function.__getstate__() if isinstance(function, JITTED) else {}
    places, names = (*places, *state.get("static_argnums", ())), (*names, *state.get("static_argnames", ()))
    static = frozenset(i % len(args) for i in places if -len(args) <= i < len(args))
    dynamic = tuple(arg for i, arg in enumerate(args) if i not in static)
    keywords = {name: value for name, value in kwargs.items() if name not in names}
    return Call(function, args, kwargs, static, (dynamic, keywords))


def lowerable(f: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """Returns a function that JAX can lower, and its arguments. Raises Error if it is none."""
    if hasattr(f, "mlir_module_serialized"):  # jax.export
        return f.call, args
    if inspect.ismethod(f) and isinstance(f.__func__, JITTED):
        return f.__func__, (f.__self__, *args)
    if isinstance(f, STAGES):
        raise Error("usage", f"expected a function, found a jax.stages.{type(f).__name__}: pass the function itself, "
                             "or call assay.diff, which takes lowered and compiled modules")  # fmt: skip
    if not callable(f):
        raise Error("usage", f"expected a function of JAX before its arguments, found {type(f).__name__}")
    return f, args


def fault_of(leaf: Any) -> str:
    """Returns what is wrong with an array of the arguments, and the remedy; "" if JAX takes it. {name} stands for the
    parameter."""
    if isinstance(leaf, Tracer):
        return "is traced: call this function outside of jax.jit, vmap and grad"
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return "is a ShapeDtypeStruct, which has no elements: pass an array"
    if isinstance(leaf, jax.Array) and leaf.is_deleted():
        return "is deleted, because a call before has donated it: pass a copy"
    if type(leaf).__name__ in ("Ref", "MutableArray", "ArrayRef"):
        return "is a mutable reference: pass its value, ref[...]"
    if hasattr(leaf, "dtype") or hasattr(leaf, "__jax_array__") or isinstance(leaf, numbers.Number):
        return ""
    return f'is no array but a {type(leaf).__name__}: pass static_argnames="{{name}}", or an array'


def keywords_of(f: Callable[..., Any], kwargs: dict[str, Any] | None, named: dict[str, Any]) -> dict[str, Any]:
    """Returns the keyword arguments of a function. Raises TypeError for a name that is no parameter of it."""
    try:
        parameters = dict(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        parameters = {}
    for name in named:
        if name not in parameters or parameters[name].kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                                                   inspect.Parameter.KEYWORD_ONLY):  # fmt: skip
            raise TypeError(f"check() got an unexpected keyword argument {name!r}: expected an option of check or a "
                            f"parameter of {name_of(f)}; kwargs={{...}} takes any keyword arguments of it")
    return {**named, **(kwargs or {})}


def parts_backend() -> list[str] | None:
    """Returns the command of a peer that runs parts of modules like JAX in this process; None if there is none for its
    platform."""
    if jax.default_backend() != "cpu":
        return None
    return [sys.executable, str(_program.adapters() / "xla_adapter.py")]


def own_copy(leaf: Any) -> Any:
    """Returns a copy that the function may consume."""
    return jax.numpy.array(leaf, copy=True) if isinstance(leaf, jax.Array) else leaf


def check(f: Callable[..., Any], *args: Any, backend: str | Sequence[str] | None = None, profile: str | None = None,
          static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = (),
          kwargs: dict[str, Any] | None = None, seconds: float | None = None, memory: int | str | None = None,
          budget: float = 60, timeout: float = 600, **named: Any) -> Comparison:  # fmt: skip
    """Compares what JAX computes with the reference, and judges each difference.

    JAX compiles f for the arguments and runs it in this process; the reference evaluates the same module. The verdict
    lists the instructions whose results differ, each with its line in Python. With `backend`, a name or a command as in
    `assay.diff`, that backend runs the module instead of JAX. The default of `profile` is xla-cpu for JAX on the CPU,
    otherwise xla. `seconds`, `memory`, `budget` and `timeout` are those of `assay.diff`.

    f may be any function that jax.jit takes, jitted or not; its arguments may be pytrees. A keyword that is not an
    option must be a parameter of f; `kwargs` has further keyword arguments of f.
    """
    call = call_of(f, args, keywords_of(f, kwargs, named), static_argnums, static_argnames)
    options: dict[str, Any] = {"seconds": seconds, "memory": memory, "budget": budget, "timeout": timeout}
    judging(profile, **options)  # a wrong option is an error before anything runs
    leaves, lowered = call.leaves(), call.lowered()
    if not jax.tree_util.tree_leaves(lowered.out_info):
        raise Error("usage", f"{name_of(f)} returns no arrays: there is nothing to judge")
    if backend is not None:
        module = module_of(lowered, len(leaves))
        found = diff(module.hlo, *module.arguments(leaves), backend=backend, profile=profile, **options)
    else:
        # The compiled function may consume its arguments.
        dynamic, keywords = jax.tree_util.tree_map(own_copy, call.dynamic)
        results = lowered.compile()(*dynamic, **keywords)
        found = check_compiled(lowered, leaves, results, profile=profile, **options)
    return dataclasses.replace(with_places(found, output_places(lowered)), name=name_of(f))


def batch_invariant(f: Callable[[Any], Any], x: Any, axis: int = 0, profile: str | None = None) -> BatchInvariance:
    """Compares f(x) along an axis with f of each element alone: the same bits, a lawful difference, or a wrong result.

    f takes one array and returns arrays that have the axis too. JAX compiles it for the batch and for one element. If
    their bits differ, both results are judged as `check` does.
    """
    jitted: Any = f if hasattr(f, "lower") else jax.jit(f)
    without_errors = exact(f)

    def arrays_of(value: Any) -> list[np.ndarray]:
        return [as_numpy(leaf) for leaf in jax.tree_util.tree_leaves(jitted(value))]

    def exact_of(value: Any) -> list[np.ndarray]:
        return [as_numpy(leaf) for leaf in jax.tree_util.tree_leaves(without_errors(value))]

    if not jax.tree_util.all_leaves([x]) or not -np.ndim(x) <= axis < np.ndim(x):
        raise Error("usage", f"batch_invariant takes one array that has axis {axis}: take other arguments by "
                             "functools.partial or a lambda")  # fmt: skip
    places = output_places(jitted.lower(x))
    return batch_invariance(arrays_of, exact_of, lambda value: check(f, value, profile=profile), as_numpy(x),
                            axis % np.ndim(x), places)  # fmt: skip


def compare(f: Callable[..., Any], g: Callable[..., Any], *args: Any, profile: str | None = None,
            static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = (),
            kwargs: dict[str, Any] | None = None, seconds: float | None = None, memory: int | str | None = None,
            budget: float = 60, timeout: float = 600, **named: Any) -> Comparison:  # fmt: skip
    """Compares two functions on the same arguments: the results of g must be results that `profile` allows for f.

    The reference evaluates both; JAX only lowers them. The arrays of their results must be the same in number, types
    and shapes. The other arguments are those of `check`.
    """
    modules, places = [], None
    for function in (f, g):
        call = call_of(function, args, keywords_of(function, kwargs, named), static_argnums, static_argnames)
        lowered = jax.jit(call.of_dynamic, keep_unused=True).lower(*call.dynamic)
        module = module_of(lowered, len(call.leaves()))
        if module.hoisted:
            raise Error("unsupported", f"{name_of(function)} closes over arrays that JAX makes parameters: "
                                       "pass them as arguments")  # fmt: skip
        modules.append(module)
        places = places or output_places(lowered)
    found = compare_modules(modules[0].hlo, modules[1].hlo, *modules[0].arguments(call.leaves()), profile=profile,
                            seconds=seconds, memory=memory, budget=budget, timeout=timeout)  # fmt: skip
    return dataclasses.replace(with_places(found, places or ()), name=name_of(f), backend=name_of(g))


def check_compiled(lowered: Any, leaves: Any, results: Any, profile: str | None = None, *,
                   seconds: float | None = None, memory: int | str | None = None, budget: float = 60,
                   timeout: float = 600) -> Comparison:  # fmt: skip
    """Judges the arrays that a lowered function returned for the arrays of its arguments: lists of them, or pytrees."""
    leaves, results = jax.tree_util.tree_leaves(leaves), jax.tree_util.tree_leaves(results)
    module = module_of(lowered, len(leaves))
    platform = jax.default_backend()
    if profile is None:
        profile = "xla-cpu" if platform == "cpu" else "xla"
    name = f"JAX {jax.__version__} on {platform}"
    arguments = module.arguments(leaves)
    found = judge_results(module.hlo, module.devices, arguments, results, name, profile=profile, seconds=seconds,
                          memory=memory, budget=budget, timeout=timeout)  # fmt: skip
    return with_places(found, output_places(lowered))


def judge_results(hlo: str, devices: Devices, arguments: Sequence[np.ndarray], results: Sequence[Any], name: str,
                  **options: Any) -> Comparison:  # fmt: skip
    """Judges the results that a module's devices returned for these arguments, which are whole arrays."""
    arrays = [as_numpy(result) for result in results]
    if devices.count == 1:
        return by_jax(judge(hlo, arguments, arrays, parts_backend(), name, **options))
    replicas, partitions = devices.counts(hlo)
    count = replicas * partitions
    found = judge(hlo, [], devices.results(results, arrays, count), parts_backend(), name,
                  per_device=devices.arguments(arguments, count), replicas=replicas, partitions=partitions,
                  **options)  # fmt: skip
    return dataclasses.replace(by_jax(found), outputs=once(found.outputs, count))


def by_jax(found: Comparison) -> Comparison:
    """Returns the comparison of JAX's own results. The alias xla-cpu is JAX's CPU with a script for `assay.repro`."""
    return dataclasses.replace(found, peer="xla-cpu" if found.peer else None)


def diff_results(hlo: str, devices: Devices, arguments: Sequence[np.ndarray], backend: str | Sequence[str],
                 **options: Any) -> Comparison:  # fmt: skip
    """Compares a backend in the place of JAX with the reference, for arguments that are whole arrays."""
    if devices.count == 1:
        return diff(hlo, *arguments, backend=backend, **options)
    replicas, partitions = devices.counts(hlo)
    count = replicas * partitions
    found = diff(hlo, per_device=devices.arguments(arguments, count), replicas=replicas, partitions=partitions,
                 backend=backend, **options)  # fmt: skip
    return dataclasses.replace(found, outputs=once(found.outputs, count))


def name_of(f: Any) -> str:
    """Returns the name of a function in a comparison."""
    return str(getattr(f, "__qualname__", None) or getattr(getattr(f, "func", None), "__qualname__", type(f).__name__))


def first_nan(f: Callable[..., Any], *args: Any, static_argnums: int | Sequence[int] = (),
              static_argnames: str | Sequence[str] = (), kwargs: dict[str, Any] | None = None, event: str = "nan",
              seconds: float | None = None, memory: int | str | None = None) -> Finding | None:  # fmt: skip
    """Returns the instruction of a function that makes the first NaN for these arguments, with its line in Python and
    the iteration of its loop; None if there is no NaN.

    The reference evaluates the module that JAX lowers f to. An argument that holds a NaN is found first. `event` may be
    another one of `assay.trace`: "inf", "subnormal", "overflow" or "cancellation>2^10". The other arguments are those
    of `check`.
    """
    call = call_of(f, args, dict(kwargs or {}), static_argnums, static_argnames)
    leaves = call.leaves()
    module = module_of(call.lowered(), len(leaves))
    arrays = module.arguments(leaves)
    options: dict[str, Any] = {"events": [event], "seconds": seconds, "memory": memory}
    if module.devices.count == 1:
        return trace(module.hlo, per_device=[arrays], replicas=1, partitions=1, **options).first
    replicas, partitions = module.devices.counts(module.hlo)
    return trace(module.hlo, per_device=module.devices.arguments(arrays, replicas * partitions), replicas=replicas,
                 partitions=partitions, **options).first  # fmt: skip


def exact(f: Callable[..., Any], static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = (), *,
          seconds: float | None = None, memory: int | str | None = None) -> Callable[..., Any]:  # fmt: skip
    """Returns the function with exact semantics: the reference evaluates each operation exactly and rounds once.

    The returned function takes arrays and pytrees like f, also within jax.jit and jax.vmap, where it is a callback to
    the host. It has no derivative. `seconds` and `memory` limit it, as in `assay.evaluate`.
    """
    limits(seconds, memory)  # a wrong option is an error now

    @functools.wraps(f)
    def evaluated(*args: Any, **kwargs: Any) -> Any:
        call = call_of(f, args, kwargs, static_argnums, static_argnames)
        leaves = jax.tree_util.tree_leaves(call.dynamic)
        shapes, result = jax.tree_util.tree_flatten(jax.eval_shape(call.of_dynamic, *call.dynamic))
        # Lowered here, because a callback must not use JAX.
        lowered = jax.jit(call.of_dynamic).lower(*jax.eval_shape(lambda *values: values, *call.dynamic))
        module = module_of(lowered, len(leaves))

        def on_host(*values: Any) -> list[np.ndarray]:
            outputs = evaluate(module.hlo, *module.arguments(values), replicas=1, partitions=1,
                               seconds=seconds, memory=memory)  # fmt: skip
            listed = list(outputs) if isinstance(outputs, tuple) else [outputs]
            return [np.asarray(output).astype(shape.dtype, copy=False) for output, shape in zip(listed, shapes)]

        if not any(isinstance(leaf, Tracer) for leaf in leaves):
            outputs = [jax.numpy.asarray(output) for output in on_host(*leaves)]
        else:
            outputs = jax.pure_callback(on_host, shapes, *leaves, **one_by_one())
        return jax.tree_util.tree_unflatten(result, outputs)

    return evaluated


@functools.cache
def one_by_one() -> dict[str, Any]:
    """Returns the options with which jax.pure_callback calls back for each element of a batch."""
    return {"vmap_method": "sequential"} if "vmap_method" in inspect.signature(jax.pure_callback).parameters else {}
