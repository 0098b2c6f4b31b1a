// A PJRT plugin in this process as a backend. A plugin may end its process: backends/pjrt/pjrt.cc has one of its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backends/backend.h"

namespace assay::pjrt {

// Loads the plugin and makes a client. Errors are kUsage for options that cannot be read, and else kBackend.
Result<std::unique_ptr<Backend>> OpenPlugin(const std::string& file, std::string_view options);

}  // namespace assay::pjrt
