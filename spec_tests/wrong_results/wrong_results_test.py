"""What XLA:CPU is known to get wrong is FAIL, and what it may do another way is not."""

import re
import unittest

from spec_tests.nightly import is_nightly
from spec_tests.wrong_results import measure

BACKEND = "xla-cpu"


class WrongResultsTest(unittest.TestCase):
    def test_every_module_has_the_wanted_verdict(self):
        modules = measure.modules("*.hlo", "lawful/*.hlo", "reduced/*.hlo")
        self.assertGreater(len(modules), 240)
        if not is_nightly("four of five wrong and lawful results of XLA:CPU"):
            modules = modules[2::5]
        verdicts = measure.verdicts(modules, BACKEND)
        unwanted = {
            f"{module.name}: {verdict}"
            for module, verdict in zip(modules, verdicts)
            if not module.is_wanted(BACKEND, verdict)
        }
        self.assertEqual(unwanted, set())
        kinds = {module.kind(BACKEND) for module in modules}
        self.assertEqual(kinds, {"wrong", "right", "lawful"})

    def test_every_wrong_module_has_a_row_of_origins(self):
        rows = set(re.findall(r"^\| `(\w+)` ", (measure.FOLDER / "origins.md").read_text(), re.MULTILINE))
        modules = measure.modules("*.hlo")
        self.assertEqual(rows, {module.name for module in modules if module.kind(BACKEND) == "wrong"})


if __name__ == "__main__":
    unittest.main()
