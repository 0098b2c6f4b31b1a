"""The list of what the programs of the wheel contain besides assay, as CycloneDX 1.5 (https://cyclonedx.org), and the
texts of its licenses.

ninja knows the headers and the static libraries of each program, ldd the shared ones, and dpkg their packages. A
component is a source package of Debian or Ubuntu.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import urllib.parse

# The compiler's and the C library's own, which every Linux has.
SYSTEM_PACKAGES = re.compile(r"(libc6|libgcc|libstdc\+\+|linux-libc|libclang-common)\W.*")
# Source packages, without the digits at the end of their names, and the licenses of the parts that assay uses.
LICENSES = {
    "asmjit": "Zlib",
    "boost": "BSL-1.0",
    "cli": "BSD-3-Clause",
    "fftw": "GPL-2.0-or-later",
    "fmtlib": "MIT",
    "gmp": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "highway": "Apache-2.0",
    "lapack": "BSD-3-Clause",
    "mimalloc": "MIT",
    "mpclib": "LGPL-3.0-or-later",
    "mpfr": "LGPL-3.0-or-later",
    "nlohmann-json": "MIT",
    "pugixml": "MIT",
}


def output_of(*command):
    """Returns the standard output of a command, also of one that fails: dpkg-query fails if one of many paths is no
    package's."""
    return subprocess.run([*map(str, command)], check=False, capture_output=True, text=True).stdout


def linked_files(build, programs):
    """Returns the headers and the static libraries of the system in the programs of a build folder."""
    names = [str(program.relative_to(build)) for program in programs]
    inputs = output_of("ninja", "-C", build, "-t", "inputs", *names).split()
    headers = output_of("ninja", "-C", build, "-t", "deps", *[name for name in inputs if name.endswith(".o")])
    static = [os.path.realpath(name) for name in inputs if re.match(r"/.*\.a$", name)]
    return {*re.findall(r"^    (/usr/.*)$", headers, re.M), *static}


def packages_of(paths):
    """Returns the binary packages that installed the paths: {package: paths}."""
    if not paths or not shutil.which("dpkg-query"):
        return {}
    found = {}
    # A package may know /usr/lib as /lib.
    known_as = sorted({*paths, *(path.removeprefix("/usr") for path in paths)})
    for line in output_of("dpkg-query", "-S", *known_as).splitlines():
        package, _, path = line.partition(": ")
        if not SYSTEM_PACKAGES.match(package):
            found.setdefault(package.partition(":")[0], []).append(path)
    return found


def components_of(build, programs, libraries):
    """Returns the components. `libraries` are the shared libraries in the wheel: {name in the wheel: path here}."""
    shared = {str(path): name for name, path in libraries.items()}
    owners = packages_of({*linked_files(build, programs), *shared})
    by_source = {}
    for package, paths in sorted(owners.items()):
        described = output_of("dpkg-query", "-W", "-f", r"${source:Package} ${source:Version}\n", package)
        source, version = described.split()[:2]
        new = {"source": source, "version": version, "uses": set(), "files": [], "text": None}
        component = by_source.setdefault(source, new)
        for path in paths:
            name = shared.get(path) or shared.get(f"/usr{path}")
            component["files"] += [name] if name else []
            component["uses"].add("shared library" if name else "static library" if path.endswith(".a") else "headers")
        text = pathlib.Path("/usr/share/doc", package, "copyright")
        component["text"] = component["text"] or (text if text.is_file() else None)
    known = {name for component in by_source.values() for name in component["files"]}
    without = {"version": None, "uses": {"shared library"}, "text": None}
    unknown = [{**without, "source": name, "files": [name]} for name in libraries if name not in known]
    return [*by_source.values(), *unknown]


def license_of(component):
    """Returns the SPDX expression of a component; None if the table has none."""
    return LICENSES.get(re.sub(r"[\d.]+$", "", component["source"]))


def license_expression(own, components):
    """Returns the SPDX expression of the wheel as a whole."""
    found = sorted({own, *filter(None, map(license_of, components))})
    return " AND ".join(f"({expression})" if " OR " in expression else expression for expression in found)


def copy_licenses(components, folder):
    """Copies the texts of the licenses, with those of Debian's common licenses to which they refer."""
    common = set()
    for component in components:
        if component["text"]:
            shutil.copyfile(component["text"], folder / component["source"])
            common |= set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", component["text"].read_text()))
    for name in common:
        path = pathlib.Path("/usr/share/common-licenses", name)
        if path.is_file():
            shutil.copyfile(path, folder / path.resolve().name)


def sbom(name, version, own_license, components, folder):
    """Returns the document. `folder` holds the wheel's copies of the shared libraries."""
    system = re.search(r"^ID=(\w+)", pathlib.Path("/etc/os-release").read_text(), re.M)[1]
    rows = []
    for component in sorted(components, key=lambda component: component["source"]):
        row = {"type": "library", "name": component["source"]}
        if component["version"]:
            row["version"] = component["version"]
            version_in_purl = urllib.parse.quote(component["version"], safe=":~")
            row["purl"] = f"pkg:deb/{system}/{component['source']}@{version_in_purl}?arch=source"
        if expression := license_of(component):
            row["licenses"] = [{"expression": expression}]
        row["properties"] = [{"name": "assay:use", "value": use} for use in sorted(component["uses"])]
        row["components"] = [
            {"type": "file", "name": f"assay/_program/lib/{file}",
             "hashes": [{"alg": "SHA-256", "content": hashlib.sha256((folder / file).read_bytes()).hexdigest()}]}
            for file in sorted(component["files"])
        ]  # fmt: skip
        rows.append(row)
    own = {"type": "application", "name": name, "version": version, "purl": f"pkg:pypi/{name}@{version}",
           "licenses": [{"license": {"id": own_license}}]}  # fmt: skip
    head = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": own}}
    return json.dumps({**head, "components": rows}, indent=1) + "\n"
