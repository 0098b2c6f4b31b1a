// Profiles by name, and the default profile of a backend.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/acceptance/profile.h"

namespace assay {

// Returns a built-in profile, or reads one from a file. Fails with kUsage if there is neither, or as Profile::Parse
// does.
Result<Profile> ReadProfile(const std::string& name_or_file);

// Returns the profile that backends.json names for an alias, or the one in the name of the backend (lawful:PROFILE).
// Otherwise returns `xla`.
std::string DefaultProfile(std::string_view backend);

}  // namespace assay
