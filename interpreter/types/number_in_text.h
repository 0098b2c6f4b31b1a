// Reads numbers of texts that are not HLO: options, settings, attributes of other programs.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace assay {

// Returns the number that the whole text is, in decimal or, for integers, in another base; nothing for any other text,
// and beyond the range of the type.
template <class Number, class... Base>
std::optional<Number> NumberInText(std::string_view text, Base... base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base...);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace assay
