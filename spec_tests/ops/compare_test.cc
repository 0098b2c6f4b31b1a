// compare: both orders of floats over every pair of their notable values, the other types, and illegal forms.
#include <cmath>
#include <limits>

#include "spec_tests/ops/kernel.h"

namespace assay::testing {
namespace {

using Answers = std::vector<std::int64_t>;

Answers Compare(const char* direction, const Literal& lhs, const Literal& rhs, const char* type = nullptr) {
  Attributes attributes = {{"direction", std::string(direction)}};
  if (type != nullptr) attributes.push_back({"type", std::string(type)});
  return ToIntegers(RunOp(op_compare, {lhs, rhs}, attributes));
}

struct Direction {
  const char* name;
  bool (*holds)(int three_way);
};
constexpr Direction kDirections[] = {
    {"EQ", [](int c) { return c == 0; }}, {"NE", [](int c) { return c != 0; }}, {"LT", [](int c) { return c < 0; }},
    {"LE", [](int c) { return c <= 0; }}, {"GT", [](int c) { return c > 0; }},  {"GE", [](int c) { return c >= 0; }},
};

// In total order: -NaN, -inf, -1, -0, +0, the least subnormal, 1, inf, a NaN, a NaN of larger payload.
const std::vector<std::uint64_t> kF32 = {0xffc00000, 0xff800000, 0xbf800000, 0x80000000, 0,
                                         1,          0x3f800000, 0x7f800000, 0x7f800001, 0x7fc00001};
const std::vector<std::uint64_t> kF64 = {
    0xfff8000000000000, 0xfff0000000000000, 0xbff0000000000000, 0x8000000000000000, 0, 1,
    0x3ff0000000000000, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000001};
const std::vector<std::uint64_t> kF16 = {0xfe00, 0xfc00, 0xbc00, 0x8000, 0, 1, 0x3c00, 0x7c00, 0x7c01, 0x7e01};
const std::vector<std::uint64_t> kBf16 = {0xffc0, 0xff80, 0xbf80, 0x8000, 0, 1, 0x3f80, 0x7f80, 0x7f81, 0x7fc1};

TEST_CASE("Total order tells all bit patterns apart; IEEE order has equal zeros and unordered NaNs") {
  const std::pair<PrimitiveType, const std::vector<std::uint64_t>&> types[] = {
      {F32, kF32}, {F64, kF64}, {F16, kF16}, {BF16, kBf16}};
  for (const auto& [type, codes] : types) {
    std::vector<std::uint64_t> lhs, rhs;
    for (const std::uint64_t a : codes) {
      for (const std::uint64_t b : codes) {
        lhs.push_back(a);
        rhs.push_back(b);
      }
    }
    for (const Direction& direction : kDirections) {
      Answers total, partial;
      for (int i = 0; i < 10; ++i) {
        for (int j = 0; j < 10; ++j) {
          total.push_back(direction.holds(i < j ? -1 : i > j));
          const bool unordered = i == 0 || j == 0 || i >= 8 || j >= 8;
          const bool both_zero = (i == 3 || i == 4) && (j == 3 || j == 4);
          const bool is_ne = std::string_view(direction.name) == "NE";
          partial.push_back(unordered ? is_ne : both_zero ? direction.holds(0) : direction.holds(i < j ? -1 : i > j));
        }
      }
      INFO(PrimitiveTypeName(type) << " " << direction.name);
      const Literal a = FromBits(type, lhs);
      const Literal b = FromBits(type, rhs);
      CHECK(Compare(direction.name, a, b, "TOTALORDER") == total);
      CHECK(Compare(direction.name, a, b, "FLOAT") == partial);
      CHECK(Compare(direction.name, a, b) == partial);
    }
  }
}

}  // namespace
}  // namespace assay::testing
