"""The devices that take part in a collective: the table of docs/ops/all-reduce.md, for the tests of the pages."""

COLLECTIVES = {
    "all-gather", "all-gather-start", "all-reduce", "all-reduce-start", "all-to-all", "collective-broadcast",
    "collective-permute", "collective-permute-start", "collective-reduce", "ragged-all-to-all", "reduce-scatter",
}  # fmt: skip
# With a channel, the numbers in the groups of these are partitions; in those of the others, replicas.
AMONG_PARTITIONS = {
    "all-to-all", "collective-broadcast", "collective-permute", "collective-permute-start", "ragged-all-to-all",
}  # fmt: skip


def group(opcode, attributes, devices, me):
    """Returns the devices of the running device's group in order, by their place in `devices`; empty where it is in
    none."""
    replica, partition = devices[me]
    has_channel = attributes.get("channel_id") is not None
    if attributes.get("use_global_device_ids"):
        numbers, own = [[d] for d in range(len(devices))], me
    elif has_channel and opcode in AMONG_PARTITIONS:
        numbers, own = members(devices, lambda r, p: p if r == replica else None), partition
    elif has_channel:
        numbers, own = members(devices, lambda r, p: r), replica
    else:
        numbers, own = members(devices, lambda r, p: r if p == partition else None), replica
    # A permutation is among all of them.
    groups = attributes.get("replica_groups") or [list(range(len(numbers)))]
    return [d for ids in groups if own in ids for i in ids for d in numbers[i]]


def members(devices, number_of):
    """For each number, the devices that have it."""
    found = {}
    for place, (replica, partition) in enumerate(devices):
        number = number_of(replica, partition)
        if number is not None:
            found.setdefault(number, []).append(place)
    return [found[number] for number in sorted(found)]
