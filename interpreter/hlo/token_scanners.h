// The tokens of HLO text that are made of numbers. Each scanner returns the length of the longest match at the start of
// `s`, 0 for none.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Scans decimal digits.
std::size_t ScanDigits(std::string_view s);
// Scans a decimal integer, with or without a sign.
std::size_t ScanInteger(std::string_view s);
// Scans a number with a point or an exponent.
std::size_t ScanDecimal(std::string_view s);
// Scans labels of a convolution, such as b01f_01io->b01f.
std::size_t ScanDimLabels(std::string_view s);
// Scans 2x3x4. The rule that uses the token rejects negative numbers if it has to.
std::size_t ScanSizes(std::string_view s);
// Scans a padding of all dimensions, such as 1_1x0_2_1.
std::size_t ScanPadding(std::string_view s);
// Scans nan or nan(0x7f), with or without a sign.
std::size_t ScanNan(std::string_view s);

}  // namespace assay
