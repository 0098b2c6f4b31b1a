"""The extension for layouts: what the plugin says of buffers and of executables.

    python layouts.py libassay_pjrt.so
"""

import array
import sys

from pypjrt import errors, extensions
from pypjrt._loader import Plugin
from pypjrt.client import Client, Device

F32, NO_TYPE = 11, 99
TRANSPOSE = """
module {
  func.func public @main(%a: tensor<2x3x4xf32>, %b: tensor<f32>) -> (tensor<4x3xf32>, tensor<f32>) {
    %0 = stablehlo.slice %a [0:1, 0:3, 0:4] : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    return %2, %b : tensor<4x3xf32>, tensor<f32>
  }
}
"""


def texts(layouts):
    return [layout.serialize().decode() for layout in layouts]


def main():
    plugin = Plugin(sys.argv[1])
    plugin.initialize()
    client = Client(plugin)
    device = Device(plugin, client._addressable()[0])
    buffer = client.buffer_from_host(array.array("f", range(6)), F32, [3, 2], device)
    with extensions.buffer_layout(buffer) as layout:
        assert texts([layout]) == ["{1,0}"], texts([layout])
    for dimensions, text in (((), "{}"), ((5,), "{0}"), ((2, 0, 7), "{2,1,0}")):
        with extensions.default_layout(client, F32, dimensions) as layout:
            assert texts([layout]) == [text], texts([layout])
    try:
        extensions.default_layout(client, NO_TYPE, (1,))
        raise AssertionError("there was no error")
    except errors.PjrtError as error:
        assert error.code == 12, error
    executable = client.compile(TRANSPOSE)
    assert texts(extensions.executable_layouts(executable, "parameters")) == ["{2,1,0}", "{}"]
    assert texts(extensions.executable_layouts(executable, "outputs")) == ["{1,0}", "{}"]
    columns = ("%a: tensor<2x3x4xf32>", '%a: tensor<2x3x4xf32> {mhlo.layout_mode = "{0,2,1}"}')
    tiles = ("%b: tensor<f32>)", '%b: tensor<f32> {mhlo.layout_mode = "{:T(8)}"})')
    chosen = ("tensor<4x3xf32>, tensor<f32>) {", 'tensor<4x3xf32> {mhlo.layout_mode = "auto"}, tensor<f32>) {')
    executable = client.compile(TRANSPOSE.replace(*columns).replace(*tiles).replace(*chosen))
    assert texts(extensions.executable_layouts(executable, "parameters")) == ["{0,2,1}", "{}"]
    assert texts(extensions.executable_layouts(executable, "outputs")) == ["{1,0}", "{}"]
    print("ok")


if __name__ == "__main__":
    main()
