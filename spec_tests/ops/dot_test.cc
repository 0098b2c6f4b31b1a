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
