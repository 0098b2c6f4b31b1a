"""assay diff on functions of JAX beside rewrites of them by hand."""

from pairs_test import PairTest as Pairs
from rewritten_functions import RIGHT, WRONG, text


class RewrittenFunctions(Pairs):
    def verdicts(self, pairs, *options):
        verdicts = {}
        for name, (before, after, shapes) in pairs.items():
            report = self.diff(text(before, shapes), text(after, shapes), *options)
            verdicts.setdefault(report["verdict"], []).append(name)
        return verdicts

    def test_a_rewrite_that_keeps_the_meaning_is_no_failure(self):
        self.assertEqual(len(RIGHT), 40)
        verdicts = self.verdicts(RIGHT)
        self.assertLessEqual(set(verdicts), {"EXACT", "LEGAL"}, verdicts)

    def test_a_fault_is_found(self):
        self.assertEqual(len(WRONG), 20)
        verdicts = self.verdicts(WRONG, "--search", 100)
        self.assertEqual(set(verdicts), {"FAIL"}, verdicts)
