// Which profile a backend is judged by where none is named.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// What backends.json says of an alias, else `xla`.
std::string DefaultProfile(std::string_view backend);

}  // namespace assay
