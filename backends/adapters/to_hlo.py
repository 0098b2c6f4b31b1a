"""Prints as HLO text what a file holds in another form, for assay, which reads HLO text alone.

    python to_hlo.py --mlir FILE            StableHLO: text, bytecode or a portable artifact
    python to_hlo.py --message FILE         HloModuleProto, HloProto, HloSnapshot or HloUnoptimizedSnapshot, serialized
    python to_hlo.py ... --inputs SNAPSHOT  with the arguments in one of the latter two

The one line on standard output is JSON: {"hlo": text, "by": "jaxlib V", "inputs_per_device": lists of values, or null},
or {"error": why not}.
"""

import argparse
import json
import os
import pathlib


def printed(module):
    """The text of an HloModule, constants of any size included."""
    from xla_peers import jaxlib_api

    options = jaxlib_api.HloPrintOptions()
    options.print_large_constants = True
    return module.to_string(options)


def from_mlir(data):
    """HLO text, with the numbers of replicas and partitions in its header, which the conversion drops."""
    from xla_peers import jaxlib_api
    from xla_peers.stablehlo_module import parsed

    attributes = parsed(data).operation.attributes
    header, rest = printed(jaxlib_api.stablehlo_to_hlo(data)).split("\n", 1)
    for name, field in (("mhlo.num_replicas", "replica_count"), ("mhlo.num_partitions", "num_partitions")):
        if name in attributes and attributes[name].value > 1:
            header += f", {field}={attributes[name].value}"
    return f"{header}\n{rest}"


def converted(arguments):
    """The object to print."""
    from xla_peers import jaxlib_api
    from xla_peers.protobuf import module_and_inputs

    hlo, inputs = None, None
    if arguments.mlir:
        hlo = from_mlir(arguments.mlir.read_bytes())
    if arguments.message:
        proto, inputs = module_and_inputs(arguments.message.read_bytes())
        hlo = printed(jaxlib_api.HloModule.from_serialized_hlo_module_proto(proto))
    if arguments.inputs:
        inputs = module_and_inputs(arguments.inputs.read_bytes())[1]
    return {"hlo": hlo, "by": f"jaxlib {jaxlib_api.VERSION}", "inputs_per_device": inputs}


def main():
    """Prints the line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mlir", type=pathlib.Path)
    parser.add_argument("--message", type=pathlib.Path)
    parser.add_argument("--inputs", type=pathlib.Path)
    arguments = parser.parse_args()
    # Libraries print to descriptor 1.
    reply = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        result = converted(arguments)
    except ImportError as error:
        result = {"error": f"that needs jaxlib, which this Python lacks ({error}); "
                  "python3 -m pip install jaxlib installs it, in a clone tools/dev build"}
    except Exception as error:
        # MLIR's have a line for each thing that it says.
        result = {"error": "; ".join(str(error).replace("error: ", "").split("\n")) or type(error).__name__}
    print(json.dumps(result), file=reply, flush=True)


if __name__ == "__main__":
    main()
