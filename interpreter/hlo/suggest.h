// Suggestions for mistyped words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

// Returns ", did you mean X?" for the nearest candidate; empty if none is near.
std::string Suggest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace assay
