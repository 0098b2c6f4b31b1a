// Operands whose results an approximation cannot round with certainty. Every kernel with an exact phase must use it and
// return the bits of its definition.

#include <algorithm>
#include <cmath>
#include <random>

#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/replace_all.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

Literal ArrayOf(PrimitiveType type, const Dimensions& sizes, const std::vector<double>& parts) {
  Literal array(ShapeUtil::MakeShape(type, sizes));
  REQUIRE(std::ssize(parts) == array.element_count() * ComponentCount(type));
  StoreReals(ComplexComponentType(type), parts.data(), array.mutable_data(), std::ssize(parts));
  return array;
}

// Eight terms of a sum: two large numbers, which double cannot add, with their opposites, and four small ones. Twice
// the precision of double loses the small ones, so that the approximate sum is only known to be near zero.
constexpr int kTerms = 8;
bool IsLarge(std::int64_t term) { return term % kTerms < 2 || term % kTerms >= 6; }

double TermInDoubt(std::int64_t term, std::int64_t group) {
  const std::int64_t place = term % kTerms;
  const double larger = 0x1p120, large = (static_cast<double>(group % 7) + 0.5) * 0x1p66;
  const double small = static_cast<double>((term * 37 + group * 101) % 255 + 1) / 64;
  return place == 0 ? larger : place == 1 ? large : place == 6 ? -large : place == 7 ? -larger : small;
}

// `rows` rows of whole groups of terms. The two parts of a complex number are terms of different sums.
Literal Terms(PrimitiveType type, std::int64_t rows, std::int64_t columns) {
  std::vector<double> parts;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    for (int part = 0; part < ComponentCount(type); ++part) parts.push_back(TermInDoubt(i, i / kTerms + 3 * part));
  }
  return ArrayOf(type, {rows, columns}, parts);
}

// Factors of columns of terms: 1 for the large ones, so that they cancel.
Literal Factors(PrimitiveType type, std::int64_t rows, std::int64_t columns) {
  std::vector<double> parts;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    parts.push_back(IsLarge(i / columns) ? 1 : static_cast<double>(i % 11 + 1) / 8);
    if (IsComplexType(type)) parts.push_back(IsLarge(i / columns) ? 0 : static_cast<double>(i % 5) / 4);
  }
  return ArrayOf(type, {rows, columns}, parts);
}

// Replaces TYPE by the element type and ZERO by its zero.
std::string ForType(std::string_view text, PrimitiveType type) {
  std::string result = ReplaceAll(std::string(text), "TYPE", PrimitiveTypeName(type));
  return ReplaceAll(std::move(result), "ZERO", IsComplexType(type) ? "(0, 0)" : "0");
}

// Returns the result, with an element for each of the root's.
Literal CheckAgainstDefinition(std::string_view text, PrimitiveType type, const DeviceValues& arguments) {
  const auto module = Parsed(ForType(text, type));
  const Result<Literal> kernel = EvaluateTogether(*module, arguments);
  const Result<Literal> definition = EvaluateTogether(*module, arguments, {}, Definitions());
  REQUIRE(kernel);
  REQUIRE(definition);
  REQUIRE(!definition->elements().empty());
  REQUIRE(kernel->elements().size() == definition->elements().size());
  for (std::size_t i = 0; i < kernel->elements().size(); ++i) {
    CAPTURE(PrimitiveTypeName(type), i);
    CHECK(kernel->elements()[i].BitwiseEqual(definition->elements()[i]));
  }
  return *kernel;
}

constexpr std::string_view kSumsInDoubt = R"(running { running.a = TYPE[6] parameter(0)
  running.b = TYPE[6] parameter(1)
  running.s = TYPE[6] add(running.a, running.b)
  ROOT running.r = (TYPE[6], TYPE[6]) tuple(running.s, running.s) }
ENTRY e {
  x = TYPE[6,40] parameter(0)
  y = TYPE[40,5] parameter(1)
  zero = TYPE[] constant(ZERO)
  rows = TYPE[6] reduce(x, zero), dimensions={1}, to_apply=add_TYPE
  transposed = TYPE[40,6] transpose(x), dimensions={1,0}
  columns = TYPE[6] reduce(transposed, zero), dimensions={0}, to_apply=add_TYPE
  all = TYPE[] reduce(x, zero), dimensions={0,1}, to_apply=add_TYPE
  windows = TYPE[6,5] reduce-window(x, zero), window={size=1x8 stride=1x8}, to_apply=add_TYPE
  sliding = TYPE[6,33] reduce-window(x, zero), window={size=1x8}, to_apply=add_TYPE
  flat = TYPE[240] reshape(x)
  cumulative = TYPE[240] reduce-window(flat, zero), window={size=240 pad=239_0}, to_apply=add_TYPE
  zeros = TYPE[6] broadcast(zero), dimensions={}
  scanned = (TYPE[40,6], TYPE[6]) scan(transposed, zeros), dimensions={0}, num_carries=1, is_associative=true, to_apply=running
  totals = TYPE[6] get-tuple-element(scanned), index=1
  place = s32[240] iota(), iota_dimension=0
  eight = s32[] constant(8)
  eights = s32[240] broadcast(eight), dimensions={}
  group = s32[240] divide(place, eights)
  index = s32[240,1] reshape(group)
  groups = TYPE[30] broadcast(zero), dimensions={}
  scattered = TYPE[30] scatter(groups, index, flat), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_TYPE
  dot = TYPE[6,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  image = TYPE[1,6,40,1] reshape(x)
  cells = TYPE[8,5] slice(y), slice={[0:8], [0:5]}
  kernel = TYPE[1,8,1,5] reshape(cells)
  convolved = TYPE[1,6,5,5] convolution(image, kernel), window={size=1x8 stride=1x8}, dim_labels=b01f_01io->b01f
  ROOT r = (TYPE[6], TYPE[6], TYPE[], TYPE[6,5], TYPE[6,33], TYPE[240], TYPE[6], TYPE[30], TYPE[6,5], TYPE[1,6,5,5]) tuple(rows, columns, all, windows, sliding, cumulative, totals, scattered, dot, convolved)
})";

TEST_CASE("sums whose small terms are lost in approximations are those of the definitions") {
  for (const PrimitiveType type : {F64, F32, BF16, C64, C128}) {
    const Literal sums = CheckAgainstDefinition(kSumsInDoubt, type, {{Terms(type, 6, 40), Factors(type, 40, 5)}});
    // The first windows, by hand: the sum of the small terms.
    if (type != F64) continue;
    double small = 0;
    for (std::int64_t term = 2; term < 6; ++term) small += TermInDoubt(term, 0);
    CHECK(sums.elements()[3].Get<double>({0, 0}) == small);
    CHECK(sums.elements()[7].Get<double>({0}) == small);
  }
}

constexpr std::string_view kSelectAndScatterInDoubt = R"(peaks = TYPE[6,15] parameter(0)
  source = TYPE[6,8] parameter(1)
  zero = TYPE[] constant(ZERO)
  scattered = TYPE[6,15] select-and-scatter(peaks, source, zero), window={size=1x8}, select=GE_TYPE, scatter=add_TYPE
  ROOT r = (TYPE[6,15]) tuple(scattered))";

TEST_CASE("select-and-scatter: sources that all go to one element, and cancel there") {
  for (const PrimitiveType type : {F64, F32, BF16}) {
    std::vector<double> peaks(6 * 15, 1);
    for (int row = 0; row < 6; ++row) peaks[row * 15 + 7] = 2;  // every window has it
    const Literal sums = CheckAgainstDefinition(kSelectAndScatterInDoubt, type,
                                                {{ArrayOf(type, {6, 15}, peaks), Terms(type, 6, kTerms)}});
    std::vector<double> got(6 * 15);
    LoadReals(type, sums.elements()[0].data(), got.data(), std::ssize(got));
    for (int row = 0; row < 6; ++row) CHECK(got[row * 15 + 7] > 0);
  }
}

constexpr std::string_view kAllReduceInDoubt = R"(HloModule all_reduced, replica_count=8
ENTRY e {
  x = TYPE[6] parameter(0)
  ROOT r = TYPE[6] all-reduce(x), replica_groups={}, to_apply=add_TYPE
})";

TEST_CASE("all-reduce: terms of devices that cancel") {
  for (const PrimitiveType type : {F64, F32, BF16, C64}) {
    DeviceValues terms;
    for (std::int64_t device = 0; device < kTerms; ++device) {
      std::vector<double> parts;
      for (int i = 0; i < 6 * ComponentCount(type); ++i) parts.push_back(TermInDoubt(device, i));
      terms.push_back({ArrayOf(type, {6}, parts)});
    }
    CheckAgainstDefinition(kAllReduceInDoubt, type, terms);
  }
}

constexpr std::string_view kNormalized = R"(x = TYPE[40,5] parameter(0)
  scale = TYPE[5] parameter(1)
  offset = TYPE[5] parameter(2)
  mean = TYPE[5] parameter(3)
  variance = TYPE[5] parameter(4)
  training = (TYPE[40,5], TYPE[5], TYPE[5]) batch-norm-training(x, scale, offset), epsilon=0.001, feature_index=1
  inference = TYPE[40,5] batch-norm-inference(x, scale, offset, mean, variance), epsilon=0.001, feature_index=1
  grad = (TYPE[40,5], TYPE[5], TYPE[5]) batch-norm-grad(x, scale, mean, variance, x), epsilon=0.001, feature_index=1
  ROOT r = ((TYPE[40,5], TYPE[5], TYPE[5]), TYPE[40,5], (TYPE[40,5], TYPE[5], TYPE[5]))
    tuple(training, inference, grad))";

// Balls have about 100 bits. For numbers that differ from their mean in the last of 53 bits, fewer than 50 remain.
TEST_CASE("batch normalization of numbers next to their mean") {
  std::mt19937_64 random(1);
  std::vector<double> x;
  for (int i = 0; i < 40 * 5; ++i) x.push_back(1 + static_cast<double>(random() % 64) * 0x1p-52);
  const Literal mean = ArrayOf(F64, {5}, {1, 1, 1, 1 + 0x1p-50, 1});
  const Literal scale = ArrayOf(F64, {5}, {1, 3, -0.7, 0.1, 5}), zero = ArrayOf(F64, {5}, {0, 0, 0, 0, 0});
  const Literal variance = ArrayOf(F64, {5}, {1, 0.5, 0.1, 2, 0});
  const Literal normalized =
      CheckAgainstDefinition(kNormalized, F64, {{ArrayOf(F64, {40, 5}, x), scale, zero, mean, variance}});
  const std::vector<double> first(normalized.elements()[1].values<double>().begin(),
                                  normalized.elements()[1].values<double>().end());
  CHECK(std::ranges::count(first, first[0]) < std::ssize(first) / 2);
}

constexpr std::string_view kSolved = R"(a = TYPE[2,4,4] parameter(0)
  l = TYPE[2,4,4] parameter(1)
  b = TYPE[2,4,3] parameter(2)
  factor = TYPE[2,4,4] cholesky(a), lower=true
  solution = TYPE[2,4,3] triangular-solve(l, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
  ROOT r = (TYPE[2,4,4], TYPE[2,4,3]) tuple(factor, solution))";

// Products that cancel give a zero whose sign no ball determines: the whole matrix, or system, is in doubt.
TEST_CASE("factors and solutions with a zero that products cancel to") {
  const std::vector<double> factor = {2, 0, 0, 0, 3, 1, 0, 0, 5, 0, 2, 0, 7, 4, 0, 3};
  const std::vector<double> solution = {1, 2, -3, 0, 0, 0, 4, -5, 6, 0, 7, 8};
  for (const PrimitiveType type : {F64, F32, BF16, C64, C128}) {
    std::vector<double> a, l, b, x;
    const auto add = [&](std::vector<double>& to, double number) {
      to.push_back(number);
      if (IsComplexType(type)) to.push_back(0);
    };
    for (int matrix = 0; matrix < 2; ++matrix) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          double product = 0;
          for (int k = 0; k < 4; ++k) product += factor[i * 4 + k] * factor[j * 4 + k];
          add(a, product);
          add(l, factor[i * 4 + j]);
        }
        for (int j = 0; j < 3; ++j) {
          double product = 0;
          for (int k = 0; k < 4; ++k) product += factor[i * 4 + k] * solution[k * 3 + j];
          add(b, product);
          add(x, solution[i * 3 + j]);
        }
      }
    }
    const Literal solved = CheckAgainstDefinition(
        kSolved, type, {{ArrayOf(type, {2, 4, 4}, a), ArrayOf(type, {2, 4, 4}, l), ArrayOf(type, {2, 4, 3}, b)}});
    CHECK(solved.elements()[0].BitwiseEqual(ArrayOf(type, {2, 4, 4}, l)));
    CHECK(solved.elements()[1].BitwiseEqual(ArrayOf(type, {2, 4, 3}, x)));
  }
}

// The places of the rows differ in their second byte alone, and their updates are in turns.
TEST_CASE("scatters of long rows add all updates of a row before they round") {
  std::vector<double> updates, table(5 * 256, 1);
  for (std::int64_t i = 0; i < 40 * 256; ++i) updates.push_back(TermInDoubt(i / 256 / 5, i % 256));
  CheckAgainstDefinition(R"(table = TYPE[5,256] parameter(0)
  updates = TYPE[40,256] parameter(1)
  number = s32[40,1] iota(), iota_dimension=0
  five = s32[] constant(5)
  fives = s32[40,1] broadcast(five), dimensions={}
  rows = s32[40,1] remainder(number, fives)
  sums = TYPE[5,256] scatter(table, rows, updates), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_TYPE
  ROOT r = (TYPE[5,256]) tuple(sums))",
                         F32, {{ArrayOf(F32, {5, 256}, table), ArrayOf(F32, {40, 256}, updates)}});
}

}  // namespace
}  // namespace assay::testing
