// A module that a plugin has compiled.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "backends/backend.h"
#include "backends/pjrt/buffers.h"

namespace assay::pjrt {

// Compiles a module, as a serialized HloModuleProto, for these devices, which are in the order of the flattened ids.
// The host must outlive the executable.
Result<std::unique_ptr<Executable>> CompileForPlugin(const Host& host, const HloModule& module,
                                                     std::span<PJRT_Device* const> devices,
                                                     std::span<const std::int64_t> device_ids);

}  // namespace assay::pjrt
