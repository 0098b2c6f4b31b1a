"""Several StableHLO modules as one, which a compiler may take in less time than each alone."""

import re

from .stablehlo_module import mlir_context


def joined(texts):
    """Returns the text of one module that has the functions of several. Those of module 3 begin with "m3."."""
    from jaxlib.mlir import ir

    with mlir_context(), ir.Location.unknown():
        whole = ir.Module.create()
        for number, text in enumerate(texts):
            module = ir.Module.parse(text)
            for function in list(module.body.operations):
                name = function.attributes["sym_name"].value
                ir.SymbolTable.replace_all_symbol_uses(name, f"m{number}.{name}", module.operation)
                ir.SymbolTable.set_symbol_name(function, f"m{number}.{name}")
            for function in list(module.body.operations):
                whole.body.append(function)
        return whole.operation.get_asm(large_elements_limit=None, print_generic_op_form=True)


def faulty_modules(whole, said):
    """Returns the numbers of the modules that the errors in `said`, the compiler's output, name.

    The compiler names lines; the linker and LLVM's report of a crash name functions.
    """
    owners, owner = [], None
    for line in whole.splitlines():
        function = re.match(r'  "func\.func"\(\).*sym_name = "m(\d+)\.', line)
        owner = int(function[1]) if function else owner
        owners.append(owner)
    places = (int(line) for line in re.findall(r"^source\.mlir:(\d+):\d+: error:", said, re.M))
    named = re.findall(r"""(?:\.o:\(|on function '@"?)m(\d+)\.""", said)
    return {owners[place - 1] for place in places if place <= len(owners)} - {None} | set(map(int, named))
