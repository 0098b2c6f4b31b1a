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

TEST_CASE("Total order of formats without an ordinary NaN or sign") {
  // The only NaN of a fnuz format has the sign bit, so it is -NaN.
  const auto less = [](PrimitiveType type, std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) {
    return Compare("LT", FromBits(type, a), FromBits(type, b), "TOTALORDER");
  };
  CHECK(less(F8E4M3FNUZ, {0x80, 0xff, 0x80, 0}, {0xff, 0x81, 0, 0x80}) == Answers{1, 1, 1, 0});
  CHECK(less(F8E8M0FNU, {0x00, 0xfe, 0xff, 0x7f}, {0x01, 0xff, 0xfe, 0x80}) == Answers{1, 1, 0, 1});
  CHECK(less(F8E4M3FN, {0xff, 0x80, 0x7e, 0xfe}, {0xfe, 0x00, 0x7f, 0xff}) == Answers{1, 1, 1, 0});
  CHECK(less(F4E2M1FN, {0xf, 0x8, 0x0, 0x7}, {0x9, 0x0, 0x1, 0x7}) == Answers{1, 1, 1, 0});
}

TEST_CASE("Integers and pred compare by value, signed or not") {
  for (const Direction& direction : kDirections) {
    Answers want;
    for (const int c : {-1, 1, 0}) want.push_back(direction.holds(c));
    CHECK(Compare(direction.name, Integers(S8, {-1, 1, 5}), Integers(S8, {1, -1, 5}), "SIGNED") == want);
    CHECK(Compare(direction.name, Integers(U8, {1, 255, 5}), Integers(U8, {255, 1, 5}), "UNSIGNED") == want);
    CHECK(Compare(direction.name, Integers(S4, {-8, 7, 0}), Integers(S4, {7, -8, 0})) == want);
    CHECK(Compare(direction.name, Integers(U64, {1, -1, 5}), Integers(U64, {-1, 1, 5})) == want);
    CHECK(Compare(direction.name, Integers(S64, {INT64_MIN, INT64_MAX, 5}), Integers(S64, {INT64_MAX, INT64_MIN, 5})) ==
          want);
    CHECK(Compare(direction.name, Integers(PRED, {0, 1, 1}), Integers(PRED, {1, 0, 1})) == want);
  }
}

TEST_CASE("Complex numbers are equal when both parts are") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Literal lhs = Array(C64, {4}, {1, 2, 1, 2, nan, 0, 0.0, -0.0});
  const Literal rhs = Array(C64, {4}, {1, 2, 1, 3, nan, 0, -0.0, 0.0});
  CHECK(Compare("EQ", lhs, rhs) == Answers{1, 0, 0, 1});
  CHECK(Compare("NE", lhs, rhs) == Answers{0, 1, 1, 0});
}

TEST_CASE("Operands of two floating types compare exactly") {
  CHECK(Compare("LT", Reals(BF16, {1, 1}), Reals(F32, {1 + 0x1p-23, 1})) == Answers{1, 0});
  CHECK(Compare("LT", Reals(BF16, {-0.0, 0}), Reals(F32, {0, -0.0}), "TOTALORDER") == Answers{1, 0});
}

std::string Why(PrimitiveType type, Attributes attributes) {
  Graph graph;
  HloInstruction& x = graph.Parameter(type, {2});
  return WhyIllegal(graph.Add(op_compare, {&x, &x}, std::move(attributes)));
}

TEST_CASE("Comparison types fit the element type") {
  const Attribute lt = {"direction", std::string("LT")};
  const auto type = [](const char* name) { return Attribute{"type", std::string(name)}; };
  CHECK(Why(S32, {lt, type("UNSIGNED")}) ==
        "compare: type=UNSIGNED does not fit s32 (rule: comparison types), which compares as SIGNED");
  CHECK(Why(S32, {lt, type("TOTALORDER")}) ==
        "compare: type=TOTALORDER does not fit s32 (rule: comparison types), which compares as SIGNED");
  CHECK(Why(F32, {lt, type("SIGNED")}) ==
        "compare: type=SIGNED does not fit f32 (rule: comparison types), which compares as FLOAT or TOTALORDER");
  CHECK(Why(PRED, {lt, type("SIGNED")}) ==
        "compare: type=SIGNED does not fit pred (rule: comparison types), which compares as UNSIGNED");
  CHECK(Why(C64, {lt}) ==
        "compare: complex numbers compare with EQ and NE only (rule: complex numbers have no order), found c64[2] and "
        "c64[2]");
  CHECK(Why(F32, {lt, type("TOTALORDER"), {"order", std::string("PARTIAL")}}) ==
        "compare: order=PARTIAL does not fit TOTALORDER (rule: comparison types)");
  CHECK(Why(F32, {lt, {"order", std::string("TOTAL")}}) == "legal: pred[2]{0}");
  CHECK(Why(S32, {lt, {"order", std::string("TOTAL")}}) == "legal: pred[2]{0}");
  CHECK(Why(S32, {lt, {"order", std::string("PARTIAL")}}) ==
        "compare: order=PARTIAL does not fit SIGNED (rule: comparison types)");
}

TEST_CASE("order=TOTAL is the other spelling of TOTALORDER") {
  const Attributes total = {{"direction", std::string("LT")}, {"order", std::string("TOTAL")}};
  CHECK(ToIntegers(RunOp(op_compare, {Reals(F32, {-0.0, 0}), Reals(F32, {0, -0.0})}, total)) == Answers{1, 0});
}

}  // namespace
}  // namespace assay::testing
