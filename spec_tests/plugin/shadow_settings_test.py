"""Wrong settings of the shadow are errors that say what was expected (docs/shadow.md#options)."""

import shutil

from shadow_test import ADD, ASSAY, FAKE, INPUTS, SHADOW, ShadowTest


NAMES = "share, profile, folder, max_bytes, queue, queue_bytes, full, pieces, seconds, budget, wait"
NUMBER = "expected a number from {} to {}, found {}"
# Wrong options, and what the message says.
OPTIONS = [
    ("share", "expected OPTION=VALUE;OPTION=VALUE, found share"),
    ("speed=1", f"unknown option speed: expected one of {NAMES}"),
    ("share=0", "option share: expected once, all, or N for each N-th execution, found 0"),
    ("share=some", "option share: expected once, all, or N for each N-th execution, found some"),
    ("max_bytes=-1", "option max_bytes: " + NUMBER.format(1, 1099511627776, -1)),
    ("queue=0", "option queue: " + NUMBER.format(1, 1000000000, 0)),
    ("queue_bytes=0", "option queue_bytes: " + NUMBER.format(1, 1099511627776, 0)),
    ("full=stop", "option full: expected skip or wait, found stop"),
    ("pieces=1", "option pieces: expected false or true, found 1"),
    ("seconds=0", "option seconds: expected a number from 0.001 to"),
    ("budget=x", "option budget: expected a number from 0.001 to"),
    ("wait=-1", "option wait: expected a number from 0 to"),
    ("folder=", "option folder: expected a folder, found nothing"),
    ("profile=none", "option profile: none: "),
    ("folder=/proc/nothing", "/proc/nothing"),
]
ITSELF = " is the shadow itself: expected the plugin to shadow"
# Plugins that cannot be shadowed.
PLUGINS = [
    ("", "ASSAY_SHADOW: expected the plugin to shadow: FILE[:OPTION=VALUE;...], or a name in backends.json"),
    ("nowhere.so", "ASSAY_SHADOW: there is no file nowhere.so: "),
    ("simd", "there is no file simd: unknown plugin simd: expected one of lammps-jax-pjrt-cpu, xla-cpu-pjrt\n"),
    ("xla-cpu", "xla-cpu is not a PJRT plugin: backends.json gives it a command"),
    (ASSAY, "cannot be used: "),
    (f"{FAKE}:devices", "an option must be OPTION=VALUE, found 'devices'"),
    (f"{FAKE}:xla_cpu_x=1", "xla_cpu_x is a setting of the compiler, which the program chooses: XLA_FLAGS sets it"),
    # By another name, and as a copy: the loader sees a copy as another library.
    *((plugin, ITSELF) for plugin in (SHADOW, "link.so", "copy.so", "of_copy.so")),
]


class Settings(ShadowTest):
    def test_wrong_ones_are_errors(self):
        (self.folder / "link.so").symlink_to(SHADOW)
        shutil.copy(SHADOW, self.folder / "copy.so")
        (self.folder / "of_copy.so").hardlink_to(self.folder / "copy.so")
        rows = [({"options": options}, reason) for options, reason in OPTIONS]
        rows += [({"plugin": plugin}, reason) for plugin, reason in PLUGINS]
        # Programs that do not judge.
        rows += [({"ASSAY_PROGRAM": "/nowhere/assay"}, "cannot start /nowhere/assay"),
                 ({"ASSAY_PROGRAM": "/bin/false"}, "exit code 1")]
        for settings, reason in rows:
            with self.subTest(**settings):
                done = self.on_shadow(ADD, *INPUTS, **settings)
                self.assertEqual((done.returncode, done.stdout), (3, ""))
                self.assertIn(reason, done.stderr)
        for table in ("size-64", "null-20"):  # without functions that the shadow replaces
            self.assertIn("cannot be shadowed: its table", self.on_shadow(ADD, *INPUTS, FAKE_PJRT_TABLE=table).stderr)
