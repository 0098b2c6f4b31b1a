

def is_nan(array, bits):
    """Returns whether a number of an array of expected.json is NaN."""
    if array["nan"] is None:
        return False
    mask, low, high = array["nan"]
    return low <= bits & mask <= high


def position(array, bits):
    """Returns the place of a number on the line of its type; -0 is before +0."""
    if array["magnitude"] is None:
        return bits
    magnitude = bits & array["magnitude"]
    return -magnitude - 1 if bits & array["sign_bit"] else magnitude


def is_accepted(array, number, want, got):
    """Returns whether the profile accepts a number, which is a part of an element."""
    if want == got or (is_nan(array, want) and is_nan(array, got)):
        return True
    ranges = array["accept"].get(str(number), [])
    if is_nan(array, got):
        return "nan" in ranges
    return any(pair != "nan" and pair[0] <= position(array, got) <= pair[1] for pair in ranges)


def wrong_elements(array, data):
    """Returns the numbers of the wrong elements, with their expected and actual bytes. `data` has the result's bytes."""
    wanted, size, parts = bytes.fromhex(array["data_hex"]), array["part_bytes"], array["parts"]
    if data == wanted:
        return []
    if len(data) != len(wanted):
        return [("all", f"{len(wanted)} bytes", f"{len(data)} bytes")]
    read = lambda text, i: int.from_bytes(text[i * size : (i + 1) * size], "little", signed=array["is_signed"])
    element = lambda text, i: text[i * size * parts : (i + 1) * size * parts]
    compared = range(len(wanted) // (size * parts)) if array["compared"] is None else array["compared"]
    return [(i, element(wanted, i).hex(), element(data, i).hex()) for i in compared
            if not all(is_accepted(array, n, read(wanted, n), read(data, n)) for n in range(i * parts, (i + 1) * parts))]


def wrong_in(outputs):
    """Returns a line for each wrong element of a run. `outputs` has the bytes of each array, device by device."""
    lines = []
    for device, (wanted, given) in enumerate(zip(EXPECTED, outputs)):
        for output, (array, data) in enumerate(zip(wanted, given)):
            name = f"output {output}" + (f" of device {device}" if len(EXPECTED) > 1 else "")
            lines += [f"{name}, element {i}: expected {want} got {got}" for i, want, got in wrong_elements(array, data)]
    return lines


def repeat(run, runs):
    """Runs the program several times; `run` returns the outputs. Prints what is wrong. Returns the exit code."""
    wrong = [lines for lines in (wrong_in(run()) for _ in range(runs)) if lines]
    for line in wrong[0][:8] if wrong else []:
        print(line)
    if wrong and len(wrong[0]) > 8:
        print(f"and {len(wrong[0]) - 8} more")
    print(f"wrong in {len(wrong)} of {runs} runs")
    return 1 if wrong else 0


# The results that are accepted, array by array (docs/reproducing.md of assay).
EXPECTED = json.loads((here / "expected.json").read_text(encoding="utf-8"))["outputs_per_device"]
