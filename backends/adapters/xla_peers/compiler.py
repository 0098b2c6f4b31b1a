"""XLA's passes: which ones change a module, and how to leave some out."""

import dataclasses
import pathlib
import re
import tempfile

# Other ways to generate code after the passes. All versions from jaxlib 0.4.30 on know these settings.
SETTINGS = {
    "xla_backend_optimization_level": "0",
    "xla_llvm_disable_expensive_passes": "true",
    "xla_cpu_enable_fast_min_max": "false",
    "xla_cpu_enable_fast_math": "false",
}
# The number of a dump, and the passes before and after it: 0006.simplification.after_algsimp.before_simplify-sorts.txt
DUMP = re.compile(r"\.(\d{4})\.([^.]+)\.after_([^.]+)\.before_([^.]+)\.txt$")
START = "pipeline-start"


@dataclasses.dataclass(frozen=True)
class Options:
    """The compiler options of a request."""

    disable_passes: tuple = ()
    settings: tuple = ()

    def apply(self, compile_options):
        """Sets the options in jaxlib's CompileOptions."""
        debug = compile_options.executable_build_options.debug_options
        if self.disable_passes:
            debug.xla_disable_hlo_passes = ",".join(self.disable_passes)
        if self.settings:
            compile_options.env_option_overrides = [(name, typed(value)) for name, value in self.settings]


def typed(text):
    """Returns a setting as jaxlib expects it: text that is spelled like a flag or a number becomes one."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def traced(compile_options, run):
    """Calls `run`, which compiles with the options. Returns the passes that changed the module, in order."""
    with tempfile.TemporaryDirectory() as folder:
        debug = compile_options.executable_build_options.debug_options
        debug.xla_dump_to = folder
        debug.xla_dump_hlo_as_text = True
        debug.xla_dump_hlo_pass_re = ".*"
        run()
        return passes_in(pathlib.Path(folder))


def passes_in(folder):
    """Returns the passes of a dump. XLA writes the module before a pipeline and after each pass that changed it."""
    dumps = sorted(path for path in folder.iterdir() if DUMP.search(path.name))
    pipelines = {DUMP.search(path.name)[2] for path in dumps}
    passes, before = [], None
    for path in dumps:
        name, after = DUMP.search(path.name)[3], path.read_text()
        if before is not None and after != before and name != START and name not in pipelines:
            passes.append({"name": name, "before": before, "after": after})
        before = after
    return passes
