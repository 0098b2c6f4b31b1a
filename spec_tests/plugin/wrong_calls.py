"""Calls that no framework should make: each must be an error with a message, and the process must go on.

    python wrong_calls.py libassay_pjrt.so
"""

import array
import sys

from pypjrt import errors
from pypjrt._loader import Plugin
from pypjrt.client import Client, Device

F32 = 11
ADD = """
module {
  func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
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


def main():
    plugin = Plugin(sys.argv[1])
    plugin.initialize()
    refused(3, "unknown option speed", lambda: Client(plugin, options={"speed": 1}))
    client = Client(plugin, options={"num_devices": 2})
    device = Device(plugin, client._addressable()[0])
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
    print("ok")


if __name__ == "__main__":
    main()
