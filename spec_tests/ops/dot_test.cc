// dot (XLA, Operation Semantics: Dot and DotGeneral).
#include <algorithm>
#include <cmath>
#include <limits>

#include "spec_tests/ops/any_window.h"
#include "spec_tests/ops/exact_number.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

struct Roles {
  Int64List lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
};

HloInstruction& MakeDot(Graph& g, const Shape& lhs, const Shape& rhs, const Roles& roles) {
  std::vector<Attribute> attributes = {{"lhs_contracting_dims", roles.lhs_contracting},
                                       {"rhs_contracting_dims", roles.rhs_contracting}};
  if (!roles.lhs_batch.empty()) attributes.push_back({"lhs_batch_dims", roles.lhs_batch});
  if (!roles.rhs_batch.empty()) attributes.push_back({"rhs_batch_dims", roles.rhs_batch});
  return g.Add(op_dot, {&g.Parameter(lhs), &g.Parameter(rhs)}, std::move(attributes));
}

Literal Dot(const Literal& lhs, const Literal& rhs, const Roles& roles, PrimitiveType type = PRIMITIVE_TYPE_INVALID) {
  Graph g;
  HloInstruction& dot = MakeDot(g, lhs.shape(), rhs.shape(), roles);
  if (type != PRIMITIVE_TYPE_INVALID) dot.shape = ShapeUtil::ChangeElementType(*op_dot.legality.infer(dot), type);
  return Evaluate(dot, {lhs, rhs});
}

TEST_CASE("dot: vectors and matrices, as in XLA's documentation") {
  const Literal vector = Array(F32, {3}, {1, 2, 3}), matrix = Array(F32, {2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(Numbers(Dot(vector, vector, {{0}, {0}, {}, {}})) == std::vector<double>{14});
  CHECK(Numbers(Dot(matrix, vector, {{1}, {0}, {}, {}})) == std::vector<double>{14, 32});
  const Literal product = Dot(matrix, Array(F32, {3, 2}, {1, 0, 0, 1, 1, 1}), {{1}, {0}, {}, {}});
  CHECK(product.shape().ToStringWithoutLayout() == "f32[2,2]");
  CHECK(Numbers(product) == std::vector<double>{4, 5, 10, 11});
}

TEST_CASE("dot: contracting dimension numbers, as in XLA's documentation") {
  const Literal lhs = Array(F32, {2, 3}, {1, 2, 3, 4, 5, 6}), rhs = Array(F32, {2, 3}, {1, 1, 1, 2, 2, 2});
  CHECK(Numbers(Dot(lhs, rhs, {{1}, {1}, {}, {}})) == std::vector<double>{6, 12, 15, 30});
}

TEST_CASE("dot: batch dimension numbers, as in XLA's documentation") {
  const Literal lhs = Array(F32, {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Literal rhs = Array(F32, {2, 2, 2}, {1, 0, 0, 1, 1, 0, 0, 1});
  CHECK(Numbers(Dot(lhs, rhs, {{2}, {1}, {0}, {0}})) == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("dot: sums are exact and rounded once to the result type, whatever the operands are") {
  const Roles inner = {{0}, {0}, {}, {}};
  const Literal ones = Array(F32, {3}, {1, 1, 1});
  CHECK(Numbers(Dot(Array(F32, {3}, {0x1p24, 1, -0x1p24}), ones, inner)) == std::vector<double>{1});
  CHECK(Numbers(Dot(Array(F32, {3}, {0x1p127, 0x1p127, -0x1p127}), ones, inner)) == std::vector<double>{0x1p127});
  // 1 + 2^-9 is halfway between two bf16; the third term decides.
  const Literal halfway = Array(F32, {3}, {1, 0x1p-8, 0x1p-40});
  CHECK(Numbers(Dot(halfway, ones, inner, BF16)) == std::vector<double>{1 + 0x1p-7});
  CHECK(Numbers(Dot(Array(BF16, {2}, {256, 1}), Array(F16, {2}, {1, 0x1p-10}), inner, F32)) ==
        std::vector<double>{256 + 0x1p-10});
  CHECK(Numbers(Dot(Array(F8E4M3FN, {2}, {448, 448}), Array(F8E5M2, {2}, {2, 2}), inner, F16)) ==
        std::vector<double>{1792});
  CHECK(Dot(Array(BF16, {1}, {1}), Array(F32, {1}, {1}), inner).element_type() == F32);
  const Literal f64 = Array(F64, {2}, {1 + 0x1p-52, -1});
  CHECK(Numbers(Dot(f64, Array(F64, {2}, {1 + 0x1p-52, 1 + 0x1p-51}), inner)) == std::vector<double>{0x1p-104});
}

TEST_CASE("dot: a complex operand is converted to a floating result type before it is multiplied") {
  const Literal wide = Array(C64, {1}, {1 + 0x1p-11, 5});
  CHECK(Numbers(Dot(wide, Array(F16, {1}, {1024}), {{0}, {0}, {}, {}}, F16)) == std::vector<double>{1024});
  CHECK(Numbers(Dot(wide, Array(F16, {1}, {1024}), {{0}, {0}, {}, {}}, C64)) == std::vector<double>{1024.5, 5120});
}

TEST_CASE("dot: special values") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Roles inner = {{0}, {0}, {}, {}};
  CHECK(std::isnan(Numbers(Dot(Array(F32, {2}, {1, 0}), Array(F32, {2}, {1, infinity}), inner))[0]));
  CHECK(Numbers(Dot(Array(F32, {2}, {1, 1}), Array(F32, {2}, {1, infinity}), inner))[0] == infinity);
  CHECK(std::isnan(Numbers(Dot(Array(F32, {2}, {1, -1}), Array(F32, {2}, {infinity, infinity}), inner))[0]));
}

TEST_CASE("dot: nothing to sum is zero, and no elements are none") {
  const Literal none = Array(F32, {2, 0}, {});
  const Literal zero = Dot(none, Array(F32, {0, 3}, {}), {{1}, {0}, {}, {}});
  CHECK(Numbers(zero) == std::vector<double>(6, 0));
  CHECK_FALSE(std::signbit(Numbers(zero)[0]));
  CHECK(Numbers(Dot(none, none, {{0}, {0}, {}, {}})).empty());
  CHECK(Numbers(Dot(Array(S32, {2, 0}, {}), Array(S32, {0, 1}, {}), {{1}, {0}, {}, {}})) == std::vector<double>{0, 0});
}

TEST_CASE("dot: integers wrap at the result's width") {
  const Roles inner = {{0}, {0}, {}, {}};
  const Literal s8 = Array(S8, {3}, {127, 127, 127});
  CHECK(Numbers(Dot(s8, s8, inner, S32)) == std::vector<double>{48387});
  CHECK(Numbers(Dot(Array(S8, {1}, {100}), Array(S8, {1}, {2}), inner)) == std::vector<double>{-56});
  CHECK(Numbers(Dot(Array(U8, {1}, {200}), Array(S8, {1}, {-3}), inner, S32)) == std::vector<double>{-600});
  CHECK(Numbers(Dot(Array(S4, {2}, {7, -8}), Array(S4, {2}, {3, 1}), inner)) == std::vector<double>{-3});
  CHECK(Numbers(Dot(Array(U4, {1}, {15}), Array(U4, {1}, {15}), inner)) == std::vector<double>{1});
}

TEST_CASE("dot: pred is and with or") {
  const Roles product = {{1}, {0}, {}, {}};
  CHECK(Numbers(Dot(Array(PRED, {2, 2}, {1, 1, 0, 1}), Array(PRED, {2, 2}, {1, 0, 1, 0}), product)) ==
        std::vector<double>{1, 0, 1, 0});
}

TEST_CASE("dot: operands of another kind are converted to the result type first") {
  const Roles inner = {{0}, {0}, {}, {}};
  CHECK(Numbers(Dot(Array(S32, {2}, {3, -4}), Array(F32, {2}, {0.5, 0.25}), inner, F32)) == std::vector<double>{0.5});
  CHECK(Numbers(Dot(Array(F32, {2}, {3.75, -4.5}), Array(S32, {2}, {1, 1}), inner, S32)) == std::vector<double>{-1});
  CHECK(Numbers(Dot(Array(S32, {1}, {2}), Array(C64, {1}, {0.5, 0.25}), inner, C64)) == std::vector<double>{1, 0.5});
  CHECK(Numbers(Dot(Array(S32, {1}, {256}), Array(PRED, {1}, {1}), inner, PRED)) == std::vector<double>{1});
}

TEST_CASE("dot: both parts of complex products are exact") {
  const Roles inner = {{0}, {0}, {}, {}};
  // (2^40 + i)(1 + i) + (-2^40 + 2i)(1 + i) = 3i (1 + i) = -3 + 3i
  CHECK(Numbers(Dot(Array(C64, {2}, {0x1p40, 1, -0x1p40, 2}), Array(C64, {2}, {1, 1, 1, 1}), inner)) ==
        std::vector<double>{-3, 3});
}

TEST_CASE("dot: operands that are converted in several pieces") {
  const std::int64_t n = 40000;
  std::vector<double> numbers(n), weights(n);
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    numbers[i] = static_cast<double>(i % 100), weights[i] = static_cast<double>(i % 3);
    sum += numbers[i] * weights[i];
  }
  for (const PrimitiveType type : {F32, S32}) {
    CHECK(Numbers(Dot(Array(type, {n}, numbers), Array(type, {n}, weights), {{0}, {0}, {}, {}})) == std::vector{sum});
  }
}

TEST_CASE("dot: the identity matrix") {
  std::vector<double> identity(49, 0), numbers;
  for (int i = 0; i < 7; ++i) identity[i * 8] = 1;
  for (int i = 0; i < 35; ++i) numbers.push_back(i * 0.375 - 4);
  const Literal matrix = Array(F32, {5, 7}, numbers);
  CHECK(Dot(matrix, Array(F32, {7, 7}, identity), {{1}, {0}, {}, {}}).BitwiseEqual(matrix));
}

// The sizes of the batch and contracting dimensions that lhs and rhs share, and of their other dimensions.
struct AnyDot {
  Dimensions lhs, rhs;
  Roles roles;
};

// Puts `sizes` among the dimensions of an operand in random order.
void Place(const std::vector<std::pair<Dimensions, Int64List*>>& parts, Dimensions& operand) {
  std::vector<std::pair<std::int64_t, Int64List*>> all;
  for (const auto& [sizes, list] : parts) {
    if (list != nullptr) list->assign(sizes.size(), 0);
    for (std::size_t i = 0; i < sizes.size(); ++i) all.push_back({sizes[i], list});
  }
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random(AnyBits());
  std::shuffle(order.begin(), order.end(), random);
  operand.assign(all.size(), 0);
  for (std::size_t place = 0; place < order.size(); ++place) operand[place] = all[order[place]].first;
  std::size_t next = 0;
  for (const auto& [sizes, list] : parts) {
    for (std::size_t i = 0; i < sizes.size(); ++i, ++next) {
      const auto place = std::ranges::find(order, next) - order.begin();
      if (list != nullptr) (*list)[i] = place;
    }
  }
}

AnyDot MakeAnyDot() {
  const auto sizes = [] {
    Dimensions d(InRange(0, 3));
    for (auto& size : d) size = OneOf<std::int64_t>({0, 1, 2, 3, 4, 7});
    return d;
  };
  const Dimensions batch = sizes(), contracting = sizes();
  AnyDot any;
  Place({{batch, &any.roles.lhs_batch}, {contracting, &any.roles.lhs_contracting}, {sizes(), nullptr}}, any.lhs);
  Place({{batch, &any.roles.rhs_batch}, {contracting, &any.roles.rhs_contracting}, {sizes(), nullptr}}, any.rhs);
  return any;
}

Int64List FreeOf(const Dimensions& sizes, const Int64List& batch, const Int64List& contracting) {
  Int64List free;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(sizes.size()); ++d) {
    if (std::ranges::count(batch, d) + std::ranges::count(contracting, d) == 0) free.push_back(d);
  }
  return free;
}

// Calls visit(result offset, lhs offset, rhs offset) for every product.
template <class Visit>
void ForEachProduct(const AnyDot& any, Visit visit) {
  const Int64List lhs_free = FreeOf(any.lhs, any.roles.lhs_batch, any.roles.lhs_contracting);
  const Int64List rhs_free = FreeOf(any.rhs, any.roles.rhs_batch, any.roles.rhs_contracting);
  // One index over batch, lhs free, rhs free and contracting dimensions.
  Dimensions space;
  for (auto d : any.roles.lhs_batch) space.push_back(any.lhs[d]);
  for (auto d : lhs_free) space.push_back(any.lhs[d]);
  for (auto d : rhs_free) space.push_back(any.rhs[d]);
  const std::size_t result_rank = space.size();
  for (auto d : any.roles.lhs_contracting) space.push_back(any.lhs[d]);
  if (Product(space) == 0) return;
  const auto lhs_strides = RowMajorStrides(any.lhs), rhs_strides = RowMajorStrides(any.rhs);
  std::vector<std::int64_t> index(space.size(), 0);
  do {
    std::int64_t result = 0, lhs = 0, rhs = 0;
    std::size_t i = 0;
    for (std::size_t d = 0; d < result_rank; ++d) result = result * space[d] + index[d];
    for (std::size_t b = 0; b < any.roles.lhs_batch.size(); ++b, ++i) {
      lhs += index[i] * lhs_strides[any.roles.lhs_batch[b]];
      rhs += index[i] * rhs_strides[any.roles.rhs_batch[b]];
    }
    for (auto d : lhs_free) lhs += index[i++] * lhs_strides[d];
    for (auto d : rhs_free) rhs += index[i++] * rhs_strides[d];
    for (std::size_t c = 0; c < any.roles.lhs_contracting.size(); ++c, ++i) {
      lhs += index[i] * lhs_strides[any.roles.lhs_contracting[c]];
      rhs += index[i] * rhs_strides[any.roles.rhs_contracting[c]];
    }
    visit(result, lhs, rhs);
  } while (IndexUtil::BumpIndices(space, index));
}

TEST_CASE("dot: any dimensions in any place, against sums in MPFR") {
  Holds([] {
    const AnyDot any = MakeAnyDot();
    const auto a = AnyNumbers(Product(any.lhs)), b = AnyNumbers(Product(any.rhs));
    const Literal lhs = Array(F32, any.lhs, a), rhs = Array(F32, any.rhs, b);
    for (const PrimitiveType type : {F32, BF16, F64}) {
      const Literal result = Dot(lhs, rhs, any.roles, type);
      std::vector<ExactNumber> expected(result.element_count());
      ForEachProduct(any, [&](std::int64_t i, std::int64_t l, std::int64_t r) { expected[i].AddProduct(a[l], b[r]); });
      const auto found = Numbers(result);
      for (std::size_t i = 0; i < found.size(); ++i) ENSURE(found[i] == expected[i].RoundTo(type));
    }
  });
}

TEST_CASE("dot: any dimensions in any place, for integers and complex numbers") {
  Holds([] {
    const AnyDot any = MakeAnyDot();
    const auto a = AnyIntegers(Product(any.lhs) * 2, 200), b = AnyIntegers(Product(any.rhs) * 2, 200);
    const auto first_half = [](const std::vector<double>& v) {
      return std::vector<double>(v.begin(), v.begin() + v.size() / 2);
    };
    const Literal integers = Dot(Array(U8, any.lhs, first_half(a)), Array(U8, any.rhs, first_half(b)), any.roles);
    const Literal complex = Dot(Array(C64, any.lhs, a), Array(C64, any.rhs, b), any.roles);
    std::vector<std::uint8_t> wrapped(integers.element_count(), 0);
    std::vector<double> parts(integers.element_count() * 2, 0);
    ForEachProduct(any, [&](std::int64_t i, std::int64_t l, std::int64_t r) {
      wrapped[i] = static_cast<std::uint8_t>(wrapped[i] + static_cast<int>(a[l]) * static_cast<int>(b[r]));
      parts[2 * i] += a[2 * l] * b[2 * r] - a[2 * l + 1] * b[2 * r + 1];
      parts[2 * i + 1] += a[2 * l] * b[2 * r + 1] + a[2 * l + 1] * b[2 * r];
    });
    for (std::size_t i = 0; i < wrapped.size(); ++i) ENSURE(integers.values<std::uint8_t>()[i] == wrapped[i]);
    ENSURE(Numbers(complex) == parts);
  });
}

}  // namespace
}  // namespace assay::testing
