"""Calls of the plugin's binary interface, as a framework makes them and as none should.

    python framework.py libassay_pjrt.so NAME
"""

import array
import ctypes
import sys

from pypjrt import errors, extensions
from pypjrt._loader import Plugin
from pypjrt.client import Client, Device

F32, F64, NO_TYPE = 11, 12, 99
UPWARD = 0x800
ADD = """
module {
  func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""
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
ADD_A_CONSTANT = """
module {
  func.func public @main(%a: tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>) {
    %0 = stablehlo.constant dense<0.3> : tensor<1xf64>
    %1 = stablehlo.add %a, %0 : tensor<1xf64>
    return %0, %1 : tensor<1xf64>, tensor<1xf64>
  }
}
"""


def refused(code, reason, call, *arguments):
    """Fails unless the call raises an error of PJRT with this code and reason."""
    try:
        call(*arguments)
    except errors.PjrtError as error:
        assert error.code == code, (error.code, str(error))
        assert reason in str(error), str(error)
        return
    raise AssertionError(f"there was no error: {reason}")


def wrong_calls(plugin, client, device):
    """Calls that no framework should make: each must be an error with a message, and the process must go on."""
    refused(3, "unknown option speed", lambda: Client(plugin, options={"speed": 1}))
    for text, reason in (("no program", "there is no operation no"),
                         (ADD.replace("add", "subtrakt"), "subtrakt"),
                         (ADD.replace("%a, %b :", "%a, %c :"), "%c")):  # fmt: skip
        refused(3, reason, client.compile, text)
    refused(12, "no_such_target", client.compile,
            ADD.replace("stablehlo.add %a, %b : tensor<4xf32>",
                        "stablehlo.custom_call @no_such_target(%a) : (tensor<4xf32>) -> tensor<4xf32>"))  # fmt: skip

    def buffer(*numbers):
        return client.buffer_from_host(array.array("f", numbers), F32, [len(numbers)], device)

    add = client.compile(ADD)
    refused(3, "the program must have 2 arguments, found 1", add, buffer(1, 2, 3, 4))
    refused(3, "argument 1 must be f32[4], found f32[3]", add, buffer(1, 2, 3, 4), buffer(1, 2, 3))
    deleted = buffer(1, 2, 3, 4)
    plugin.call("PJRT_Buffer_Delete", plugin.args("PJRT_Buffer_Delete_Args", buffer=deleted.address))
    refused(3, "argument 0: the buffer has been deleted or donated", add, deleted, buffer(1, 2, 3, 4))
    refused(3, "must be an executable that assay has serialized", client.deserialize_executable, b"no executable")
    arguments = plugin.args("PJRT_Client_LookupDevice_Args", client=client.address, id=7)
    refused(3, "there is no device 7: the client has 2", plugin.call, "PJRT_Client_LookupDevice", arguments)
    arguments = plugin.args("PJRT_Client_DmaMap_Args", client=client.address)
    refused(12, "does not have this function", plugin.call, "PJRT_Client_DmaMap", arguments)
    # A caller of an older version has a shorter struct, and gets the fields that it has.
    arguments = plugin.args("PJRT_Executable_GetCompiledMemoryStats_Args", executable=add._executable())
    whole = arguments.struct_size
    arguments.struct_size = type(arguments).argument_size_in_bytes.offset + 8
    arguments.output_size_in_bytes = -77
    plugin.call("PJRT_Executable_GetCompiledMemoryStats", arguments)
    assert (arguments.argument_size_in_bytes, arguments.output_size_in_bytes) == (32, -77), whole
    # jaxlib before 0.7 states 24 bytes for this struct of 32, and reads all of it.
    arguments = plugin.args("PJRT_Plugin_Attributes_Args")
    arguments.struct_size = 24
    plugin.call("PJRT_Plugin_Attributes", arguments)
    assert arguments.num_attributes == 3
    (result,) = add(buffer(1, 2, 3, 4), buffer(10, 20, 30, 40))
    found = array.array("f")
    found.frombytes(result.to_host())
    assert found.tolist() == [11, 22, 33, 44], found


def texts(layouts):
    return [layout.serialize().decode() for layout in layouts]


def layouts(plugin, client, device):
    """The extension for layouts: what the plugin says of buffers and of executables."""
    buffer = client.buffer_from_host(array.array("f", range(6)), F32, [3, 2], device)
    with extensions.buffer_layout(buffer) as layout:
        assert texts([layout]) == ["{1,0}"], texts([layout])
    for dimensions, text in (((), "{}"), ((5,), "{0}"), ((2, 0, 7), "{2,1,0}")):
        with extensions.default_layout(client, F32, dimensions) as layout:
            assert texts([layout]) == [text], texts([layout])
    refused(12, "", extensions.default_layout, client, NO_TYPE, (1,))
    executable = client.compile(TRANSPOSE)
    assert texts(extensions.executable_layouts(executable, "parameters")) == ["{2,1,0}", "{}"]
    assert texts(extensions.executable_layouts(executable, "outputs")) == ["{1,0}", "{}"]
    columns = ("%a: tensor<2x3x4xf32>", '%a: tensor<2x3x4xf32> {mhlo.layout_mode = "{0,2,1}"}')
    tiles = ("%b: tensor<f32>)", '%b: tensor<f32> {mhlo.layout_mode = "{:T(8)}"})')
    chosen = ("tensor<4x3xf32>, tensor<f32>) {", 'tensor<4x3xf32> {mhlo.layout_mode = "auto"}, tensor<f32>) {')
    executable = client.compile(TRANSPOSE.replace(*columns).replace(*tiles).replace(*chosen))
    assert texts(extensions.executable_layouts(executable, "parameters")) == ["{0,2,1}", "{}"]
    assert texts(extensions.executable_layouts(executable, "outputs")) == ["{1,0}", "{}"]


def rounding(plugin, client, device):
    """The caller's thread rounds upward: the plugin rounds to nearest, and leaves the caller's mode as it was. JAX
    compiles on a thread that flushes subnormal numbers, which is a part of the same environment."""
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


def main():
    library, name = sys.argv[1:]
    plugin = Plugin(library)
    plugin.initialize()
    client = Client(plugin, options={"num_devices": 2})
    calls = {"wrong_calls": wrong_calls, "layouts": layouts, "rounding": rounding}[name]
    calls(plugin, client, Device(plugin, client._addressable()[0]))
    print("ok")


if __name__ == "__main__":
    main()
