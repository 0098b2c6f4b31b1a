// Numbers in rows of tests, as C writes them. The locale does not matter.
#pragma once

#include <charconv>
#include <string_view>

namespace assay::testing {

// Takes the number that a text begins with: decimal, hexadecimal, inf or nan, perhaps after spaces and a sign.
template <class Number>
Number TakeNumber(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const bool is_negative = text.starts_with('-'), is_signed = is_negative || text.starts_with('+');
  if (is_signed) text.remove_prefix(1);
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  Number number = 0;
  const auto format = is_hexadecimal ? std::chars_format::hex : std::chars_format::general;
  const char* const rest = std::from_chars(text.data(), text.data() + text.size(), number, format).ptr;
  text.remove_prefix(rest - text.data());
  return is_negative ? -number : number;
}

}  // namespace assay::testing
