// iota (XLA, Operation Semantics: Iota).
#include "spec_tests/nightly.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"

namespace assay::testing {
namespace {

Literal Iota(PrimitiveType type, Dimensions dimensions, std::int64_t dimension) {
  Graph g;
  return Evaluate(
      g.Add(op_iota, ShapeUtil::MakeShape(type, std::move(dimensions)), {}, {{"iota_dimension", dimension}}), {});
}

TEST_CASE("iota: examples of XLA's documentation") {
  const Literal rows = Iota(S32, {4, 8}, 0), columns = Iota(S32, {4, 8}, 1);
  CHECK(rows.BitwiseEqual(ByFormula(rows.shape(), [](const Index& i) {
    return std::string{static_cast<char>(i[0]), 0, 0, 0};
  })));
  CHECK(columns.BitwiseEqual(ByFormula(columns.shape(), [](const Index& i) {
    return std::string{static_cast<char>(i[1]), 0, 0, 0};
  })));
}

// Returns `count` elements from `first` on.
std::vector<double> Some(PrimitiveType type, std::int64_t size, std::int64_t first, std::int64_t count) {
  const std::vector<double> all = Numbers(Iota(type, {size}, 0));
  return {all.begin() + first, all.begin() + first + count};
}

// XLA:CPU and StableHLO's interpreter wrap s8 and u8 in the same way.
TEST_CASE("iota: narrow integers wrap") {
  CHECK(Some(S8, 300, 126, 4) == std::vector<double>{126, 127, -128, -127});
  CHECK(Some(S8, 300, 255, 4) == std::vector<double>{-1, 0, 1, 2});
  CHECK(Some(U8, 300, 255, 4) == std::vector<double>{255, 0, 1, 2});
  CHECK(Some(U4, 40, 14, 4) == std::vector<double>{14, 15, 0, 1});
  CHECK(Some(S4, 40, 6, 4) == std::vector<double>{6, 7, -8, -7});
  CHECK(Some(S1, 3, 0, 3) == std::vector<double>{0, -1, 0});
}

TEST_CASE("iota: floats are the integer, rounded once") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(Some(BF16, 300, 257, 4) == std::vector<double>{256, 258, 260, 260});
  CHECK(Some(F16, 3000, 2049, 4) == std::vector<double>{2048, 2050, 2052, 2052});
  CHECK(Some(F16, 70000, 65519, 3) == std::vector<double>{65504, inf, inf});
  if (IsNightly("the first whole numbers that f32 rounds")) {
    CHECK(Some(F32, (1 << 24) + 4, (1 << 24) - 1, 5) ==
          std::vector<double>{16777215, 16777216, 16777216, 16777218, 16777220});
  }
  CHECK(Some(F8E4M3FN, 460, 446, 3) == std::vector<double>{448, 448, 448});
}

TEST_CASE("iota: complex numbers have the imaginary part +0") {
  CHECK(Numbers(Iota(C64, {3}, 0)) == std::vector<double>{0, 0, 1, 0, 2, 0});
}

TEST_CASE("iota: zero-sized") { CHECK(Iota(S32, {3, 0}, 0).element_count() == 0); }

}  // namespace
}  // namespace assay::testing
