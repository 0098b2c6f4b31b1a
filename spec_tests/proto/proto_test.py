"""Serialized modules against jaxlib's: what jaxlib writes, assay reads as the text of the same module; what assay
writes, jaxlib reads as that module. The table of fields is that of jaxlib's own descriptors."""

import mmap
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import jaxlib
from jaxlib import _hlo

from golden.witness.hlo.expansion import golden_text
from spec_tests.nightly import is_nightly
from spec_tests.wire_format import fields_of, first, varint

ROOT = pathlib.Path(__file__).parents[2]
PROTO_PRINT = os.environ["PROTO_PRINT"]
MOST_BYTES = 20_000  # of a golden
# A message has no place for these; a module of jaxlib's says nothing about its devices.
COUNTS = re.compile(r", (?:replica_count|num_partitions)=\d+")
WITHOUT_FIELD = re.compile(
    r", (?:alias_passthrough_params|allow_spmd_sharding_propagation_to_\w+)=(?:true|\{[a-z,]*\})")
# Fields of jaxlib 0.12, of which 0.10 knows nothing.
NEWER_MESSAGES = {"ShuffleMode", "ShuffleMode.Rotate"}
NEWER_FIELDS = {
    ("HloModuleProto", "backend_config"), ("HloComputationProto", "backend_config"),
    ("HloInstructionProto", "has_dynamic_root"), ("HloInstructionProto", "block_scaling_config"),
    ("HloInstructionProto", "comparison_order"),
    ("HloInstructionProto", "shuffle_mode"),
    ("NamedShardingProto", "reduction_op"), ("SparsityConfig.TensorSparsityConfig", "idx"),
}  # fmt: skip
KINDS = {1: "double", 2: "float", 9: "text", 11: "message", 12: "text"}  # by the type in a descriptor; else integer
REPEATED = 3


def printed(*arguments):
    """Returns the output of proto_print for each file."""
    done = subprocess.run([PROTO_PRINT, *map(str, arguments)], capture_output=True, text=True, timeout=600)
    return done.stdout.split("\f\n")[:-1]


def by_jaxlib(module):
    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    return module.to_string(options)


def read_by_jaxlib(message):
    return by_jaxlib(_hlo.HloModule.from_serialized_hlo_module_proto(message))


def without(pattern, text):
    """Returns the text without the matches of a pattern in the first line."""
    head, rest = text.split("\n", 1)
    return pattern.sub("", head) + "\n" + rest


def descriptors(name):
    """Returns the messages of a .proto file as jaxlib's library describes them: {name: {field: (number, kind,
    repeated)}}."""
    library = next(pathlib.Path(jaxlib.__file__).parent.glob("libjax_common.so"))
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        start = data.find(b"\n" + bytes([len(name)]) + name.encode() + b"\x12\x03xla")
        at, end = start, start
        while True:  # up to what is no field of a FileDescriptorProto
            key, at = varint(data, at)
            size, at = varint(data, at)
            if key & 7 != 2 or key >> 3 not in range(1, 13) or (key >> 3 == 1 and end > start):
                break
            at = end = at + size
        file_descriptor = data[start:end]
    found = {}
    for number, message in fields_of(file_descriptor):
        if number == 4:
            describe(message, "", found)
    return found


def describe(message, prefix, found):
    name = prefix + first(message, 1).decode()
    found[name] = {}
    for number, value in fields_of(message):
        if number == 2:
            kind = KINDS.get(first(value, 5), "integer")
            of = first(value, 6).decode().removeprefix(".xla.") if kind == "message" else ""
            found[name][first(value, 1).decode()] = (first(value, 3), kind, first(value, 4) == REPEATED, of)
        elif number == 3:
            describe(value, name + ".", found)


class ProtoTest(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_fields_are_those_of_jaxlib(self):
        known = descriptors("xla/service/hlo.proto") | descriptors("xla/xla_data.proto")
        rows = [line.split() for line in printed("--schema")[0].splitlines()]
        self.assertGreater(len(rows), 200)
        for message, field, number, kind, repeated, of in rows:
            if message in NEWER_MESSAGES or (message, field) in NEWER_FIELDS:
                continue
            with self.subTest(f"{message}.{field}"):
                self.assertEqual((int(number), kind, repeated == "repeated", of.strip("-")), known[message][field])

    def assert_exchanged(self, paths):
        """Both ways, for files of HLO text. jaxlib reads "-0" as 0, so it gets the text that assay prints of them."""
        exact = [self.folder / path.name for path in paths]
        for path, text in zip(exact, printed("--exact", *paths), strict=True):
            path.write_text(text)
        texts = printed("--exact", "--out", self.folder, *exact)
        messages = []
        for i, path in enumerate(exact):
            with self.subTest(path.name, way="written"):
                module = _hlo.hlo_module_from_text(path.read_text())
                message = module.as_serialized_hlo_module_proto()
                messages.append(self.folder / f"jaxlib{i}.pb")
                messages[-1].write_bytes(message)
                self.assertEqual(read_by_jaxlib((self.folder / f"{i}.pb").read_bytes()), read_by_jaxlib(message))
        for path, text, again in zip(exact, texts, printed("--exact", *messages), strict=True):
            with self.subTest(path.name, way="read"):
                self.assertEqual(again, without(WITHOUT_FIELD, without(COUNTS, text)))

    def test_every_form_of_the_grammar(self):
        """Literals of six-bit floats end jaxlib; tables of origins are not written (docs/formats.md)."""
        paths = sorted((ROOT / "spec_tests/hlo/texts").glob("*.hlo"))
        self.assert_exchanged([path for path in paths if path.name not in ("literals.hlo", "xla_recovery.hlo")])

    def test_goldens(self):
        count = 5 if is_nightly("five goldens of each op as messages of jaxlib") else 1
        paths = []
        for folder in sorted((ROOT / "golden").iterdir()):
            if folder.is_dir() and folder.name != "refused":
                # XLA's parser makes 2^-127 the next number.
                files = sorted(folder.glob("[!f]*.hlo") if folder.name == "constant" else folder.glob("*.hlo"))
                copies = map(self.expanded_copy, files)
                small = (path for path in copies if path.stat().st_size < MOST_BYTES)
                readable = (path for path in small if self.is_read_by_jaxlib(path))
                paths += [path for _, path in zip(range(count), readable)]
        self.assertGreater(len(paths), 110)
        self.assert_exchanged(paths)

    def expanded_copy(self, golden):
        """Returns the path of a copy whose repeated parts are written out."""
        copy = self.folder / "goldens" / golden.parent.name / golden.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(golden_text(golden))
        return copy

    @staticmethod
    def is_read_by_jaxlib(path):
        text = path.read_text()
        if re.search(r"f6e\dm\d", text):
            return False
        try:
            read_by_jaxlib(_hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto())
            return True
        except Exception:
            return False

    def test_every_golden_reads_back(self):
        """Also what jaxlib cannot read. Illegal modules need not."""
        paths = sorted(path for path in (ROOT / "golden").rglob("*.hlo") if path.parent.name != "refused")
        self.assertGreater(len(paths), 2500)
        paths = list(map(self.expanded_copy, paths))
        texts = printed("--exact", "--out", self.folder, *paths)
        again = printed("--exact", *(self.folder / f"{i}.pb" for i in range(len(paths))))
        for path, text, other in zip(paths, texts, again, strict=True):
            if text != other:
                with self.subTest(path.name):
                    self.assertEqual(other, text)
