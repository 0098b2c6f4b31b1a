"""The choice of the profile: a built-in one, a file, the one in backends.json, the one of lawful noise."""

import json
import subprocess

from command_line import ADD, ASSAY, PEER, CliTest


class ProfilesTest(CliTest):
    SMALL = "//! case one small numbers\n//! arg f32[2] 1 2\n//! want f32[2] -1 -2"

    def test_an_alias_names_the_profile_that_it_is_judged_by(self):
        corpus = self.corpus_of(self.SMALL)
        peer = {"command": ["sh", "-c", PEER]}
        self.file("backends.json", {"plain": peer, "strict": {**peer, "profile": "exact"}})
        for backend, options, profile in (("plain", [], "xla"), ("strict", [], "exact"), ("reference", [], "xla"),
                                          ("strict", ["--profile", "fast"], "fast")):
            with self.subTest(backend=backend, options=options):
                subprocess.run([ASSAY, "check", "--corpus", corpus, "--backend", backend, "--report", self.report,
                                *options], cwd=self.folder, capture_output=True, timeout=600)
                self.assertEqual(self.results(self.report)["profile"], profile)

    def test_profiles(self):
        corpus = self.corpus_of(self.SMALL)
        module = self.file("m.hlo", ADD)
        row = '{"op": "tahn", "ulp": 1, "source": "s"}'
        bad = self.file("bad.json", '{"name": "p", "meaning": "m", "allowances": [' + row + "]}")
        for command in (["diff", module, "--backend", "reference"], ["check", "--corpus", corpus]):
            known = "the built-in profiles are exact, ieee, xla, xla-cpu, ftz, fast"
            self.assert_fails(2, known, *command, "--profile", self.folder / "none")
            self.assert_fails(2, "there is no op tahn", *command, "--profile", bad)
        mine = self.file("mine.json", '{"name": "mine", "extends": "fast", "meaning": "m"}')
        self.assertEqual(self.assay("diff", module, "--backend", "reference", "--profile", mine).returncode, 0)
        for profile, name in (("ieee", "ieee"), (mine, "mine")):
            report = self.folder / name
            self.assay("check", "--corpus", corpus, "--profile", profile, "--report", report, code=0)
            self.assertEqual(self.results(report)["profile"], name)

    def test_lawful_noise_of_a_profile_in_a_file(self):
        module = self.file("sum.hlo", "HloModule m\n"
                           "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
                           "ENTRY e { p = f32[999] parameter(0) z = f32[] constant(0) "
                           "ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=add }")
        for extended, verdicts in (("exact", {"EXACT"}), ("xla", {"EXACT", "LEGAL"})):
            profile = self.file("mine.json", {"name": "mine", "extends": extended, "meaning": "m"})
            found = set()
            for seed in range(8):
                result = self.assay("diff", module, "--backend", f"lawful:{profile}:{seed}", "--format", "json", code=0)
                found.add(json.loads(result.stdout)["verdict"])
            self.assertEqual(found, verdicts)
        self.assert_fails(2, "the built-in profiles are exact", "run", module, "--backend", "lawful:none.json")
        self.assert_fails(2, "the seed a number, found the seed none", "run", module, "--backend", "lawful:xla:none")
