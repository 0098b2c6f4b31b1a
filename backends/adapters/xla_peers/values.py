"""Shapes and values of the process protocol (docs/process_protocol.md) as numpy arrays."""

import dataclasses
import math
import os
import re
import tempfile

import ml_dtypes
import numpy as np

FILE_BYTES = 1 << 16  # if the request used files, larger arrays of the reply do too
DTYPES = {
    "pred": np.bool_,
    "s2": ml_dtypes.int2, "s4": ml_dtypes.int4, "s8": np.int8, "s16": np.int16, "s32": np.int32, "s64": np.int64,
    "u2": ml_dtypes.uint2, "u4": ml_dtypes.uint4, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "c64": np.complex64, "c128": np.complex128,
    "f4e2m1fn": ml_dtypes.float4_e2m1fn,
    "f8e3m4": ml_dtypes.float8_e3m4, "f8e4m3": ml_dtypes.float8_e4m3, "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz, "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e5m2": ml_dtypes.float8_e5m2, "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "f8e8m0fnu": ml_dtypes.float8_e8m0fnu,
}  # fmt: skip


class Unsupported(Exception):
    """The module is valid, but this peer cannot run it."""


class BadRequest(Exception):
    """The request breaks the protocol."""


@dataclasses.dataclass(frozen=True)
class ArrayShape:
    """The shape of an array at the entry."""

    element_type: str
    dimensions: tuple[int, ...]  # bounds, if dynamic
    dynamic: tuple[int, ...] = ()  # numbers of dynamic dimensions

    def __str__(self):
        sizes = [f"<={size}" if number in self.dynamic else str(size) for number, size in enumerate(self.dimensions)]
        return f"{self.element_type}[{','.join(sizes)}]"

    def arrays(self):
        """Returns the arrays that represent this one in XLA: that of the bounds, and the run-time sizes."""
        return [ArrayShape(self.element_type, self.dimensions), *(ArrayShape("s32", ()) for _ in self.dynamic)]

    @property
    def dtype(self):
        """Returns the numpy type of the elements; raises Unsupported if there is none."""
        if self.element_type not in DTYPES:
            raise Unsupported(f"element type {self.element_type}")
        return np.dtype(DTYPES[self.element_type])


TOKEN = "token"


def shape_tree(shape):
    """Returns the tree of an XLA shape: ArrayShape, TOKEN, or a list for a tuple."""
    if shape.is_tuple():
        return [shape_tree(element) for element in shape.tuple_shapes()]
    if shape.is_token():
        return TOKEN
    if not shape.is_array():
        raise Unsupported("an opaque or buffer value at the entry")
    # Parses the text, because jaxlib's enum lacks some types that its shapes have.
    element_type, sizes = re.search(r"(\w+)\[([^\]]*)\]", str(shape)).groups()
    if "?" in sizes:
        raise Unsupported("an unbounded dimension at the entry")
    listed = sizes.split(",") if sizes else []
    dynamic = [number for number, size in enumerate(listed) if size.startswith("<=")]
    return ArrayShape(element_type, tuple(int(size.removeprefix("<=")) for size in listed), tuple(dynamic))


def decode(value, tree):
    """Returns the numpy arrays of a value's leaves, in order. Tokens have no data and are omitted."""
    if not isinstance(value, dict):
        raise BadRequest(f"expected a value of shape {tree}")
    if isinstance(tree, list):
        elements = value.get("tuple")
        if not isinstance(elements, list) or len(elements) != len(tree):
            raise BadRequest(f"expected a tuple of {len(tree)} elements")
        return [array for element, subtree in zip(elements, tree) for array in decode(element, subtree)]
    if tree == TOKEN:
        if value.get("token") is not True:
            raise BadRequest("expected a token")
        return []
    sizes = run_time_sizes(str(value.get("shape")), tree)
    if "data_file" in value:
        with open(value["data_file"], "rb") as file:
            data = file.read()
    else:
        data = bytes.fromhex(value["data_hex"])
    expected = math.prod(sizes) * tree.dtype.itemsize
    if len(data) != expected:
        raise BadRequest(f"{value['shape']} takes {expected} bytes, got {len(data)}")
    array = np.frombuffer(data, tree.dtype).reshape(sizes)
    if not tree.dynamic:
        return [array]
    whole = np.zeros(tree.dimensions, tree.dtype)
    whole[tuple(map(slice, sizes))] = array
    return [whole, *(np.array(sizes[number], np.int32) for number in tree.dynamic)]


def run_time_sizes(shape, declared):
    """Returns the sizes of a value's shape, which may be below the declared bounds."""
    found = re.fullmatch(r"(\w+)\[([\d,<=]*)\](\{.*\})?", shape)
    sizes = [int(size.removeprefix("<=")) for size in found.group(2).split(",") if size] if found else []
    fits = found and found.group(1) == declared.element_type and len(sizes) == len(declared.dimensions)
    if not fits or not all(
        size == whole or number in declared.dynamic and size < whole
        for number, (size, whole) in enumerate(zip(sizes, declared.dimensions))
    ):
        raise BadRequest(f"expected an array of shape {declared}, got {shape}")
    return sizes


def array_bytes(array, shape):
    """Returns the bytes of Array JSON. XLA:CPU may return an array of another type with the declared width."""
    if array.dtype in (np.dtype(ml_dtypes.int2), np.dtype(ml_dtypes.int4)):
        array = array.astype(np.int8)
    elif array.dtype in (np.dtype(ml_dtypes.uint2), np.dtype(ml_dtypes.uint4)):
        array = array.astype(np.uint8)
    if array.shape != shape.dimensions or array.dtype.itemsize != shape.dtype.itemsize:
        raise RuntimeError(f"the declared result is {shape}, the backend returned {array.dtype}{list(array.shape)}")
    return np.ascontiguousarray(array).tobytes()


def encode(arrays, tree, folder):
    """Returns the value of a tree, with array leaves from the iterator `arrays`. Large ones go to files in
    `folder`."""
    if isinstance(tree, list):
        return {"tuple": [encode(arrays, element, folder) for element in tree]}
    if tree == TOKEN:
        return {"token": True}
    array, shape = next(arrays), tree
    if tree.dynamic:
        sizes = list(tree.dimensions)
        for number in tree.dynamic:
            sizes[number] = int(next(arrays))
        array, shape = array[tuple(map(slice, sizes))], ArrayShape(tree.element_type, tuple(sizes))
    data = array_bytes(array, shape)
    if folder and len(data) > FILE_BYTES:
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".result", delete=False) as file:
            file.write(data)
        return {"shape": str(shape), "data_file": file.name}
    return {"shape": str(shape), "data_hex": data.hex()}


def data_folder(value):
    """Returns the folder of the first data file in a request's inputs, or None. The client empties the folder."""
    if isinstance(value, dict):
        if "data_file" in value:
            return os.path.dirname(value["data_file"])
        value = value.get("tuple", [])
    if isinstance(value, list):
        return next(filter(None, map(data_folder, value)), None)
    return None
