"""The messages in which XLA dumps modules and their arguments, read off the wire format of protocol buffers.

jaxlib reads a serialized HloModuleProto and nothing around it. HloProto, HloSnapshot and HloUnoptimizedSnapshot hold
one, and the latter two the arguments of a run. Numbers of fields are those of xla/service/hlo.proto and
xla/xla_data.proto. The file of an HloUnoptimizedSnapshot is the length of that message, the message, and the arguments
as literals serialize themselves: the length of a ShapeProto in eight bytes, the ShapeProto, and packed elements.
"""

import math

import numpy as np

from .values import DTYPES, ArrayShape

# By PrimitiveType: the name, the field of LiteralProto with the elements, and how that field has them.
ELEMENT_TYPES = {
    1: ("pred", 2, "varint"), 2: ("s8", 15, "bytes"), 3: ("s16", 17, "bytes"), 4: ("s32", 4, "varint"),
    5: ("s64", 5, "varint"), 6: ("u8", 3, "bytes"), 7: ("u16", 16, "bytes"), 8: ("u32", 6, "varint"),
    9: ("u64", 7, "varint"), 10: ("f16", 11, "bytes"), 11: ("f32", 8, "bytes"), 12: ("f64", 9, "bytes"),
    15: ("c64", 12, "bytes"), 16: ("bf16", 13, "bytes"), 18: ("c128", 18, "bytes"), 19: ("f8e5m2", 19, "bytes"),
    20: ("f8e4m3fn", 20, "bytes"), 21: ("s4", 21, "bytes"), 22: ("u4", 22, "bytes"),
    23: ("f8e4m3b11fnuz", 23, "bytes"), 24: ("f8e5m2fnuz", 24, "bytes"), 25: ("f8e4m3fnuz", 25, "bytes"),
    26: ("s2", 26, "bytes"), 27: ("u2", 27, "bytes"), 28: ("f8e4m3", 28, "bytes"), 29: ("f8e3m4", 29, "bytes"),
    32: ("f4e2m1fn", 32, "bytes"), 33: ("f8e8m0fnu", 33, "bytes"),
}  # fmt: skip
TUPLE, TOKEN = 13, 17
NARROW = {"pred": 1, "s2": 2, "u2": 2, "s4": 4, "u4": 4, "f4e2m1fn": 4}  # bits of an element


class Damaged(Exception):
    """The bytes are no such message."""


class Message:
    """The fields of a message by number: integers, or bytes."""

    def __init__(self, data):
        self.fields, at = {}, 0
        while at < len(data):
            key, at = varint(data, at)
            number, kind = key >> 3, key & 7
            if kind == 0:
                value, at = varint(data, at)
            else:
                size, at = {1: (8, at), 5: (4, at)}.get(kind) or varint(data, at) if kind in (1, 2, 5) else (-1, at)
                value, at = data[at : at + size], at + size
                if size < 0 or at > len(data):
                    raise Damaged(f"the message is cut off or damaged at byte {min(at, len(data))}")
            self.fields.setdefault(number, []).append(value)

    def bytes(self, number):
        """All of a field's values that are bytes."""
        return [value for value in self.fields.get(number, ()) if isinstance(value, bytes)]

    def messages(self, number):
        """All of a field's values as messages."""
        return [Message(value) for value in self.bytes(number)]

    def integers(self, number):
        """All of a field's values, whether they stand alone or packed."""
        found = []
        for value in self.fields.get(number, ()):
            found += [value] if isinstance(value, int) else varints(value)
        return found


def varint(data, at):
    """The number of variable length that begins at a byte, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise Damaged(f"the message is cut off at byte {at}")
        byte = data[at]
        value, at = value | (byte & 127) << shift, at + 1
        if byte < 128:
            return value, at
    raise Damaged(f"the message is damaged before byte {at}")


def varints(data):
    """All numbers in a packed field."""
    found, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found


def is_module(message):
    """Whether it is an HloModuleProto: the name of its entry is that of one of its computations."""
    entry = message.bytes(2)
    try:
        return bool(entry) and any(computation.bytes(1) == entry[:1] for computation in message.messages(3))
    except Damaged:
        return False


def module_and_inputs(data):
    """The HloModuleProto in the bytes of any of the four messages, serialized, and a list of the arguments of each
    device, as values of Array JSON; None where it has none."""
    for read in (unoptimized_snapshot, other_message):
        try:
            if found := read(data):
                return found
        except Damaged as error:
            reason = error
    raise reason


def unoptimized_snapshot(data):
    """Of the file of an HloUnoptimizedSnapshot; None for another one."""
    size, start = varint(data, 0)
    message = Message(data[start : start + size])
    modules, at = [proto for proto in message.bytes(1) if is_module(Message(proto))], start + size
    if not modules:
        return None
    devices = []
    for partition in message.messages(2):
        devices.append([])
        for descriptor in partition.messages(2):
            (size,) = descriptor.integers(2)
            devices[-1].append(stored_literal(data[at : at + size]))
            at += size
    return modules[0], devices or None


def other_message(data):
    """Of one of the other three."""
    message = Message(data)
    if is_module(message):
        return data, None
    for proto in message.bytes(1):
        held = Message(proto)
        if is_module(held):
            return proto, None
        if held.bytes(1) and is_module(Message(held.bytes(1)[0])):
            return held.bytes(1)[0], [[literal(argument) for argument in message.bytes(2)]]
    raise Damaged("it is no HloModuleProto, HloProto, HloSnapshot or HloUnoptimizedSnapshot")


def literal(data):
    """A LiteralProto as a value of Array JSON."""
    message = Message(data)
    (shape,) = message.messages(1)
    (element_type,) = shape.integers(2)
    if element_type == TUPLE:
        return {"tuple": [literal(element) for element in message.bytes(10)]}
    if element_type == TOKEN:
        return {"token": True}
    name, number, form = type_of(element_type)
    if form == "bytes":
        return value(name, shape, np.frombuffer(b"".join(message.bytes(number)), np.uint8))
    width = np.dtype(DTYPES[name]).itemsize
    elements = [element & (1 << 8 * width) - 1 for element in message.integers(number)]
    return value(name, shape, np.array(elements, f"u{width}"))


def stored_literal(data):
    """A literal as it serializes itself, as a value of Array JSON."""
    size = int.from_bytes(data[:8], "little")
    shape, elements = Message(data[8 : 8 + size]), np.frombuffer(data[8 + size :], np.uint8)
    name, _, _ = type_of(*shape.integers(2))
    if bits := NARROW.get(name):  # the first element lowest; the last byte may not be full
        elements = np.stack([elements >> shift for shift in range(0, 8, bits)], -1).reshape(-1)
        elements = elements[: math.prod(shape.integers(3))]
    return value(name, shape, elements)


def type_of(number):
    """The row of ELEMENT_TYPES."""
    if number not in ELEMENT_TYPES:
        raise Damaged(f"an argument has the element type {number}, which is unknown here")
    return ELEMENT_TYPES[number]


def value(name, shape, stored):
    """The elements of an array in the order of its layout, as a value of Array JSON."""
    if bits := NARROW.get(name):  # what a byte has above them is open
        stored = stored & (1 << bits) - 1
        if name.startswith("s"):
            stored = np.where(stored >> bits - 1, stored | 256 - (1 << bits), stored).astype(np.uint8)
    sizes = shape.integers(3)
    order = [size for layout in shape.messages(5) for size in layout.integers(1)][::-1] or list(range(len(sizes)))
    try:
        in_memory = stored.view(DTYPES[name]).reshape([sizes[dimension] for dimension in order])
        array = in_memory.transpose([order.index(dimension) for dimension in range(len(sizes))])
    except (ValueError, IndexError) as error:
        raise Damaged(f"an argument of {name}{sizes} has {stored.nbytes} bytes") from error
    return {"shape": str(ArrayShape(name, tuple(sizes))), "data_hex": np.ascontiguousarray(array).tobytes().hex()}
