"""Converts HLO text to StableHLO, the form that jaxlib compiles, by XLA's own parser and conversion."""

import functools
import io
import itertools
import re

from . import dynamic_entry, hlo_difference, jaxlib_api
from .bitcasts import without_bitcasts
from .module_text import flat
from .values import TOKEN, Unsupported, shape_tree

# Operations whose regions run as a whole. The region of a reduce is called for each element.
OWN = "constant_of_its_own_"
HOLDS_CALLS = ("func.func", "stablehlo.while", "stablehlo.case", "stablehlo.if")


@functools.cache
def mlir_context():
    """Returns the one context, with all dialects."""
    from jaxlib.mlir import ir

    context = ir.Context()
    context.enable_multithreading(False)  # so that in_child may fork
    jaxlib_api.load_dialects(context)
    return context


def parsed(module):
    """Parses a module of MLIR: text, bytecode or a portable artifact."""
    from jaxlib.mlir import ir

    with mlir_context():
        return ir.Module.parse(module)


class Module:
    """A module in StableHLO, with the shapes that its HLO text declares."""

    def __init__(self, hlo):
        self.numbers = itertools.count()  # of functions for constants
        try:
            self.sent = jaxlib_api.hlo_module_from_text(hlo)
        except jaxlib_api.NotRead as error:
            raise Unsupported(str(error)) from error
        shape = jaxlib_api.XlaComputation(self.sent.as_serialized_hlo_module_proto()).program_shape()
        self.parameters = [shape_tree(parameter) for parameter in shape.parameter_shapes()]
        self.result = shape_tree(shape.result_shape())
        for leaf in flat(self.parameters) + flat(self.result):
            if leaf != TOKEN:
                leaf.dtype  # raises Unsupported for an unsupported type
        if TOKEN in flat(self.parameters):
            raise Unsupported("a token parameter of the entry")
        if any(leaf != TOKEN and leaf.dynamic for leaf in flat(self.parameters) + flat(self.result)):
            static = dynamic_entry.with_static_entry(self.sent)
            if static is None:
                raise Unsupported("a dynamic dimension at an entry that shares buffers")
            self.sent = jaxlib_api.hlo_module_from_text(static)
        if "convolution_kind=dgrad" in hlo:
            raise Unsupported("a convolution of the kind dgrad, which reverses the kernel: StableHLO has no kinds")
        if "-start(" in hlo and not jaxlib_api.CONVERTS_ASYNCHRONOUS:
            raise Unsupported("an asynchronous operation, which this jaxlib does not convert to StableHLO")
        self.convert(self.sent)
        if re.search(r" (?!(all-gather|all-reduce|collective-permute)-)[\w-]+-start\(", hlo):
            # The conversion back makes the result a tuple of one. "negate-start" is an async-start of a negate.
            raise Unsupported("an asynchronous computation, which StableHLO does not carry")

    def convert(self, hlo_module):
        """Converts an HloModule to StableHLO and uses that from now on."""
        try:
            self.converted = jaxlib_api.hlo_to_stablehlo(hlo_module.as_serialized_hlo_module_proto())
            self.module = parsed(self.converted)
            self.inline_fusions("kCustom")
        except Exception as error:
            raise Unsupported(f"conversion to StableHLO: {error}") from error
        self.find_main()

    def find_main(self):
        """Finds the entry."""
        functions = (op for op in self.module.body.operations if op.operation.name == "func.func")
        self.main = next((function for function in functions if function.name.value == "main"), None)
        if self.main is None:
            raise Unsupported("no function @main")

    def received(self):
        """Returns the module that XLA converts the StableHLO to."""
        return jaxlib_api.stablehlo_to_hlo(self.converted)

    def difference(self):
        """Describes the first instruction that the conversion through StableHLO changes; empty if it changes none."""
        return hlo_difference.difference(self.sent, self.received())

    def check_unchanged(self):
        """Makes the conversion through StableHLO preserve the module; raises Unsupported if it still changes the
        module."""
        difference = self.difference()
        remedies = (self.spell_out_bitcasts, self.call_constants, self.inline_fusions, self.call_constants)
        for remedy in remedies:
            if difference and remedy():
                difference = self.difference()
        if difference:
            raise Unsupported(f"the conversion to StableHLO changes the module: {difference}")

    def spell_out_bitcasts(self):
        """Replaces the bitcasts with transposes and reshapes. Returns whether there were any."""
        text = without_bitcasts(self.sent)
        if text:
            self.convert(jaxlib_api.hlo_module_from_text(text))
        return bool(text)

    def inline_fusions(self, kind=""):
        """Inlines the fusions of a kind, or all of them, and those with an unused parameter. Returns whether there were
        any.

        StableHLO cannot express the library that computes a fusion, and constants in a fusion cannot be called. The
        conversion makes a parameter of each element of a tuple: XLA refuses a fusion with an unused one.
        """
        from jaxlib.mlir import ir

        fusions = []

        def is_inlined(fusion):
            arguments = fusion.regions[0].blocks[0].arguments
            return kind in str(fusion.attributes["fusion_kind"]) or any(not list(value.uses) for value in arguments)

        def visit(operation):
            if operation.name == "mhlo.fusion" and is_inlined(operation):
                fusions.append(operation)
            return ir.WalkResult.ADVANCE

        with mlir_context():
            self.module.operation.walk(visit)
            for fusion in fusions:
                (body,) = fusion.regions[0].blocks
                *inner, end = body.operations
                for argument, operand in zip(list(body.arguments), list(fusion.operands)):
                    argument.replace_all_uses_with(operand)
                for operation in inner:
                    operation.operation.move_before(fusion)
                for result, value in zip(list(fusion.results), list(end.operands)):
                    result.replace_all_uses_with(value)
                fusion.erase()
        if fusions:
            self.converted = self.bytecode()
        return bool(fusions)

    def call_constants(self):
        """Replaces each use of a constant with a call of a function that returns it. Returns True.

        XLA's conversion from StableHLO to HLO folds ops on constants: a dynamic-slice at 4294967295, read as -1,
        becomes a slice. It does not look into functions. The compiler itself inlines them before it folds anything.
        """
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import func

        constants = []

        def is_own(holder):
            return holder.name == "func.func" and holder.attributes["sym_name"].value.startswith(OWN)

        def visit(operation):
            holder = operation.parent
            if operation.name == "stablehlo.constant" and holder.name in HOLDS_CALLS and not is_own(holder):
                constants.append(operation)
            return ir.WalkResult.ADVANCE

        with mlir_context(), ir.Location.unknown():
            self.module.operation.walk(visit)
            for constant in constants:
                for use in list(constant.results[0].uses):
                    with ir.InsertionPoint.at_block_begin(self.module.body):
                        kind = [constant.results[0].type]
                        function = func.FuncOp(f"{OWN}{next(self.numbers)}", ([], kind), visibility="private")
                        with ir.InsertionPoint(function.add_entry_block()):
                            func.ReturnOp([constant.clone().results[0]])
                    with ir.InsertionPoint(use.owner):
                        use.owner.operands[use.operand_number] = func.CallOp(function, []).results[0]
                constant.erase()
        self.converted = self.bytecode()
        return True

    def array_results(self):
        """Returns the shapes of the arrays that represent the result."""
        return [array for leaf in flat(self.result) if leaf != TOKEN for array in leaf.arrays()]

    def replace_results(self, results_of):
        """Makes the entry return results_of(value), built before the return, in place of each result."""
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
        """Marks the module as that of one partition, so that the SPMD partitioner does not change it."""
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
        """Returns the bytecode that the compiler receives."""
        file = io.BytesIO()
        self.module.operation.write_bytecode(file)
        return file.getvalue()
