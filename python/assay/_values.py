"""Converts between NumPy arrays and values of the process protocol (docs/process_protocol.md)."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import mmap
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .errors import Error

# Smaller arrays are part of the request itself.
FILE_BYTES = 1 << 15

NATIVE = {
    "pred": np.bool_, "s8": np.int8, "s16": np.int16, "s32": np.int32, "s64": np.int64, "u8": np.uint8,
    "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "c64": np.complex64, "c128": np.complex128,
}  # fmt: skip
# ml_dtypes has the other types: s4 as int4, bf16 as bfloat16, f8e4m3fn as float8_e4m3fn.
NARROW = {"s": "int", "u": "uint", "bf": "bfloat", "f": "float"}
# Types with fewer bits than their byte. Signed ones are sign-extended in the protocol.
WITHIN_A_BYTE = {"s1": np.int8, "s2": np.int8, "s4": np.int8, "u1": np.uint8, "u2": np.uint8, "u4": np.uint8}

ARRAY = re.compile(r"(\w+)\[([\d,<=]*)\]")
COMMENT = re.compile(r"/\*.*?\*/")  # /*index=5*/ before every fifth element of a tuple


@functools.cache
def dtype_of(element_type: str) -> np.dtype:
    """Returns the dtype of an element type. ml_dtypes has the types that NumPy lacks."""
    if element_type in NATIVE:
        return np.dtype(NATIVE[element_type])
    try:
        import ml_dtypes
    except ImportError as error:
        raise Error("unsupported", f"arrays of {element_type} need the package ml_dtypes") from error
    found = re.fullmatch(r"(s|u|bf|f)(\d+)(e\w+)?", element_type)
    name = f"{NARROW[found[1]]}{found[2]}{'_' if found[3] else ''}{found[3] or ''}" if found else ""
    if not hasattr(ml_dtypes, name):
        raise Error("unsupported", f"ml_dtypes {ml_dtypes.__version__} has no type for {element_type}")
    found_type: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
    return found_type


@functools.cache
def element_type_of(dtype: np.dtype) -> str:
    """Returns the element type of a dtype."""
    for name, native in NATIVE.items():
        if dtype == np.dtype(native):
            return name
    found = re.fullmatch(r"(int|uint|bfloat|float)(\d+)(?:_(e\w+))?", dtype.name)
    if found and dtype.type.__module__ == "ml_dtypes":
        prefix = next(short for short, name in NARROW.items() if name == found[1])
        return f"{prefix}{found[2]}{found[3] or ''}"
    raise Error("input", f"no element type has the dtype {dtype}")


def shape_of(array: np.ndarray) -> str:
    """Returns the shape in HLO text: f32[2,3]."""
    return f"{element_type_of(array.dtype)}[{','.join(map(str, array.shape))}]"


def parts_of(arrays: Iterable[np.ndarray]) -> Iterator[str | bytes]:
    """Yields the types, shapes and bytes of arrays: equal arrays have equal parts."""
    for array in arrays:
        yield f"{array.dtype}{array.shape}"
        yield np.ascontiguousarray(array).tobytes()


def parsed_shape(text: str) -> tuple[str, list[str]]:
    """Returns the element type and the sizes, such as "3" and "<=4", of an array's shape."""
    found = ARRAY.match(text)
    if not found:
        raise Error("input", f"expected the shape of an array, found {text}")
    return found[1], found[2].split(",") if found[2] else []


def fitted(argument: Any, parameter: str, name: object) -> Any:
    """Returns the argument as an array of the parameter's shape; a tuple for a tuple, None for a token.

    An argument without a dtype, such as a list of numbers, gets the dtype of the parameter.
    """
    if parameter.startswith("("):
        parts = split_tuple(parameter)
        if not isinstance(argument, (tuple, list)) or len(argument) != len(parts):
            raise Error("input", f"{name} must be a tuple of {len(parts)} values for {parameter}")
        return tuple(fitted(part, shape, f"{name}[{i}]") for i, (part, shape) in enumerate(zip(argument, parts)))
    if parameter.startswith("token"):
        return None
    sizes = parsed_shape(parameter)[1]
    array, dtype = as_array(argument, parameter, name)
    fits = array.dtype == dtype and array.ndim == len(sizes)
    if not fits or not all(
        found <= int(size[2:]) if size.startswith("<=") else found == int(size)
        for found, size in zip(array.shape, sizes)
    ):
        found = f"{array.dtype}{list(array.shape)}"
        raise Error("input", f"{name} must be {parameter} (dtype {dtype}), found {found}")
    return array


def as_array(argument: Any, parameter: str, name: object) -> tuple[np.ndarray, np.dtype]:
    """Returns the argument as an array, and the parameter's dtype, which an argument without a dtype gets."""
    dtype = dtype_of(parsed_shape(parameter)[0])
    try:
        return np.asarray(argument) if hasattr(argument, "dtype") else np.asarray(argument, dtype=dtype), dtype
    except (TypeError, ValueError, OverflowError) as error:
        raise Error("input", f"{name} cannot be an array of {parameter}: {error}") from error


def split_tuple(shape: str) -> list[str]:
    """Returns the elements of the shape of a tuple, "(f32[2], (s32[], token[]))"."""
    shape = COMMENT.sub("", shape)
    parts, depth, start = [], 0, 1
    for i, c in enumerate(shape):
        depth += (c in "([{") - (c in ")]}")
        if (c == "," and depth == 1) or depth == 0:
            parts.append(shape[start:i].strip())
            start = i + 1
    return [part for part in parts if part]


class SpareFile:
    """A file with the elements of one array. Writing it again reuses its pages, which saves most of the time."""

    def __init__(self, path: str, size: int):
        self.path, self.size = path, size
        self.pages: np.ndarray | None = None  # mapped at its second use

    def write(self, elements: np.ndarray) -> None:
        """Writes the bytes into the file. Their number must be the file's size."""
        if os.path.exists(self.path):
            if self.pages is None:
                with open(self.path, "r+b") as file:
                    flags = mmap.MAP_SHARED | getattr(mmap, "MAP_POPULATE", 0)
                    self.pages = np.frombuffer(mmap.mmap(file.fileno(), self.size, flags=flags), np.uint8)
            np.copyto(self.pages, elements)
            return
        with open(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb", buffering=0) as file:
            rest = elements.data
            while rest:
                rest = rest[file.write(rest) or 0 :]

    def remove(self) -> None:
        """Removes the file."""
        with contextlib.suppress(OSError):
            os.unlink(self.path)


class SpareFiles:
    """Files that are no longer in use, for the next arrays of the same sizes."""

    MOST_BYTES = 1 << 29

    def __init__(self) -> None:
        self.files: list[SpareFile] = []
        self.numbers = itertools.count()

    def take(self, folder: str, size: int) -> SpareFile:
        """Returns a spare file of the size, or a new one."""
        for i, file in enumerate(self.files):
            if file.size == size:
                return self.files.pop(i)
        return SpareFile(os.path.join(folder, f"input-{next(self.numbers)}"), size)

    def add(self, file: SpareFile) -> None:
        """Keeps a file. Removes the oldest files if all together have too many bytes."""
        self.files.append(file)
        while sum(one.size for one in self.files) > self.MOST_BYTES:
            self.files.pop(0).remove()


class Writer:
    """Makes the JSON of values. Large arrays go to files in a folder, which become spare files at the end."""

    def __init__(self, folder: str, spare: SpareFiles | None = None, inline: bool = False):
        self.folder = folder
        self.least = sys.maxsize if inline else FILE_BYTES  # bytes of an array that goes to a file
        self.spare = spare or SpareFiles()
        self.files: list[SpareFile] = []
        self.known: dict[int, dict[str, Any]] = {}  # by the array: devices with the same array share its file

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self.files:
            self.spare.add(file)

    def value(self, value: Any) -> dict[str, Any]:
        """Returns the JSON of an array, of a tuple of values, or of None, which is a token."""
        if value is None:
            return {"token": True}
        if isinstance(value, tuple):
            return {"tuple": [self.value(part) for part in value]}
        if id(value) not in self.known:
            self.known[id(value)] = self.array(value)
        return self.known[id(value)]

    def devices(self, devices: Sequence[Sequence[Any]]) -> list[list[dict[str, Any]]]:
        """Returns the inputs of a request."""
        return [[self.value(value) for value in values] for values in devices]

    def array(self, array: np.ndarray) -> dict[str, Any]:
        """Returns the JSON of an array."""
        shape = shape_of(array)
        kind = WITHIN_A_BYTE.get(element_type_of(array.dtype), array.dtype)
        stored = np.ascontiguousarray(array.astype(kind, copy=False))
        if stored.nbytes < self.least:
            return {"shape": shape, "data_hex": stored.tobytes().hex()}
        file = self.spare.take(self.folder, stored.nbytes)
        try:
            file.write(stored.reshape(-1).view(np.uint8))
        except BaseException:
            file.remove()  # it may be short: accessing its mapping would end the process
            raise
        self.files.append(file)
        return {"shape": shape, "data_file": file.path}


def decoded(value: dict[str, Any]) -> Any:
    """Returns the array of a value; a tuple for a tuple, None for a token. Removes files; the array maps their
    pages."""
    if "tuple" in value:
        return tuple(decoded(part) for part in value["tuple"])
    if "token" in value:
        return None
    element_type, listed = parsed_shape(value["shape"])
    dtype, sizes = dtype_of(element_type), [int(size) for size in listed]
    stored = np.dtype(WITHIN_A_BYTE.get(element_type, dtype))
    if "data_file" in value:
        with open(value["data_file"], "r+b") as file:
            pages = mmap.mmap(file.fileno(), math.prod(sizes) * stored.itemsize)
        os.unlink(value["data_file"])
        array = np.frombuffer(pages, stored)
    else:
        array = np.frombuffer(bytearray.fromhex(value["data_hex"]), stored)
    return array.reshape(sizes) if stored == dtype else array.reshape(sizes).astype(dtype)
