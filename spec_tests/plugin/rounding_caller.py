"""A caller whose thread rounds upward: the plugin rounds to nearest, and leaves the caller's mode as it was. JAX
compiles on a thread that flushes subnormal numbers, which is a part of the same environment.

    python rounding_caller.py libassay_pjrt.so
"""

import array
import ctypes
import sys

from pypjrt._loader import Plugin
from pypjrt.client import Client, Device

F64 = 12
UPWARD = 0x800
ADD_A_CONSTANT = """
module {
  func.func public @main(%a: tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>) {
    %0 = stablehlo.constant dense<0.3> : tensor<1xf64>
    %1 = stablehlo.add %a, %0 : tensor<1xf64>
    return %0, %1 : tensor<1xf64>, tensor<1xf64>
  }
}
"""


def main():
    plugin = Plugin(sys.argv[1])
    plugin.initialize()
    client = Client(plugin)
    device = Device(plugin, client._addressable()[0])
    argument = client.buffer_from_host(array.array("d", [1e-30]), F64, [1], device)
    libm = ctypes.CDLL("libm.so.6")
    libm.fesetround(UPWARD)
    program = client.compile(ADD_A_CONSTANT)
    modes = [libm.fegetround()]
    results = program(argument)
    modes.append(libm.fegetround())
    libm.fesetround(0)
    found = array.array("d")
    for result in results:
        found.frombytes(result.to_host())
    assert modes == [UPWARD, UPWARD], modes
    assert found.tolist() == [0.3, 0.3], [number.hex() for number in found]
    print("ok")


if __name__ == "__main__":
    main()
