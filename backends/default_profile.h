// Which profile a backend is judged by where none is named.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// What backends.json says of an alias; of a backend whose name has a profile in it (lawful:PROFILE), that; else `xla`.
std::string DefaultProfile(std::string_view backend);

}  // namespace assay
