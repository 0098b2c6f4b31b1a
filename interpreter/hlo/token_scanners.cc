#include "interpreter/hlo/token_scanners.h"

namespace assay {
namespace {

std::size_t ScanLabels(std::string_view s, std::string_view letters) {
  std::size_t n = 0;
  while (n < s.size() && (IsDigit(s[n]) || s[n] == '?' || letters.find(s[n]) != letters.npos)) ++n;
  return n < 2 ? 0 : n;
}

// Scans lo_hi or lo_hi_interior.
std::size_t ScanPaddingDimension(std::string_view s) {
  const std::size_t low = ScanInteger(s);
  if (low == 0 || low >= s.size() || s[low] != '_') return 0;
  const std::size_t high = ScanInteger(s.substr(low + 1));
  if (high == 0) return 0;
  std::size_t n = low + 1 + high;
  while (n < s.size() && s[n] == '_') {
    const std::size_t interior = ScanInteger(s.substr(n + 1));
    if (interior == 0) break;
    n += 1 + interior;
  }
  return n;
}

}  // namespace

std::size_t ScanDigits(std::string_view s) {
  std::size_t n = 0;
  while (n < s.size() && IsDigit(s[n])) ++n;
  return n;
}

std::size_t ScanInteger(std::string_view s) {
  const std::size_t sign = !s.empty() && s[0] == '-';
  const std::size_t digits = ScanDigits(s.substr(sign));
  return digits == 0 ? 0 : sign + digits;
}

std::size_t ScanDecimal(std::string_view s) {
  std::size_t n = !s.empty() && s[0] == '-';
  const std::size_t whole = ScanDigits(s.substr(n));
  n += whole;
  const bool point = n < s.size() && s[n] == '.';
  std::size_t fraction = 0;
  if (point) {
    fraction = ScanDigits(s.substr(n + 1));
    n += 1 + fraction;
  }
  if (whole + fraction == 0) return 0;
  if (n < s.size() && (s[n] == 'e' || s[n] == 'E')) {
    const std::size_t sign = n + 1 < s.size() && (s[n + 1] == '-' || s[n + 1] == '+');
    const std::size_t exponent = ScanDigits(s.substr(n + 1 + sign));
    if (exponent > 0) return n + 1 + sign + exponent;
  }
  return point ? n : 0;
}

std::size_t ScanDimLabels(std::string_view s) {
  const std::size_t lhs = ScanLabels(s, "bf");
  if (lhs == 0 || lhs >= s.size() || s[lhs] != '_') return 0;
  const std::size_t rhs = ScanLabels(s.substr(lhs + 1), "io");
  const std::size_t arrow = lhs + 1 + rhs;
  if (rhs == 0 || s.substr(arrow, 2) != "->") return 0;
  const std::size_t output = ScanLabels(s.substr(arrow + 2), "bf");
  return output == 0 ? 0 : arrow + 2 + output;
}

std::size_t ScanSizes(std::string_view s) {
  std::size_t n = ScanInteger(s);
  if (n == 0) return 0;
  int sizes = 1;
  for (; n < s.size() && s[n] == 'x'; ++sizes) {
    const std::size_t digits = ScanInteger(s.substr(n + 1));
    if (digits == 0) break;
    n += 1 + digits;
  }
  return sizes > 1 ? n : 0;
}

std::size_t ScanPadding(std::string_view s) {
  std::size_t n = ScanPaddingDimension(s);
  while (n > 0 && n < s.size() && s[n] == 'x') {
    const std::size_t next = ScanPaddingDimension(s.substr(n + 1));
    if (next == 0) break;
    n += 1 + next;
  }
  return n;
}

std::size_t ScanNan(std::string_view s) {
  const std::size_t sign = !s.empty() && s[0] == '-';
  if (s.substr(sign, 3) != "nan") return 0;
  std::size_t n = sign + 3;
  if (s.substr(n, 3) != "(0x" && s.substr(n, 3) != "(0X") return n;
  std::size_t digits = n + 3;
  while (digits < s.size() &&
         (IsDigit(s[digits]) || (s[digits] >= 'a' && s[digits] <= 'f') || (s[digits] >= 'A' && s[digits] <= 'F'))) {
    ++digits;
  }
  return digits > n + 3 && digits < s.size() && s[digits] == ')' ? digits + 1 : n;
}

}  // namespace assay
