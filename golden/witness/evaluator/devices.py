"""Collectives: the entry runs on all devices at once, one instruction after the other."""

import fractions
import re

import numpy as np

from golden.witness.arrays import Array, one_or_tuple
from golden.witness.element_types import DTYPES
from golden.witness.evaluator.evaluator import Evaluator
from golden.witness.evaluator.folds import scalar
from golden.witness.evaluator.integers import integers
from golden.witness.evaluator.movement import clamped_starts
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.hlo.module import by_device, grid_of


def groups_in(text):
    """Returns the groups of an attribute like {0,1},{2,3}."""
    return [[int(n) for n in re.findall(r"-?\d+", group)] for group in re.findall(r"\{([\d,\s]*)\}", text or "")]


def meets_devices(text):
    """True if a module has an op for several devices, even if a group has only one."""
    ops = set(re.findall(r" ([a-z-]+)\(", text))
    return any(op.removesuffix("-start") in {*COLLECTIVES, *TRANSFERS} for op in ops)


class Devices(Evaluator):
    """An evaluator of all devices in lockstep: they enter a loop together, and leave it together.

    In the rules, `brought` are the operands of each device of the group, `k` is the index of the device in the group
    (None outside of all groups), and `own` are its own operands.
    """

    def __init__(self, text):
        super().__init__(text)
        self.replicas, self.partitions = grid_of(text)
        self.devices = [divmod(d, self.partitions) for d in range(self.replicas * self.partitions)]
        self.text = text
        self.from_host, self.to_host = ([[] for _ in self.devices] for _ in range(2))
        self.on_the_way = {}  # by channel: the values that each device has sent

    def run(self, arguments):
        """Returns the results of all devices, concatenated."""
        return self.walk(self.module.entry, by_device(self.text, arguments))

    def walk(self, name, arguments):
        """Returns the results of a computation, for a list of arguments for each device."""
        values = [{} for _ in self.devices]
        for instruction in self.module.computations[name]:
            op = instruction.opcode
            rule = COLLECTIVES.get(op.removesuffix("-start"))
            if op.removesuffix("-done") in COLLECTIVES and rule is None:
                results = [v[instruction.operand_names()[0]] for v in values]
            elif rule:
                operands = [[v[name] for name in instruction.operand_names()] for v in values]
                results = [self.collective(instruction, rule, operands, d) for d in range(len(self.devices))]
            elif op in TRANSFERS:
                operands = [[v[name] for name in instruction.operand_names()] for v in values]
                results = TRANSFERS[op](self, instruction, operands)
            elif op == "while":
                results = self.loop(instruction, [v[instruction.operand_names()[0]] for v in values])
            else:
                results = []
                for self.device, (v, a) in enumerate(zip(values, arguments)):
                    results.append(self.evaluate(instruction, v, a))
            for v, result in zip(values, results):
                v[instruction.name] = result
            if instruction.is_root:
                root = results
        return root

    def loop(self, instruction, states):
        """Runs a while loop on all devices."""
        while True:
            goes_on = {bool(c.values) for c in self.walk(instruction.text("condition"), [[s] for s in states])}
            if len(goes_on) > 1:
                raise NotDerived("devices that leave a loop apart")
            if not goes_on.pop():
                return states
            states = self.walk(instruction.text("body"), [[s] for s in states])

    def evaluate(self, instruction, values, arguments):
        """Evaluates as on one device, except for the device's ids."""
        if instruction.opcode in ("replica-id", "partition-id"):
            which = instruction.opcode == "partition-id"
            return Array("u32", np.array(self.devices[self.device][which], np.uint32))
        return super().evaluate(instruction, values, arguments)

    def collective(self, instruction, rule, operands, me):
        """Returns the result of a collective on the device `me`."""
        if instruction.opcode.startswith("collective-permute"):
            return permute(self, instruction, operands, me)
        group = self.group_of(instruction, me)
        brought = [operands[d] for d in group]
        result = rule(self, instruction, brought, group.index(me) if group else None, operands[me])
        return one_or_tuple(result) if isinstance(result, list) else result

    def group_of(self, instruction, me):
        """Returns the devices in the group of `me`, in order; none if no group contains it."""
        replica, partition = self.devices[me]
        has_channel = instruction.text("channel_id") is not None
        is_flat = instruction.text("use_global_device_ids") == "true"
        r_count, p_count = self.replicas, self.partitions
        if is_flat:
            own, count, members = me, r_count * p_count, lambda ids: ids
        elif not has_channel:
            own, count, members = replica, r_count, lambda ids: [r * p_count + partition for r in ids]
        elif instruction.opcode in ("all-to-all", "collective-broadcast", "ragged-all-to-all"):
            own, count, members = partition, p_count, lambda ids: [replica * p_count + p for p in ids]
        else:
            own, count, members = replica, r_count, lambda ids: [r * p_count + p for r in ids for p in range(p_count)]
        groups = groups_in((instruction.text("replica_groups") or "").removeprefix("{").removesuffix("}"))
        for group in groups or [list(range(count))]:
            if own in group:
                return members(group)
        return []


def dimension(instruction):
    """Returns the single dimension of an attribute."""
    return int(re.search(r"\d+", instruction.text("dimensions")).group())


def all_reduce(devices, instruction, brought, k, own):
    """Folds the operands of the group."""
    reducer = instruction.text("to_apply")
    results = []
    for i, first in enumerate(brought[0]):
        out = np.zeros(first.values.shape, DTYPES[first.type])
        for index in np.ndindex(*out.shape):
            rows = [[scalar(part[i], index)] for part in brought]
            out[index] = devices.fold(reducer, rows[0], rows[1:])[0].values
        results.append(Array(first.type, out))
    return results


def all_gather(devices, instruction, brought, k, own):
    """Concatenates the operands of the group."""
    d = dimension(instruction)
    return [Array(a.type, np.concatenate([part[i].values for part in brought], d)) for i, a in enumerate(own)]


def reduce_scatter(devices, instruction, brought, k, own):
    """Returns the device's own part of the fold."""
    d = dimension(instruction)
    return [Array(a.type, np.split(a.values, len(brought), d)[k])
            for a in all_reduce(devices, instruction, brought, k, own)]


def all_to_all(devices, instruction, brought, k, own):
    """Returns the device's part of each operand: a tuple, or concatenated along the dimension."""
    if instruction.text("dimensions") is None:
        return [part[k] for part in brought]
    d = dimension(instruction)
    blocks = [np.split(part[0].values, len(brought), d)[k] for part in brought]
    return [Array(own[0].type, np.concatenate(blocks, d))]


def zeros_like(array):
    """Returns zeros of the array's shape."""
    return Array(array.type, np.zeros_like(array.values))


def broadcast(devices, instruction, brought, k, own):
    """Returns the operand of the first device of the group; zeros for devices in no group."""
    return brought[0] if brought else [zeros_like(a) for a in own]


def collective_reduce(devices, instruction, brought, k, own):
    """Returns the fold for one device of the group; the others keep their operands."""
    roots = [0] * len(own)
    if instruction.flag("has_dynamic_root"):  # The last operand of the first device is the root for each of the others.
        roots = [int(v) for v in brought[0][-1].values] if brought else roots
        brought, own = [part[:-1] for part in brought], own[:-1]
    if k not in roots:
        return own
    folds = all_reduce(devices, instruction, brought, k, own)
    return [fold if k == root else kept for fold, kept, root in zip(folds, own, roots)]


def permute(devices, instruction, operands, me):
    """Returns the operands of the device that sends to this one; zeros if none does."""
    sent = senders_to(devices, instruction, me)
    if instruction.text("slice_sizes") is not None:
        return permute_in_place(instruction, [(operands[sender], number) for sender, number in sent], operands[me])
    results = operands[sent[0][0]] if sent else [zeros_like(a) for a in operands[me]]
    return one_or_tuple(results)


def senders_to(devices, instruction, me):
    """Returns the devices that send to this one, each with the part of the pairs, from 0 to 1, that precede its own."""
    replica, partition = devices.devices[me]
    has_channel = instruction.text("channel_id") is not None
    pairs = groups_in(instruction.text("source_target_pairs").removeprefix("{").removesuffix("}"))
    senders = []
    for i, (source, target) in enumerate(pairs):
        if target == (partition if has_channel else replica):
            sender = replica * devices.partitions + source if has_channel else source * devices.partitions + partition
            senders.append((sender, fractions.Fraction(i, len(pairs))))
    return senders


def permute_in_place(instruction, sent, own):
    """Returns the output of the device, with a slice of each buffer of the senders at the device's own start indices."""
    entries = re.findall(r"\{([\d,]*)\}", re.search(r"slice_sizes=\{((?:\{[\d,]*\},?)*)\}", instruction.attributes)[1])
    sizes = [[int(n) for n in entry.split(",") if n] for entry in entries]
    buffers, places = [as_list(value) for value in own[:2]], own[2:]
    if not isinstance(own[1], list):
        places = [[starts] for starts in places]
    slices = [part if part and isinstance(part[0], list) else [part] for part in places[1]]
    outputs = [output.values.copy() for output in buffers[1]]
    for operands, part in sent:
        number = int(part * len(slices[0]))
        begins = operands[2] if isinstance(own[1], list) else [operands[2]]
        for i, (data, out) in enumerate(zip(as_list(operands[0]), outputs)):
            begin = begins[i][number] if begins[i] and isinstance(begins[i][0], list) else begins[i]
            n = sizes[(i * len(slices[i]) + number) % len(sizes)]
            out[box(slices[i][number], n, out.shape)] = data.values[box(begin, n, data.values.shape)]
    arrays = [Array(output.type, values) for output, values in zip(buffers[1], outputs)]
    return arrays if isinstance(own[1], list) else arrays[0]


def as_list(value):
    """Returns the elements of a tuple, or a list of the one array."""
    return value if isinstance(value, list) else [value]


def box(starts, sizes, dimensions):
    """Returns the box of these sizes, moved inside of an array of these dimensions."""
    return tuple(np.s_[start : start + n] for start, n in zip(clamped_starts(starts, sizes, dimensions), sizes))


def ragged_all_to_all(devices, instruction, brought, k, own):
    """Places the rows for this device from each device of the group."""
    out = own[1].values.copy()
    for part in brought:
        starts, sizes, places = (part[i].values.reshape(len(brought), -1)[k] for i in (2, 3, 4))
        for start, size, place in zip(starts, sizes, places):
            out[place : place + size] = part[0].values[start : start + size]
    return [Array(own[1].type, out)]


COLLECTIVES = {
    "all-reduce": all_reduce, "all-gather": all_gather, "reduce-scatter": reduce_scatter, "all-to-all": all_to_all,
    "collective-broadcast": broadcast, "collective-reduce": collective_reduce, "collective-permute": permute,
    "ragged-all-to-all": ragged_all_to_all,
}  # fmt: skip


def pairs_of(instruction):
    """Returns source by target of the transfers of a channel, as replicas, or as partitions of one replica."""
    text = re.search(r"source_target_pairs=\{(.*?\})\}", instruction.attributes)
    if text is None:
        raise NotDerived("a transfer without pairs")
    return dict(reversed(pair) for pair in groups_in(text.group(1)))


def send(devices, instruction, operands):
    """Records the sent values, by channel."""
    devices.on_the_way[instruction.text("channel_id")] = [data for data, _ in operands]
    return [[data, integers("u32", [0], ()), []] for data, _ in operands]


def recv(devices, instruction, operands):
    """Returns the sender to each device; the value follows at recv-done."""
    pairs, senders = pairs_of(instruction), []
    for replica, partition in devices.devices:  # The pairs are of partitions if there are several.
        source = pairs.get(partition if devices.partitions > 1 else replica)
        senders.append(source if source is None or devices.partitions == 1 else replica * devices.partitions + source)
    return senders


def recv_done(devices, instruction, operands):
    """Returns the value that the sender has sent on the channel."""
    sent = devices.on_the_way[instruction.text("channel_id")]
    if any(source is None for source, in operands):
        raise NotDerived("a device that nothing is sent to")
    return [[sent[source], []] for source, in operands]


TRANSFERS = {
    "send": send, "recv": recv, "recv-done": recv_done, "send-done": lambda devices, *_: [[] for _ in devices.devices],
}  # fmt: skip
