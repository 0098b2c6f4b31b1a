"""The sources that each object of a build folder is compiled from."""

import json
import pathlib
import re

INCLUDED = re.compile(r'^#include ?["<]([^">]+\.cc)[">]$', re.M)


def sources_in(chunk, root):
    """Returns the sources below `root` that the text of a chunk includes."""
    paths = [(root / name).resolve() for name in INCLUDED.findall(chunk)]
    return [str(path.relative_to(root)) for path in paths if path.is_relative_to(root)]


def objects(build, root):
    """Yields each entry of the folder's compile_commands.json, its file, and the sources below `root` that it compiles.

    A file of the build folder that includes sources is a chunk: one object has all of them."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if file.suffix not in (".cc", ".cpp"):
            continue
        if file.is_relative_to(build.resolve()):
            yield entry, file, sources_in(file.read_text(), root)
        elif file.is_relative_to(root):
            yield entry, file, [str(file.relative_to(root))]
