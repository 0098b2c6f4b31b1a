"""IREE and LiteRT (TFLite) as peers for quantized StableHLO programs, which they get as they are written:

    process:PYTHON backends/adapters/quantized_adapter.py iree|litert

IREE compiles the text. LiteRT runs a TFLite model of one operator for each operation: a row of OPERATORS. Programs
without quantized types are unsupported: iree_adapter.py is for those.
"""

import json
import re
import sys

import numpy as np

DTYPES = {"pred": "?", "s8": "i1", "u8": "u1", "s16": "<i2", "u16": "<u2", "s32": "<i4", "u32": "<u4", "f32": "<f4",
          "f64": "<f8", "f16": "<f2"}  # fmt: skip


class Unsupported(Exception):
    """The peer cannot run a program; the message says why."""


def hlo_name(element):
    """Returns the HLO name of an element type of StableHLO."""
    stored = re.match(r"!quant.uniform<([iu]\d+)", element)
    name = stored[1] if stored else element
    return "pred" if name == "i1" else name.replace("i", "s") if name[0] == "i" else name


def tensor_of(text):
    """Returns the sizes and the element type of a tensor type."""
    sizes, element = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", text.strip()).groups()
    return [int(size) for size in sizes.split("x") if size], element


TENSOR = r"tensor<(?:[^<>]|<[^<>]*(?:<[^<>]*>)?[^<>]*>)*>"


class Program:
    """The entry of a program: the names and types of its arguments, its lines, and what it returns."""

    def __init__(self, text):
        text = re.sub(r"^//.*\n", "", text, flags=re.M)
        head = re.search(r"func\.func @main\((.*?)\) -> (.*?) \{\n(.*?)\n\s*return (.*?) :", text, re.S)
        if not head or "!quant" not in text or "mhlo.num_replicas" in text:
            raise Unsupported("no quantized program of one device with a function @main")
        self.arguments = re.findall(rf"(%\w+): ({TENSOR})", head[1])
        self.results = [tensor_of(kind) for kind in re.findall(TENSOR, head[2])]
        self.body, self.returned = head[3], head[4].split(", ")


def array_of(value, kind):
    """Returns a value of the protocol as an array of a tensor type."""
    sizes, element = kind
    if hlo_name(element) not in DTYPES:
        raise Unsupported(f"elements of {element}")
    return np.frombuffer(bytes.fromhex(value["data_hex"]), DTYPES[hlo_name(element)]).reshape(sizes)


def value_of(array, kind):
    """Returns an array as a value of the protocol."""
    sizes, element = kind
    data = np.ascontiguousarray(array).view(DTYPES[hlo_name(element)])
    return {"shape": f"{hlo_name(element)}[{','.join(map(str, sizes))}]", "data_hex": data.tobytes().hex()}


class Iree:
    """IREE's llvm-cpu."""

    def __init__(self):
        from iree import compiler, runtime
        from iree.compiler.version import VERSION

        self.name, self.version, self.compiler, self.runtime = "iree-quantized", VERSION, compiler, runtime

    def run(self, text, program, arrays):
        """Returns the results of a program."""
        flags = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
                 "--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false"]  # fmt: skip
        try:
            compiled = self.compiler.compile_str(text, input_type="stablehlo", extra_args=flags)
        except self.compiler.CompilerToolError as error:
            found = re.search("error: (.*)", str(error))
            raise Unsupported(found[1] if found else str(error)[:500]) from error
        config = self.runtime.Config("local-sync")
        module = self.runtime.load_vm_module(self.runtime.VmModule.copy_buffer(config.vm_instance, compiled), config)
        results = module.main(*arrays)
        return [np.asarray(result) for result in (results if isinstance(results, (list, tuple)) else [results])]


# The operator of TFLite for each operation, and the class of its options.
OPERATORS = {
    "abs": ("ABS", ""), "add": ("ADD", "AddOptions"), "ceil": ("CEIL", ""), "cosine": ("COS", ""), "divide": ("DIV", "DivOptions"),
    "dot_general": ("BATCH_MATMUL", "BatchMatMulOptions"), "exponential": ("EXP", "ExpOptions"), "floor": ("FLOOR", ""),
    "log": ("LOG", ""), "logistic": ("LOGISTIC", ""), "maximum": ("MAXIMUM", "MaximumMinimumOptions"),
    "minimum": ("MINIMUM", "MaximumMinimumOptions"), "multiply": ("MUL", "MulOptions"), "negate": ("NEG", "NegOptions"),
    "round_nearest_even": ("ROUND", ""), "rsqrt": ("RSQRT", ""), "sign": ("SIGN", ""), "sine": ("SIN", ""), "sqrt": ("SQRT", ""),
    "subtract": ("SUB", "SubOptions"), "tanh": ("TANH", ""), "uniform_dequantize": ("DEQUANTIZE", "DequantizeOptions"),
    "uniform_quantize": ("QUANTIZE", "QuantizeOptions"),
}  # fmt: skip
VERSIONS = (2, 1, 3, 4, 5)
LINE = re.compile(rf'\s*(%\w+) = "?stablehlo\.(\w+)"?[ (]([^:]*?)\)? : (?:\((.*)\) -> )?({TENSOR})\s*')


class LiteRt:
    """TFLite's interpreter with its kernels of integers, without delegates."""

    def __init__(self):
        from importlib.metadata import version

        from ai_edge_litert import interpreter, schema_py_generated

        self.name, self.version = "litert", version("ai-edge-litert")
        self.interpreter, self.schema = interpreter, schema_py_generated

    def run(self, text, program, arrays):
        """Returns the results of a program."""
        runner = self.runner(program)
        for detail, array in zip(runner.get_input_details(), arrays):
            runner.set_tensor(detail["index"], array)
        runner.invoke()
        return [runner.get_tensor(detail["index"]) for detail in runner.get_output_details()]

    def runner(self, program):
        """Returns an interpreter of the program, with the first versions of its operators that take its types."""
        kind = self.interpreter.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        for version in VERSIONS:
            model = bytes(self.model(program, version))
            try:
                runner = self.interpreter.Interpreter(model_content=model, experimental_op_resolver_type=kind)
                runner.allocate_tensors()
                return runner
            except (RuntimeError, ValueError) as error:  # the operator does not take these types or scales
                if version == VERSIONS[-1] or "Didn't find op" not in str(error):
                    raise Unsupported(" ".join(str(error).split())[:300]) from error

    def model(self, program, version):
        """Returns the bytes of a TFLite model of the program."""
        import flatbuffers

        s = self.schema
        graph, model = s.SubGraphT(), s.ModelT()
        graph.tensors, graph.operators, model.operatorCodes, numbers = [], [], [], {}
        for name, kind in program.arguments:
            numbers[name] = self.add_tensor(graph, tensor_of(kind.replace("<-127:127>", "")))  # of weights
        for line in program.body.split("\n"):
            parts = LINE.fullmatch(line)
            if not parts or parts[2] not in OPERATORS:
                raise Unsupported(f"no operator for {line.strip()[:80]}")
            name, operation, operands, _, result = parts.groups()
            operands = re.findall(r"%\w+", operands)
            operator, options = OPERATORS[operation]
            numbers[name] = self.add_tensor(graph, tensor_of(result))
            code, node = s.OperatorCodeT(), s.OperatorT()
            code.builtinCode = getattr(s.BuiltinOperator, operator)
            code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), version
            node.opcodeIndex, node.inputs, node.outputs = len(graph.operators), [numbers[o] for o in operands], [numbers[name]]
            if options:
                node.builtinOptionsType, node.builtinOptions = getattr(s.BuiltinOptions, options), getattr(s, options + "T")()
            graph.operators.append(node)
            model.operatorCodes.append(code)
        graph.inputs = [numbers[name] for name, _ in program.arguments]
        graph.outputs = [numbers[name] for name in program.returned]
        model.version, model.subgraphs, model.buffers = 3, [graph], [s.BufferT()]
        builder = flatbuffers.Builder(1024)
        builder.Finish(model.Pack(builder), b"TFL3")
        return builder.Output()

    def add_tensor(self, graph, kind):
        """Adds a tensor; returns its number."""
        sizes, element = kind
        types = {"s8": "INT8", "u8": "UINT8", "s16": "INT16", "s32": "INT32", "f32": "FLOAT32", "pred": "BOOL", "s4": "INT4"}
        if hlo_name(element) not in types:
            raise Unsupported(f"elements of {element}")
        tensor = self.schema.TensorT()
        tensor.shape, tensor.buffer, tensor.name = sizes, 0, f"t{len(graph.tensors)}"
        tensor.type = getattr(self.schema.TensorType, types[hlo_name(element)])
        quantized = re.fullmatch(r"!quant\.uniform<[iu]\d+(<.*>)?:f32(?::(\d+))?, \{?(.*?)\}?>", element)
        if element.startswith("!quant") and (not quantized or quantized[1]):
            raise Unsupported(f"elements of {element}: a TFLite tensor has no limits and expresses f32")
        if quantized:
            pairs = [(pair.split(":") + ["0"])[:2] for pair in quantized[3].split(",")]
            tensor.quantization = self.schema.QuantizationParametersT()
            tensor.quantization.scale = [float(scale) for scale, _ in pairs]
            tensor.quantization.zeroPoint = [int(zero_point) for _, zero_point in pairs]
            tensor.quantization.quantizedDimension = int(quantized[2] or 0)
        graph.tensors.append(tensor)
        return len(graph.tensors) - 1


def answer(peer, request):
    """Returns the outputs of the one device."""
    if "stablehlo_hex" not in request:
        raise Unsupported("a part of a program, in HLO")
    text = bytes.fromhex(request["stablehlo_hex"]).decode()
    program = Program(text)
    arrays = [array_of(value, tensor_of(kind)) for value, (_, kind) in zip(request["inputs"][0], program.arguments)]
    values = [value_of(array, kind) for array, kind in zip(peer.run(text, program, arrays), program.results)]
    return [values[0] if len(values) == 1 else {"tuple": values}]


def main():
    """Answers requests until the end of standard input."""
    peer = {"iree": Iree, "litert": LiteRt}[sys.argv[1]]()
    for request in map(json.loads, sys.stdin):
        if "bye" in request:
            break
        reply = {"hello": 1, "name": peer.name, "version": peer.version, "ops": None, "types": None, "stablehlo": True,
                 "verifies": False}  # fmt: skip
        if "hello" not in request:
            try:
                reply = {"id": request["id"], "status": "ok", "outputs": answer(peer, request)}
            except Unsupported as error:
                reply = {"id": request["id"], "status": "unsupported", "message": str(error)}
            except Exception as error:  # the peer failed
                reply = {"id": request["id"], "status": "error", "message": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
