"""Compares assay's conversion of StableHLO to HLO with XLA's, by meaning and by text."""

import re

from backends.adapters.xla_peers import hlo_difference, jaxlib_api
from backends.adapters.xla_peers.stablehlo_module import mlir_context

# XLA's conversion does this to a program before it makes HLO of it: first it expands functions of CHLO to formulas,
# then it simplifies, constant folding above all.
EXPANSION = "func.func(chlo-legalize-to-high-level-mhlo,chlo-legalize-to-stablehlo)"
CANONICALIZATION = "stablehlo-legalize-to-hlo,func.func(canonicalize),hlo-legalize-to-stablehlo"


def text_of(module):
    """Returns a module of MLIR in the generic form."""
    return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True).encode()


def canonical(program, expands=False):
    """Returns the text of a program as XLA's conversion simplifies it, after its expansion of functions on demand."""
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import mhlo
    from jaxlib.mlir.passmanager import PassManager

    mhlo.register_mhlo_passes()
    with mlir_context(), ir.Location.unknown():
        module = ir.Module.parse(program)
        try:
            passes = f"{EXPANSION},{CANONICALIZATION}" if expands else CANONICALIZATION
            PassManager.parse(f"builtin.module({passes})").run(module.operation)
        except ir.MLIRError:  # asynchronous operations have no way back
            return None
        return text_of(module)


def difference(ours, xlas):
    """Describes the instruction in which two modules differ; empty if there is none. A rule that takes one to the other
    may have no rule back."""
    return hlo_difference.difference(xlas, ours) and hlo_difference.difference(ours, xlas)


def printed(module):
    """Returns jaxlib's text of an HloModule, with all constants."""
    options = jaxlib_api.HloPrintOptions()
    options.print_large_constants = True
    return module.to_string(options)


def without_names(text):
    """Returns HLO text without signatures, with the number of the first use in place of each name."""
    numbers = {}
    text = re.sub(r"^((?:ENTRY )?%\S+) \(.* -> .*\{$", r"\1 {", text, flags=re.MULTILINE)
    return re.sub(r"%[\w.\-]+", lambda name: numbers.setdefault(name[0], f"%{len(numbers)}"), text)


def without_metadata(text):
    """Returns HLO text without the metadata of instructions and the tables of places in the source."""
    text = re.sub(r"\nFileNames\n.*?\n\n(?=%|ENTRY)", "\n", text, flags=re.DOTALL)
    return re.sub(r', metadata=\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}', "", text)
