"""Evaluates modules by the functions of docs/ops/*.md, and by nothing else."""

import concurrent.futures
import functools
import inspect
import re
import threading

import device_groups
import hlo_attributes
import numpy as np
import page_goldens


class NotOnAPage(Exception):
    """An op without a function."""


class Computation:
    """A called computation: a function of arrays."""

    def __init__(self, run, name):
        self.run, self.name = run, name
        self.is_sum = is_sum(run.module.computations[name])
        self.is_running_sum = is_running_sum(run.module.computations[name])

    def __call__(self, *arguments):
        return self.run.computation(self.name, arguments)


def is_sum(instructions):
    """True if it adds parameter n + i to parameter i for each of its n results, and these are not integers."""
    by_name = {instruction.name: instruction for instruction in instructions}
    root = next(instruction for instruction in instructions if instruction.is_root)
    sums = [by_name[name] for name in root.operand_names()] if root.opcode == "tuple" else [root]
    return all(adds_parameters(by_name, each, k, len(sums)) for k, each in enumerate(sums))


def is_running_sum(instructions):
    """True if it returns the sum of its two parameters twice, and these are not integers."""
    by_name = {instruction.name: instruction for instruction in instructions}
    root = next(instruction for instruction in instructions if instruction.is_root)
    sums = [by_name[name] for name in root.operand_names()] if root.opcode == "tuple" else []
    return len(sums) == 2 and all(adds_parameters(by_name, each, 0, 1) for each in sums)


def adds_parameters(by_name, instruction, k, count):
    if instruction.opcode != "add" or not re.match(r"b?f\d|c\d", instruction.shape):
        return False
    operands = [by_name[name] for name in instruction.operand_names()]
    are_parameters = all(o.opcode == "parameter" and o.shape == instruction.shape for o in operands)
    return are_parameters and sorted(int(o.operands) for o in operands) == [k, count + k]


class Meeting:
    """Exchanges values between the devices of a run: each device gives one value and gets all of them, by device."""

    def __init__(self, count):
        self.brought, self.barrier = [None] * count, threading.Barrier(count)

    def exchange(self, device, value):
        self.brought[device] = value
        self.barrier.wait()
        brought = list(self.brought)
        self.barrier.wait()
        return brought


class Run:
    """The module on one device."""

    def __init__(self, functions, module, devices, me, meeting):
        self.functions, self.module, self.devices, self.me, self.meeting = functions, module, devices, me, meeting
        self.calls = {}
        self.computations = {name: Computation(self, name) for name in module.computations}

    def computation(self, name, arguments):
        values = {}
        for instruction in self.module.computations[name]:
            values[instruction.name] = self.instruction(instruction, name, values, arguments)
            if instruction.is_root:
                root = values[instruction.name]
        return root

    def instruction(self, instruction, computation, values, arguments):
        if id(instruction) not in self.calls:
            self.calls[id(instruction)] = self.call_of(instruction, computation)
        function, keywords, names, shape = self.calls[id(instruction)]
        if instruction.opcode == "parameter":
            keywords |= {"arguments": arguments}
        operands = [values[name] for name in names]
        with np.errstate(all="ignore"):
            if instruction.opcode in device_groups.COLLECTIVES:
                result = self.collective(instruction, function, keywords, operands, shape)
            else:
                result = function(*operands, **keywords)
        return checked(result, shape, instruction)

    def collective(self, instruction, function, keywords, operands, shape):
        """Calls the function with the values of the devices of a group. A device in no group returns zeros."""
        brought = self.meeting.exchange(self.me, operands[0] if len(operands) == 1 else tuple(operands))
        attributes = hlo_attributes.attributes(instruction.attributes, self.computations)
        group = device_groups.group(instruction.opcode, attributes, self.devices, self.me)
        if not group:
            return np.zeros(shape.dimensions, shape.dtype)
        return function([brought[d] for d in group], **keywords)[group.index(self.me)]

    def call_of(self, instruction, computation):
        """Returns the function, its keyword arguments, the names of the operands and the shape of the result."""
        function = self.functions.get(instruction.opcode)
        if function is None:
            raise NotOnAPage(instruction.opcode)
        shape, names = hlo_attributes.shape(instruction.shape), []
        given = hlo_attributes.attributes(instruction.attributes, self.computations)
        given |= {"shape": shape, "replica": self.devices[self.me][0], "partition": self.devices[self.me][1]}
        if instruction.opcode == "parameter":
            given["number"] = int(instruction.operands)
        elif instruction.opcode == "constant":
            given["literal"] = re.sub(r"[{}(),]", " ", instruction.operands).split()
        else:
            names = instruction.operand_names()
            shapes = {i.name: i.shape for i in self.module.computations[computation]}
            given["operand_shapes"] = [hlo_attributes.shape(shapes[name]) for name in names]
        keywords = keywords_of(function)
        return function, {name: value for name, value in given.items() if name in keywords}, names, shape


@functools.cache
def keywords_of(function):
    return {p.name for p in inspect.signature(function).parameters.values() if p.kind == p.KEYWORD_ONLY}


def checked(result, shape, instruction):
    """Returns the result as arrays, if it has the shape that the instruction declares."""
    if shape is None or isinstance(shape, tuple):
        if not isinstance(result, tuple if shape is not None else type(None)) or shape and len(result) != len(shape):
            raise TypeError(f"{instruction.opcode} gives {type(result)} for {instruction.shape}")
        return result if shape is None else tuple(checked(r, s, instruction) for r, s in zip(result, shape))
    result = np.asarray(result)
    bounded = len(result.shape) == len(shape.dimensions) and all(map(int.__le__, result.shape, shape.dimensions))
    is_dynamic = "<=" in instruction.shape
    if result.dtype != shape.dtype or not (bounded and is_dynamic or result.shape == shape.dimensions):
        raise TypeError(f"{instruction.opcode} gives {result.dtype}{result.shape} for {instruction.shape}")
    return result


def leaves(value):
    """Returns the arrays of a result in order, tokens left out."""
    if isinstance(value, tuple):
        return [leaf for element in value for leaf in leaves(element)]
    return [] if value is None else [value]


def evaluate(functions, text, devices, arguments):
    """For each device, the arrays of the entry's result."""
    module, meeting = page_goldens.parse(text), Meeting(len(devices))

    def on_device(me):
        try:
            return leaves(Run(functions, module, devices, me, meeting).computation(module.entry, arguments[me]))
        except Exception:
            meeting.barrier.abort()
            raise

    with concurrent.futures.ThreadPoolExecutor(len(devices)) as threads:
        runs = [threads.submit(on_device, me) for me in range(len(devices))]
    # The other devices fail because one does.
    errors = [run.exception() for run in runs if run.exception()]
    for error in sorted(errors, key=lambda error: isinstance(error, threading.BrokenBarrierError)):
        raise error
    return [run.result() for run in runs]
