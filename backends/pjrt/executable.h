// A module that a plugin has compiled.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "backends/backend.h"
#include "backends/pjrt/buffers.h"

namespace assay::pjrt {

// Compiles a module, in the host's format, for the first devices of the host, one for each flattened id, with these
// settings of the compiler. The host must outlive the executable.
Result<std::unique_ptr<Executable>> CompileForPlugin(const Host& host, const HloModule& module,
                                                     std::span<const CompilerSetting> settings);

}  // namespace assay::pjrt
