// Texts with marks to fill.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Returns the text with every occurrence of `what`, which is not empty, replaced by `by`.
std::string ReplaceAll(std::string text, std::string_view what, std::string_view by);

}  // namespace assay
