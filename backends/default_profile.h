// Which profile a backend is judged by where none is named.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Returns the profile that backends.json names for an alias, or the one in the name of the backend (lawful:PROFILE).
// Otherwise returns `xla`.
std::string DefaultProfile(std::string_view backend);

}  // namespace assay
