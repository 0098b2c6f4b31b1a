"""The wire format of protocol buffers, read."""


def fields_of(data):
    """Yields the fields of a serialized message: numbers with integers or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at : at + value], at + value
        yield key >> 3, value


def varint(data, at):
    value, shift = 0, 0
    while True:
        value, shift, at = value | (data[at] & 127) << shift, shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def first(data, number, default=b""):
    """Returns the first field of a number."""
    return next((value for found, value in fields_of(data) if found == number), default)
