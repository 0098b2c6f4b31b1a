// The PJRT plugins that backends.json names.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/types/result.h"

namespace assay {

// Returns the backend of a plugin that backends.json names: "pjrt:FILE:OPTIONS". Fails with kUsage if no plugin has the
// name, and with kBackend if the plugin is not installed.
Result<std::string> BackendOfPluginAlias(std::string_view name);

}  // namespace assay
