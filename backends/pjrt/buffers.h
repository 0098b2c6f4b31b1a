// Arrays on their way to the devices of a plugin and back.
#pragma once

#include <cstdint>
#include <vector>

#include "backends/pjrt/plugin.h"
#include "backends/pjrt/program_format.h"
#include "interpreter/types/literal.h"

namespace assay::pjrt {

// A plugin's client, with its devices and their ids, and the format of the programs that it compiles.
struct Host {
  Plugin plugin;
  PJRT_Client* client = nullptr;
  std::vector<PJRT_Device*> devices = {};
  std::vector<std::int64_t> device_ids = {};
  ProgramFormat format = ProgramFormat::kHlo;
};

// Copies an array to a device, in the order of the elements that `shape` has. The array may change from then on.
Result<Owned<PJRT_Buffer>> CopyToDevice(const Host& host, const Literal& array, const Shape& shape,
                                        PJRT_Device* device);

// Copies the array of a buffer back. `shape` is the declared one: a buffer of another type, other dimensions or another
// size is a kBackend error.
Result<Literal> CopyToHost(const Host& host, PJRT_Buffer* buffer, const Shape& shape);

// Returns the type and the dimensions of a buffer, in the order of its elements if the plugin tells it.
Result<Shape> ShapeOf(const Host& host, PJRT_Buffer* buffer);

}  // namespace assay::pjrt
