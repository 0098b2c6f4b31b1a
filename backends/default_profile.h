// The profile that a name stands for, and by which profile a backend is judged where none is named.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/acceptance/profile.h"

namespace assay {

// A built-in profile, or the one of a file. Errors: kUsage when there is neither, and those of Profile::Parse.
Result<Profile> ReadProfile(const std::string& name_or_file);

// Returns the profile that backends.json names for an alias, or the one in the name of the backend (lawful:PROFILE).
// Otherwise returns `xla`.
std::string DefaultProfile(std::string_view backend);

}  // namespace assay
