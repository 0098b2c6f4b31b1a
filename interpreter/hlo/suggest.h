// What a mistyped word may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

// ", did you mean X?" for the nearest candidate, if one is near.
std::string Suggest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace assay
