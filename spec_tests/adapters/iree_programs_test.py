"""iree_programs: kept programs are found only unchanged, and only for the compiler, flags and module that they are of."""

import pathlib
import tempfile
import unittest
from unittest import mock

from backends.adapters import iree_programs
from backends.adapters.iree_programs import Programs

ENTRY = {"program": b"the bytes of a program", "function": "main"}


class ProgramsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def programs(self, version="1", flags=("--f",)):
        return Programs(version, flags, self.folder)

    def damage(self, data):
        (file,) = (file for file in self.folder.iterdir() if file.read_bytes() == data)
        file.write_bytes(b"other bytes")

    def test_another_process_finds_an_entry(self):
        self.programs().add("module", ENTRY)
        self.assertEqual(self.programs().find("module"), ENTRY)

    def test_errors_are_kept_too(self):
        error = {"error": "no rule for fft", "is_lacking": True}
        self.programs().add("module", error)
        self.assertEqual(self.programs().find("module"), error)

    def test_another_module_version_or_flag_has_no_entry(self):
        self.programs().add("module", ENTRY)
        self.assertIsNone(self.programs().find("another module"))
        self.assertIsNone(self.programs(version="2").find("module"))
        self.assertIsNone(self.programs(flags=()).find("module"))

    def test_another_processor_has_no_entry(self):
        self.programs().add("module", ENTRY)
        with mock.patch.object(iree_programs, "processor", return_value=["model name: another"]):
            self.assertIsNone(self.programs().find("module"))

    def test_a_damaged_program_is_absent_until_it_is_added_again(self):
        self.programs().add("module", ENTRY)
        self.damage(ENTRY["program"])
        self.assertIsNone(self.programs().find("module"))
        self.programs().add("module", ENTRY)
        self.assertEqual(self.programs().find("module"), ENTRY)

    def test_a_damaged_entry_is_absent(self):
        self.programs().add("module", ENTRY)
        (self.folder / self.programs().key("module")).write_bytes(b'{"program": ')
        self.assertIsNone(self.programs().find("module"))

    def test_the_folder_is_bounded(self):
        for number in range(10):
            self.programs().add(f"module {number}", {"error": "x" * 1000, "is_lacking": False})
        with mock.patch.object(iree_programs, "MOST_BYTES", 6000):
            self.programs()
        self.assertTrue(0 < sum(file.stat().st_size for file in self.folder.iterdir()) <= 3000)

    def test_a_file_that_another_process_renames_meanwhile_does_no_harm(self):
        self.programs().add("module", ENTRY)
        (self.folder / "temporary").symlink_to("renamed")  # listed, and absent when it is looked at
        self.assertEqual(self.programs().find("module"), ENTRY)
