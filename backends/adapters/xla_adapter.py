"""XLA:CPU and StableHLO's interpreter, from jaxlib, as peers of the process protocol (docs/process_protocol.md).

    python xla_adapter.py               XLA:CPU with its default options
    python xla_adapter.py --stablehlo   StableHLO's reference interpreter

HLO text goes in through XLA's own parser and its conversion to StableHLO, the form that jaxlib compiles. What that
conversion changes is declined (hlo_difference.py).
"""

import argparse
import dataclasses
import functools
import itertools
import io
import json
import os
import pickle
import re
import sys
import tempfile

import dynamic_entry
import hlo_difference
import numpy as np
from peer_values import DTYPES, TOKEN, BadRequest, Unsupported, data_folder, decode, encode, leaves, shape_tree

DEVICES = 8
# How XLA says that it lacks something, in an error it throws.
UNSUPPORTED_MESSAGE = "UNIMPLEMENTED|No registered implementation|Unknown opcode|Unexpected bitcast|Unsupported"


# --- HLO to StableHLO -------------------------------------------------------------------------------------------------


@functools.cache
def mlir_context():
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, mhlo, stablehlo

    context = ir.Context()
    context.enable_multithreading(False)  # so that in_child may fork
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for dialect in (stablehlo, chlo):
        dialect.register_dialect(context)
    mhlo.register_mhlo_dialect(context)
    stablehlo.register_interpreter_dialect(context)
    stablehlo.register_stablehlo_passes()
    return context


class Module:
    """A module in StableHLO, with the shapes that its HLO text declares."""

    def __init__(self, hlo):
        from jaxlib import _hlo, _jax
        from jaxlib.mlir import ir

        self.sent = _hlo.hlo_module_from_text(hlo)
        shape = _hlo.XlaComputation(self.sent.as_serialized_hlo_module_proto()).program_shape()
        self.parameters = [shape_tree(parameter) for parameter in shape.parameter_shapes()]
        self.result = shape_tree(shape.result_shape())
        for leaf in leaves(self.parameters) + leaves(self.result):
            if leaf != TOKEN:
                leaf.dtype  # Unsupported, if it is.
        if TOKEN in leaves(self.parameters):
            raise Unsupported("a token parameter of the entry")
        if any(leaf != TOKEN and leaf.dynamic for leaf in leaves(self.parameters) + leaves(self.result)):
            static = dynamic_entry.with_static_entry(self.sent)
            if static is None:
                raise Unsupported("a dynamic dimension at an entry that shares buffers")
            self.sent = _hlo.hlo_module_from_text(static)
        proto = self.sent.as_serialized_hlo_module_proto()
        try:
            self.converted = _jax.mlir.hlo_to_stablehlo(proto)
            with mlir_context():
                self.module = ir.Module.parse(self.converted)
        except Exception as error:
            raise Unsupported(f"conversion to StableHLO: {error}") from error
        if re.search(r" (?!(all-gather|all-reduce|collective-permute)-)[\w-]+-start\(", hlo):
            # The way back makes a tuple of one of the result. "negate-start" is an async-start of a negate.
            raise Unsupported("an asynchronous computation, which StableHLO does not carry")
        functions = (op for op in self.module.body.operations if op.operation.name == "func.func")
        self.main = next(function for function in functions if function.name.value == "main")

    def received(self):
        """The module that XLA makes of the StableHLO."""
        from jaxlib import _hlo, _jax

        computation = _jax.mlir.mlir_module_to_xla_computation(self.converted, use_tuple_args=False, return_tuple=False)
        return _hlo.HloModule.from_serialized_hlo_module_proto(computation.as_serialized_hlo_module_proto())

    def check_unchanged(self):
        difference = hlo_difference.difference(self.sent, self.received())
        if difference:
            raise Unsupported(f"the way through StableHLO changes the module: {difference}")

    def array_results(self):
        return [array for leaf in leaves(self.result) if leaf != TOKEN for array in leaf.arrays()]

    def replace_results(self, results_of):
        """Makes the entry return, in place of each result, the values that results_of(value) builds before the return."""
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import func

        end = self.main.body.blocks[0].operations[len(self.main.body.blocks[0].operations) - 1]
        with mlir_context(), ir.Location.unknown(), ir.InsertionPoint(end):
            values = [new for value in end.operands for new in results_of(value)]
            func.ReturnOp(values)
            end.operation.erase()
            kind = ir.FunctionType.get(self.main.type.inputs, [value.type for value in values])
            self.main.attributes["function_type"] = ir.TypeAttr.get(kind)
            if "res_attrs" in self.main.attributes:
                del self.main.attributes["res_attrs"]
            for name in ("layout", "tiles"):
                key = f"mhlo.xla_entry_computation_result_{name}"
                if key in self.module.operation.attributes:
                    del self.module.operation.attributes[key]

    def mark_manual(self):
        """Says that the module is what one partition runs, so that the SPMD partitioner leaves it as it is."""
        from jaxlib.mlir import ir

        with mlir_context():
            manual = ir.StringAttr.get("{manual}")
            entry = ir.DictAttr.get({"mhlo.sharding": manual})

            def mark(operation):
                if operation.name.startswith("stablehlo.") and operation.name != "stablehlo.return":
                    operation.attributes["mhlo.sharding"] = manual
                return ir.WalkResult.ADVANCE

            self.module.operation.walk(mark)
            self.main.attributes["arg_attrs"] = ir.ArrayAttr.get([entry] * len(self.main.type.inputs))
            self.main.attributes["res_attrs"] = ir.ArrayAttr.get([entry] * len(self.main.type.results))

    def bytecode(self):
        file = io.BytesIO()
        self.module.operation.write_bytecode(file)
        return file.getvalue()


# --- The two peers ----------------------------------------------------------------------------------------------------


class XlaCpu:
    name = "xla-cpu"
    max_devices = DEVICES

    def __init__(self):
        from jaxlib import xla_client

        register_lapack()
        self.client = xla_client.make_cpu_client(num_devices=DEVICES)

    def compile(self, module, replicas, partitions):
        """A function from the arrays of each device to the array results of each device."""
        from jaxlib import xla_client

        module.check_unchanged()
        if TOKEN in leaves(module.result):
            module.replace_results(lambda value: [] if str(value.type) == "!stablehlo.token" else [value])
        options = xla_client.CompileOptions()
        options.num_replicas = replicas
        options.num_partitions = partitions
        assignment = np.arange(replicas * partitions, dtype=np.int32).reshape(replicas, partitions)
        options.device_assignment = xla_client.DeviceAssignment.create(assignment)
        if partitions > 1:
            module.mark_manual()
            options.executable_build_options.use_spmd_partitioning = True
        devices = self.client.devices()[: replicas * partitions]
        executable = self.client.compile_and_load(
            module.bytecode(), xla_client.DeviceList(tuple(devices)), options
        )

        def run(inputs):
            arguments = [put(arrays, devices) for arrays in zip(*inputs)]
            results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
            hosts = [[shard._single_device_array_to_np_array_did_copy()[0] for shard in result] for result in results]
            return [[np.asarray(result[device]) for result in hosts] for device in range(len(devices))]

        return run


def register_lapack():
    """Makes the targets of custom calls known that JAX's linear algebra needs on the CPU; SciPy brings the LAPACK."""
    from jaxlib import lapack, xla_client

    lapack.prepare_lapack_call("potrf_ffi", np.dtype(np.float32))
    for platform, targets in lapack.registrations().items():
        for name, function, api_version in targets:
            xla_client.register_custom_call_target(name, function, platform=platform, api_version=api_version)


@functools.cache
def replicated_sharding():
    """jaxlib leaves two attributes of a sharding to JAX; these are their values for a replicated one."""
    from jaxlib import xla_client

    class Replicated(xla_client.GSPMDSharding):
        memory_kind = None

        def _to_xla_hlo_sharding(self, rank):
            return xla_client.HloSharding.replicate()

    return lambda devices: Replicated(xla_client.DeviceList(tuple(devices)), xla_client.HloSharding.replicate())


@dataclasses.dataclass
class AbstractValue:
    shape: tuple
    dtype: np.dtype
    weak_type: bool = False


def put(arrays, devices):
    """One argument of an executable: an array for each device."""
    from jaxlib import xla_client

    sharding = replicated_sharding()
    value = AbstractValue(arrays[0].shape, arrays[0].dtype)
    shards = [
        xla_client.batched_device_put(value, sharding([device]), [array], [device], force_copy=True, enable_x64=True)
        for array, device in zip(arrays, devices)
    ]
    if len(shards) == 1:
        return shards[0]
    return xla_client.ArrayImpl(value, sharding(devices), shards, True, _skip_checks=True)


class StableHlo:
    name = "stablehlo"
    max_devices = 1

    def compile(self, module, replicas, partitions):
        from jaxlib.mlir import ir, passmanager
        from jaxlib.mlir.dialects import stablehlo

        with mlir_context() as context:
            # The interpreter has no rule for what has a plainer form: dot, broadcast, chlo's functions.
            passes = "builtin.module(func.func(chlo-legalize-to-stablehlo,stablehlo-legalize-deprecated-ops))"
            passmanager.PassManager.parse(passes).run(module.module.operation)
        module.replace_results(readable)
        types = module.main.type.inputs

        def evaluate(arrays):
            with mlir_context():
                arguments = [dense(array, kind) for array, kind in zip(arrays, types)]
                results = iter(stablehlo.eval_module(module.module, arguments))
            return [[from_dense(results, shape) for shape in module.array_results()]]

        return lambda inputs: in_child(evaluate, inputs[0])


def in_child(function, argument):
    """function(argument), run in a fork: the interpreter ends the process over an op that it does not know."""
    read, write = os.pipe()
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            os.close(read)
            os.dup2(errors.fileno(), 2)
            try:
                reply = (True, function(argument))
            except Exception as error:
                reply = (False, f"{type(error).__name__}: {error}")
            with os.fdopen(write, "wb") as file:
                pickle.dump(reply, file)
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as file:
            reply = file.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    if status == 0:
        worked, value = pickle.loads(reply)
        if worked:
            return value
        raise RuntimeError(value)
    fatal = re.search("LLVM ERROR: (.*)", said)
    if not fatal:  # A true crash is shown as one.
        sys.stderr.write(said)
        os.kill(os.getpid(), -status)
    lacking = re.search("[Uu]nsupported|only supported", fatal.group(1))
    raise (Unsupported if lacking else RuntimeError)(fatal.group(1))


def readable(value):
    """What to return in place of a value whose elements Python cannot read out of an MLIR attribute."""
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    if not isinstance(value.type, ir.RankedTensorType):
        return []
    kind = ir.RankedTensorType(value.type)
    element = kind.element_type

    def of(new_element):
        return ir.RankedTensorType.get(kind.shape, new_element)

    def unsigned(bits):
        return ir.IntegerType.get_unsigned(bits)

    if isinstance(element, ir.ComplexType):
        return [stablehlo.real(value), stablehlo.imag(value)]
    if isinstance(element, ir.FloatType):
        bits = ir.FloatType(element).width
        if bits >= 32:
            return [value]
        value = stablehlo.bitcast_convert(of(unsigned(bits)), value)
        return [value if bits >= 8 else stablehlo.convert(of(unsigned(8)), value)]
    integer = ir.IntegerType(element)
    if integer.width in (2, 4):
        return [stablehlo.convert(of(unsigned(8) if integer.is_unsigned else ir.IntegerType.get_signless(8)), value)]
    return [value]


def dense(array, kind):
    from jaxlib.mlir import ir

    element = kind.element_type
    # Types of numpy's own go in as they are, those of ml_dtypes as their bits.
    raw = array if array.dtype.isbuiltin else array.view(f"u{array.dtype.itemsize}")
    return ir.DenseElementsAttr.get(np.ascontiguousarray(raw), type=element, shape=array.shape)


def from_dense(results, shape):
    if shape.dtype.kind == "c":
        parts = np.asarray(next(results)), np.asarray(next(results))
        array = np.empty(shape.dimensions, shape.dtype)
        array.real, array.imag = parts
        return array
    return np.asarray(next(results)).reshape(shape.dimensions)


# --- The protocol -----------------------------------------------------------------------------------------------------


class Session:
    def __init__(self, peer):
        self.peer = peer
        self.executable = functools.lru_cache(maxsize=64)(self._executable)
        self.compiled = {}  # by handle
        self.handles = itertools.count(1)

    def _executable(self, hlo, replicas, partitions):
        module = Module(hlo)
        return module, self.peer.compile(module, replicas, partitions)

    def hello(self, request):
        import jaxlib.version

        versions = request.get("versions", [1])
        return {
            "hello": 2 if isinstance(versions, list) and 2 in versions else 1,
            "name": self.peer.name,
            "version": f"jaxlib {jaxlib.version.__version__}",
            "ops": None,
            "types": sorted(DTYPES),
            "max_devices": self.peer.max_devices,
            "files": True,
        }

    def compile(self, request, hlo):
        """The module, what runs it, and on how many devices."""
        replicas, partitions = request.get("replicas", 1), request.get("partitions", 1)
        if not isinstance(hlo, str):
            raise BadRequest("the text of a module must be a string")
        devices = replicas * partitions
        if devices > self.peer.max_devices:
            raise Unsupported(f"{devices} devices; this peer has {self.peer.max_devices}")
        return *self.executable(hlo, replicas, partitions), devices

    def run(self, compiled, inputs):
        module, execute, devices = compiled
        if not isinstance(inputs, list) or len(inputs) != devices:
            raise BadRequest(f"expected the inputs of {devices} devices")
        arrays = [decode({"tuple": values}, module.parameters) for values in inputs]
        if arrays and not arrays[0]:
            arrays = [[] for _ in range(devices)]
        folder = data_folder(inputs)
        return [encode(iter(result), module.result, folder) for result in execute(arrays)]

    def serve(self, request):
        """What a request asks for, as the fields of its reply."""
        if "compile" in request:
            handle = f"e{next(self.handles)}"
            self.compiled[handle] = self.compile(request, request["compile"])
            return {"executable": handle}
        if "run" in request:
            if request["run"] not in self.compiled:
                raise BadRequest(f"no executable {request['run']}")
            return {"outputs": self.run(self.compiled[request["run"]], request.get("inputs"))}
        return {"outputs": self.run(self.compile(request, request.get("hlo")), request.get("inputs"))}

    def answer(self, request):
        """The reply to one request; "" for none, None to end the session."""
        if not isinstance(request, dict):
            return {"id": None, "status": "error", "message": "a request is a JSON object"}
        if "hello" in request:
            return self.hello(request)
        if "bye" in request:
            return None
        if "release" in request:
            self.compiled.pop(request["release"], None)
            return ""
        identity = request.get("id")
        try:
            return {"id": identity, "status": "ok", **self.serve(request)}
        except Exception as error:
            message = str(error) or type(error).__name__
            unsupported = isinstance(error, Unsupported) or re.search(UNSUPPORTED_MESSAGE, message)
            return {"id": identity, "status": "unsupported" if unsupported else "error", "message": message}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stablehlo", action="store_true", help="StableHLO's interpreter instead of XLA:CPU")
    arguments = parser.parse_args()
    # Libraries print to descriptor 1; only protocol lines may reach the runner.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    session = Session(StableHlo() if arguments.stablehlo else XlaCpu())
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
        except (ValueError, RecursionError) as error:
            reply = {"id": None, "status": "error", "message": f"not JSON: {error}"}
        else:
            reply = session.answer(request)
        if reply is None:
            break
        if not reply:
            continue
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
