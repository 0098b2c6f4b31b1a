"""The op table against the specification's list of operations: each is evaluated, or needs devices or a host."""

import re
import unittest

from golden.witness.program import ROOT, op_table

# Every heading of the specification's operation semantics, and every function of its tables, with the HLO ops that it
# becomes.
OPERATIONS = {
    "AfterAll": "after-all", "AllGather": "all-gather", "AllReduce": "all-reduce", "AllToAll": "all-to-all",
    "BatchNormGrad": "batch-norm-grad", "BatchNormInference": "batch-norm-inference",
    "BatchNormTraining": "batch-norm-training", "BitcastConvertType": "bitcast-convert", "Broadcast": "broadcast",
    "BroadcastInDim": "broadcast reshape", "Call": "call", "Cholesky": "cholesky", "Clamp": "clamp",
    "Collapse": "reshape", "CollectivePermute": "collective-permute", "Concatenate": "concatenate",
    "Conditional": "conditional", "Conv": "convolution", "ConvWithGeneralPadding": "convolution",
    "ConvertElementType": "convert", "CrossReplicaSum": "all-reduce", "CustomCall": "custom-call", "Dot": "dot",
    "DotGeneral": "dot", "DynamicSlice": "dynamic-slice", "DynamicUpdateSlice": "dynamic-update-slice",
    "Add": "add", "Sub": "subtract", "Mul": "multiply", "Div": "divide", "Pow": "power", "Rem": "remainder",
    "Max": "maximum", "Min": "minimum", "And": "and", "Or": "or", "Xor": "xor", "ShiftLeft": "shift-left",
    "ShiftRightArithmetic": "shift-right-arithmetic", "ShiftRightLogical": "shift-right-logical", "Atan2": "atan2",
    "Complex": "complex",
    "Eq": "compare", "Ne": "compare", "Ge": "compare", "Gt": "compare", "Le": "compare", "Lt": "compare",
    "Abs": "abs", "Cbrt": "cbrt", "Ceil": "ceil", "Clz": "count-leading-zeros", "Cos": "cosine", "Erf": "erf",
    "Exp": "exponential", "Expm1": "exponential-minus-one", "Floor": "floor", "Imag": "imag", "IsFinite": "is-finite",
    "Log": "log", "Log1p": "log-plus-one", "Logistic": "logistic", "Neg": "negate", "Not": "not",
    "PopulationCount": "popcnt", "Real": "real", "Round": "round-nearest-afz",
    "RoundNearestEven": "round-nearest-even", "Rsqrt": "rsqrt", "Sign": "sign", "Sin": "sine", "Sqrt": "sqrt",
    "Tan": "tan", "Tanh": "tanh",
    "Fft": "fft", "Gather": "gather", "GetDimensionSize": "get-dimension-size",
    "SetDimensionSize": "set-dimension-size", "GetTupleElement": "get-tuple-element", "Infeed": "infeed",
    "Iota": "iota", "Map": "map", "OptimizationBarrier": "opt-barrier", "Pad": "pad", "Recv": "recv",
    "RecvDone": "recv-done", "Reduce": "reduce", "ReducePrecision": "reduce-precision",
    "ReduceScatter": "reduce-scatter", "ReduceWindow": "reduce-window", "ReplicaId": "replica-id",
    "Reshape": "reshape transpose", "Rev": "reverse", "RngNormal": "rng", "RngUniform": "rng",
    "RngBitGenerator": "rng-bit-generator", "Scatter": "scatter", "Select": "select",
    "SelectAndScatter": "select-and-scatter", "Send": "send", "SendDone": "send-done", "Slice": "slice",
    "Sort": "sort", "Transpose": "transpose", "TriangularSolve": "triangular-solve", "Tuple": "tuple",
    "While": "while",
}  # fmt: skip
COLLECTIVE = {"all-gather", "all-reduce", "all-to-all", "collective-permute", "reduce-scatter"}
OF_A_CHANNEL = {"send", "send-done", "recv", "recv-done", "infeed"}
# Ops that the specification leaves open: a program outside the module, a generator of the implementation's choice.
LEFT_OPEN = {"custom-call": "target", "rng": "specification leaves the numbers"}
# The folder whose goldens are the operation's worked examples, and the number of examples in the specification. Those
# of collectives need several devices, that of CustomCall a function.
EXAMPLES = {
    "add": 3, "bitcast": 3, "broadcast": 6, "clamp": 1, "concatenate": 2, "convert": 1, "dot": 2, "dynamic-slice": 2,
    "dynamic-update-slice": 2, "get-tuple-element": 1, "iota": 2, "pad": 1, "reduce": 4, "reduce-window": 2,
    "reshape": 10, "select": 2, "set-dimension-size": 3, "slice": 2, "sort": 1, "tuple": 1,
}  # fmt: skip


# Instructions of HLO, which the builder's Send and Recv add.
NOT_FUNCTIONS = {"RecvDone", "SendDone"}
# Helpers of the functions, which are no operations.
NOT_OPERATIONS = {"AddBinary", "AddInstruction", "BroadcastSteps", "CompareTotalOrder", "ReportIllegal"}


def mnemonic_of(name):
    """Returns the mnemonic for a name that docs/ops/names.md does not list: all-gather for AllGather."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class SeedOps(unittest.TestCase):
    def test_the_builder_has_a_function_for_each(self):
        self.assertEqual(set(OPERATIONS) - self.functions(), NOT_FUNCTIONS)

    def test_the_list_of_pages_has_every_name(self):
        page = (ROOT / "docs/ops/names.md").read_text()
        rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.M))
        pages = {name: re.findall(r"\[([\w-]+)\]\(\1\.md\)", links) for name, links in rows.items()}
        for operation, names in OPERATIONS.items():
            self.assertEqual(pages.get(operation, [mnemonic_of(operation)]), names.split(), operation)
        functions = self.functions()
        self.assertLessEqual(set(rows), functions)
        unlisted = {name for name in functions - set(rows) if mnemonic_of(name) not in self.ops}
        self.assertEqual(unlisted, NOT_OPERATIONS)

    def functions(self):
        headers = "".join(path.read_text() for path in (ROOT / "interpreter/builder").glob("*.h"))
        names = re.findall(r"^(?:inline XlaOp |XlaOp |void )(\w+)\(|^ASSAY_\w+\((\w+), (\w*)", headers, re.M)
        return {name for row in names for name in row if name}

    def setUp(self):
        self.ops = {op["name"]: op for op in op_table()}

    def test_every_operation_is_evaluated(self):
        for operation, names in OPERATIONS.items():
            for name in names.split():
                with self.subTest(operation=operation, op=name):
                    op = self.ops[name]
                    if name in COLLECTIVE | OF_A_CHANNEL:
                        self.assertRegex(op.get("not_evaluated", "needs a host"), "needs (several devices|a host)")
                    elif not op["evaluated"]:
                        self.assertIn(LEFT_OPEN.get(name, "evaluated"), op["not_evaluated"])

    def test_every_worked_example_is_a_golden(self):
        for name, op in self.ops.items():
            with self.subTest(op=name):
                self.assertGreaterEqual(op["seed_examples"], EXAMPLES.get(name, 0))
