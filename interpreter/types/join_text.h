// Lists as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Returns the elements in order, with the separator between neighbors. Not templates: with fmt::join, each file
// compiles the formatter of its element type.
std::string JoinText(std::span<const std::string> list, std::string_view separator);
std::string JoinText(std::span<const std::string_view> list, std::string_view separator);
std::string JoinText(std::span<const std::int64_t> list, std::string_view separator);
std::string JoinText(std::span<const int> list, std::string_view separator);
// Writes the elements as "true" and "false".
std::string JoinText(const std::vector<bool>& list, std::string_view separator);

}  // namespace assay
