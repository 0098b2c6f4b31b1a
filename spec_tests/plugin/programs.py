"""Programs in JAX for the plugin: python programs.py NAME... runs them in this process, on assay beside XLA:CPU.

A program is a function of one of the modules below, and fails by an exception. plugin_test.py starts a process for each
group of them.
"""

import sys

from spec_tests.plugin import exports, one_device, several_devices, training


def main():
    """Runs the programs and prints a line for each."""
    for name in sys.argv[1:]:
        module = next(module for module in (exports, one_device, several_devices, training) if hasattr(module, name))
        getattr(module, name)()
        print("ok", name, flush=True)


if __name__ == "__main__":
    main()
