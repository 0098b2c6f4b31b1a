// Tables of special values as text.
#pragma once

#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "spec_tests/catch.h"
#include "spec_tests/numbers_in_rows.h"
#include "spec_tests/special_numbers.h"

namespace assay::testing {

// Reads a number as C writes it, or pi, perhaps with a sign and a divisor. "?" is the number `open`.
inline double NumberOf(std::string_view word, double open) {
  if (word[0] == '?') return open;
  const std::size_t pi = word.find("pi");
  if (pi == word.npos) return TakeNumber<double>(word);
  std::string_view behind = word.substr(pi + 2);
  if (behind.starts_with('/')) behind.remove_prefix(1);
  const double divisor = behind.size() + pi + 2 < word.size() ? TakeNumber<double>(behind) : 1;
  return (word[0] == '-' ? -kPi : kPi) / divisor;
}

// Reads rows of `count` numbers. A comma or a semicolon may follow a number, and " = " may precede it.
template <std::size_t count>
std::vector<std::array<double, count>> RowsOf(std::string_view text, double open = kNan) {
  std::vector<std::array<double, count>> rows;
  std::istringstream words{std::string(text)};
  std::size_t read = 0;
  for (std::string word; words >> word;) {
    if (word == "=") continue;
    if (read % count == 0) rows.emplace_back();
    rows.back()[read++ % count] = NumberOf(word, open);
  }
  REQUIRE(read % count == 0);
  return rows;
}

}  // namespace assay::testing
