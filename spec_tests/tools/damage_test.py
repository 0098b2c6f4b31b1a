"""Backends that are wrong in large results, or on other devices, alone: which ops of the corpus notice them.

These are the reference with its results damaged at the end (backends/mutant/damage.cc).
"""

import json
import pathlib
import tempfile
import unittest

from command_line import ASSAY, ran

from spec_tests.nightly import is_nightly

# Folders of the corpus that are about no single op.
OTHERS = {"programs", "quantized", "refused", "miscompilations", "wrong_results"}
# Ops without large results: tokens, scalars, and ops whose values are not pinned.
SMALL = {"after-all", "get-dimension-size", "partition-id", "replica-id", "rng", "rng-get-and-update-state", "shuffle",
         # Peers take no dynamic dimension at the entry, so its result is seen by its size.
         "set-dimension-size"}  # fmt: skip
DEVICES = {"all-gather", "all-reduce", "all-reduce-start", "all-to-all", "collective-broadcast", "collective-permute",
           "collective-permute-start", "collective-permute-done", "collective-reduce", "partition-id",
           "ragged-all-to-all", "reduce-scatter", "replica-id"}  # fmt: skip


# They have results of many pages.
PAGES = {"add", "broadcast", "copy", "multiply", "opt-barrier", "reverse"}


def of(ops):
    """Returns the filter that keeps the goldens of some ops."""
    return " | ".join(f"op={op}" for op in sorted(ops))


def ops_of(damage, kept):
    """Returns the ops of the goldens that a filter keeps, and those of them with a case that fails."""
    with tempfile.TemporaryDirectory() as folder:
        command = [ASSAY, "check", "--backend", f"mutant:{damage}", "--report", folder, "--filter", kept]
        done = ran(*command, timeout=600)
        if done.returncode != 1:
            raise AssertionError(f"{command}: {done.returncode} {done.stderr}")
        cases = json.loads((pathlib.Path(folder) / "results.json").read_text())["cases"]
    return {case["op"] for case in cases}, {case["op"] for case in cases if case["verdict"] in ("SUSPECT", "FAIL")}


class DamageTest(unittest.TestCase):
    def test_results_in_part(self):
        for damage, but in (
            ("result_ends_at_50", SMALL - {"rng", "set-dimension-size"}),
            # Element 1024 of these is zero anyway.
            ("result_ends_at_1024", SMALL | {"and", "count-leading-zeros"}),
            ("result_without_remainder_of_128", SMALL),
            # The last two of is-finite are both true.
            ("last_of_odd_above_100", SMALL | {"is-finite"}), ("last_of_odd_above_1000", SMALL | {"is-finite"}),
        ):  # fmt: skip
            if damage == "result_ends_at_50" or is_nightly(f"{damage} for all operations"):
                with self.subTest(damage):
                    ops, noticing = ops_of(damage, "level1")
                    self.assertEqual(ops - noticing - OTHERS, but)

    def test_pages_and_threads(self):
        for damage in ("result_ends_at_8192", "result_ends_at_65536"):
            _, noticing = ops_of(damage, of(PAGES))
            self.assertEqual(PAGES, noticing, damage)

    def test_one_value_for_all_devices(self):
        devices = DEVICES - {"collective-permute-start", "all-reduce-start"}
        _, noticing = ops_of("second_device", of(devices))
        self.assertEqual(devices, noticing)
