"""Prints jaxlib's HLO text for a StableHLO program: a second opinion on assay's own conversion.

    python to_hlo.py --mlir FILE            StableHLO: text, bytecode or a portable artifact

The one line on standard output is JSON: {"hlo": text, "by": "jaxlib V"}, or {"error": why not}.
"""

import argparse
import json
import os
import pathlib


def printed(module):
    """Returns the text of an HloModule, with constants of any size."""
    from xla_peers import jaxlib_api

    options = jaxlib_api.HloPrintOptions()
    options.print_large_constants = True
    return module.to_string(options)


def from_mlir(data):
    """Returns HLO text, with the numbers of replicas and partitions in its header, which the conversion drops."""
    from xla_peers import jaxlib_api
    from xla_peers.stablehlo_module import parsed

    attributes = parsed(data).operation.attributes
    header, rest = printed(jaxlib_api.stablehlo_to_hlo(data)).split("\n", 1)
    for name, field in (("mhlo.num_replicas", "replica_count"), ("mhlo.num_partitions", "num_partitions")):
        if name in attributes and attributes[name].value > 1:
            header += f", {field}={attributes[name].value}"
    return f"{header}\n{rest}"


def converted(path):
    """Returns the object to print."""
    from xla_peers import jaxlib_api

    return {"hlo": from_mlir(path.read_bytes()), "by": f"jaxlib {jaxlib_api.VERSION}"}


def main():
    """Prints the line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mlir", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    # Libraries print to descriptor 1.
    reply = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        result = converted(arguments.mlir)
    except ImportError as error:
        result = {"error": f"that needs jaxlib, which this Python lacks ({error}); "
                  "python3 -m pip install jaxlib installs it, in a clone tools/dev build"}
    except Exception as error:
        # An error of MLIR has one line for each diagnostic.
        result = {"error": "; ".join(str(error).replace("error: ", "").split("\n")) or type(error).__name__}
    print(json.dumps(result), file=reply, flush=True)


if __name__ == "__main__":
    main()
