"""Builds the wheel: the program and the PJRT plugins with their libraries, the corpus, the package `assay`, and a list
of what the programs contain (PEP 770). PEP 517 calls it.

    python -m pip wheel . --no-deps [-C build-dir=FOLDER]

One wheel works with every Python 3: it has no extension module, because the program runs in its own process. This is
not meson-python, which installs programs as scripts: the shared libraries, for which Debian has no static versions,
would not be in a place where a script finds them.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from wheel_sbom import components_of, copy_licenses, license_expression, license_of, sbom

try:
    import tomllib
except ImportError:  # before Python 3.11
    import tomli as tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python/assay"
# The libraries that PEP 600 guarantees on every Linux of the tag.
SYSTEM_LIBRARIES = re.compile(r"(ld-linux-.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so\.\d+")
SETUP = ["-Dtests=false", "-Dwerror=false"]


def get_requires_for_build_wheel(config_settings=None):
    """Returns the tools that this machine lacks; pip installs them besides the list of pyproject.toml."""
    return [name for name in ("meson", "ninja") if not shutil.which(name)]


get_requires_for_build_editable = get_requires_for_build_wheel


def project():
    """Returns the table of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def version():
    """Returns the version of the program and of the wheel."""
    return re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text())[1]


def stem():
    """Returns the common start of the names of the wheel and of its metadata folder."""
    return f"{project()['name'].replace('-', '_')}-{version()}"


def built_in(folder):
    """Builds the program and the PJRT plugins in the folder and returns their paths."""
    if not (folder / "build.ninja").exists():
        done = subprocess.run(["meson", "setup", str(folder), str(ROOT), *SETUP], check=False)
        if done.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)  # the next attempt starts anew
            sys.exit("meson found no compiler or lacks libraries: `tools/dev build` installs them on Debian and Ubuntu")
    built = ["tools/assay", "backends/pjrt/device/libassay_pjrt.so", "backends/pjrt/device/libassay_shadow.so"]
    subprocess.run(["ninja", "-C", str(folder), *built], check=True)
    return [folder / path for path in built]


def libraries_of(binaries):
    """Returns the shared libraries that must come with the binaries, by their names in them."""
    command = ["ldd", *map(str, binaries)]
    found = {}
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        name, arrow, path = line.strip().partition(" => ")
        if arrow and not SYSTEM_LIBRARIES.fullmatch(name):
            found[name] = pathlib.Path(path.split(" (")[0]).resolve(strict=True)
    return found


def patched(binary, target, rpath):
    """Copies a program or a library, and sets the path of its libraries."""
    shutil.copyfile(binary, target)
    target.chmod(0o755)
    subprocess.run(["patchelf", "--set-rpath", rpath, str(target)], check=True)


def stage(build, folder):
    """Puts the wheel's files besides Python into a folder, with the layout of `meson install` under a prefix. Returns
    the components that are not assay's own."""
    program, *plugins = built_in(build)
    libraries = libraries_of([program, *plugins])
    for name in ("bin", "lib", "share/assay/backends"):
        (folder / name).mkdir(parents=True)
    patched(program, folder / "bin/assay", "$ORIGIN/../lib")
    for name, path in {**{plugin.name: plugin for plugin in plugins}, **libraries}.items():
        patched(path, folder / "lib" / name, "$ORIGIN")
    data = folder / "share/assay"
    shutil.copytree(ROOT / "golden", data / "golden", ignore=shutil.ignore_patterns("make", "witness", "__pycache__"))
    shutil.copytree(
        ROOT / "backends/adapters", data / "backends/adapters", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copyfile(build / "tools/installed/backends.json", data / "backends.json")
    shutil.copyfile(ROOT / "LICENSE", data / "LICENSE")
    (data / "licenses").mkdir()
    components = components_of(build, [program, *plugins], libraries)
    copy_licenses(components, data / "licenses")
    for name in [component["source"] for component in components if not license_of(component)]:
        print(f"note: python/wheel_sbom.py has no license of {name}", file=sys.stderr)
    return components


def platform_tag(folder):
    """Returns the tag of the oldest glibc that has all symbols that the programs and libraries of the folder use."""
    newest = 17  # manylinux2014
    for path in [*folder.glob("bin/*"), *folder.glob("lib/*")]:
        newest = max([newest, *(int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", path.read_bytes()))])
    return f"manylinux_2_{newest}_{os.uname().machine}"


def metadata(tag, components):
    """Returns the files of the metadata folder."""
    table = project()
    lines = ["Metadata-Version: 2.1", f"Name: {table['name']}", f"Version: {version()}",
             f"Summary: {table['description']}", f"License: {license_expression(table['license'], components)}",
             f"Requires-Python: {table['requires-python']}"]  # fmt: skip
    lines += [f"Classifier: {name}" for name in table["classifiers"]]
    lines += [f"Requires-Dist: {name}" for name in table["dependencies"]]
    for extra, names in table["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {name}; extra == "{extra}"' for name in names)]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / table["readme"]).read_text()]
    entries = {"console_scripts": table["scripts"], **table["entry-points"]}
    sections = [f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in rows.items())
                for group, rows in entries.items()]  # fmt: skip
    wheel = f"Wheel-Version: 1.0\nGenerator: assay\nRoot-Is-Purelib: false\nTag: {tag}\n"
    return {"METADATA": "\n".join(lines), "WHEEL": wheel, "entry_points.txt": "\n".join(sections)}


def write_wheel(directory, tag, files, texts):
    """Writes the wheel from files by their names in it, and from texts of the metadata folder. Times are fixed, so that
    equal content gives equal bytes."""
    name = f"{stem()}-{tag}.whl"
    record = []
    with zipfile.ZipFile(pathlib.Path(directory, name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

        def add(path, data, mode):
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")

        for path, file in sorted(files.items()):
            add(path, file.read_bytes(), 0o755 if os.access(file, os.X_OK) else 0o644)
        folder = f"{stem()}.dist-info"
        for name_in_folder, text in texts.items():
            add(f"{folder}/{name_in_folder}", text.encode(), 0o644)
        add(f"{folder}/RECORD", ("\n".join([*record, f"{folder}/RECORD,,"]) + "\n").encode(), 0o644)
    return name


def build_folder(config_settings):
    """Returns the folder for ninja: the option build-dir, or build-wheel."""
    return ROOT / ((config_settings or {}).get("build-dir") or "build-wheel")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the wheel (PEP 517)."""
    with tempfile.TemporaryDirectory() as folder:
        staged = pathlib.Path(folder)
        components = stage(build_folder(config_settings), staged)
        files = {f"assay/_program/{path.relative_to(staged)}": path for path in staged.rglob("*") if path.is_file()}
        for path in PACKAGE.rglob("*"):
            if path.is_file() and path.suffix in (".py", ".typed") or path.name == "py.typed":
                files[f"assay/{path.relative_to(PACKAGE)}"] = path
        table, tag = project(), f"py3-none-{platform_tag(staged)}"
        bom = sbom(table["name"], version(), table["license"], components, staged / "lib")
        return write_wheel(wheel_directory, tag, files, {**metadata(tag, components), "sboms/assay.cdx.json": bom})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds an editable wheel (PEP 660). The package and what was built stay in the clone."""
    built_in(build_folder({"build-dir": "build", **(config_settings or {})}))
    with tempfile.TemporaryDirectory() as folder:
        link = pathlib.Path(folder, "assay_hlo.pth")
        link.write_text(f"{PACKAGE.parent}\n")
        return write_wheel(wheel_directory, "py3-none-any", {link.name: link}, metadata("py3-none-any", []))


def build_sdist(sdist_directory, config_settings=None):
    """Builds a source archive of the committed files (PEP 517)."""
    name = f"{stem()}.tar.gz"
    subprocess.run(["git", "-C", str(ROOT), "archive", f"--prefix={stem()}/", "-o",
                    str(pathlib.Path(sdist_directory, name).resolve()), "HEAD"], check=True)  # fmt: skip
    return name


if __name__ == "__main__":
    sys.exit("pip calls this: python -m pip wheel . --no-deps")
