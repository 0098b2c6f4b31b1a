// Whole ops, with and without their quick phases.
#include "spec_tests/numerics/in_doubt.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "interpreter/numerics/round.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

// Numbers of which some cancel, some are small integers, and some have any exponent up to 2^spread.
Literal AnyNumbers(PrimitiveType type, const std::vector<std::int64_t>& sizes, int spread, std::mt19937_64& random) {
  Literal array = Literal::Uninitialized(ShapeUtil::MakeShape(type, sizes));
  const std::int64_t count = array.element_count() * ComponentCount(type);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto kind = random() % 4;
    const int exponent = static_cast<int>(random() % (2 * static_cast<unsigned>(spread) + 1)) - spread;
    numbers[i] = kind == 0 && i > 0 ? -numbers[i - 1]
                 : kind == 1        ? double(random() % 7)
                                    : std::ldexp(normal(random), exponent);
  }
  StoreReals(ComplexComponentType(type), numbers.data(), array.mutable_data(), count);
  return array;
}

// TYPE stands for the element type.
constexpr std::string_view kSums = R"(HloModule sums
add { add.a = TYPE[] parameter(0)
  add.b = TYPE[] parameter(1)
  ROOT add.r = TYPE[] add(add.a, add.b) }
running { running.a = TYPE[50] parameter(0)
  running.b = TYPE[50] parameter(1)
  running.s = TYPE[50] add(running.a, running.b)
  ROOT running.r = (TYPE[50], TYPE[50]) tuple(running.s, running.s) }
ENTRY e {
  x = TYPE[40,50] parameter(0)
  y = TYPE[50,30] parameter(1)
  zero = TYPE[] constant(ZERO)
  dot = TYPE[40,30] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  rows = TYPE[40] reduce(x, zero), dimensions={1}, to_apply=add
  columns = TYPE[50] reduce(x, zero), dimensions={0}, to_apply=add
  all = TYPE[] reduce(x, zero), dimensions={0,1}, to_apply=add
  windows = TYPE[40,50] reduce-window(x, zero), window={size=3x5 pad=1_1x4_0}, to_apply=add
  flat = TYPE[2000] reshape(x)
  cumulative = TYPE[2000] reduce-window(flat, zero), window={size=2000 pad=1999_0}, to_apply=add
  image = TYPE[1,40,50,1] reshape(x)
  kernel = TYPE[5,6,1,50] reshape(y)
  convolved = TYPE[1,36,45,50] convolution(image, kernel), window={size=5x6}, dim_labels=b01f_01io->b01f
  place = s32[2000] iota(), iota_dimension=0
  seven = s32[] constant(7)
  sevens = s32[2000] broadcast(seven), dimensions={}
  bucket = s32[2000] remainder(place, sevens)
  index = s32[2000,1] reshape(bucket)
  buckets = TYPE[7] broadcast(zero), dimensions={}
  scattered = TYPE[7] scatter(buckets, index, flat), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
  gathered = TYPE[40,50] all-reduce(x), replica_groups={}, to_apply=add
  zeros = TYPE[50] broadcast(zero), dimensions={}
  scanned = (TYPE[40,50], TYPE[50]) scan(x, zeros), dimensions={0}, num_carries=1, is_associative=true, to_apply=running
  ROOT r = ((TYPE[40,50], TYPE[50]), TYPE[40,30], TYPE[40], TYPE[50], TYPE[], TYPE[40,50], TYPE[2000], TYPE[1,36,45,50], TYPE[7], TYPE[40,50]) tuple(scanned, dot, rows, columns, all, windows, cumulative, convolved, scattered, gathered)
})";

constexpr std::string_view kStatistics = R"(HloModule statistics
ENTRY e {
  x = TYPE[40,50] parameter(0)
  y = TYPE[50,30] parameter(1)
  one = TYPE[] constant(1)
  ones = TYPE[50] broadcast(one), dimensions={}
  normalized = (TYPE[40,50], TYPE[50], TYPE[50]) batch-norm-training(x, ones, ones), epsilon=0.001, feature_index=1
  mean = TYPE[50] get-tuple-element(normalized), index=1
  variance = TYPE[50] get-tuple-element(normalized), index=2
  inferred = TYPE[40,50] batch-norm-inference(x, ones, ones, mean, variance), epsilon=0.001, feature_index=1
  gradients = (TYPE[40,50], TYPE[50], TYPE[50]) batch-norm-grad(x, ones, mean, variance, inferred), epsilon=0.001, feature_index=1
  small = TYPE[20,20] slice(x), slice={[0:20], [0:20]}
  gram = TYPE[20,20] dot(small, small), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  factor = TYPE[20,20] cholesky(gram), lower=true
  right = TYPE[20,30] slice(y), slice={[0:20], [0:30]}
  solution = TYPE[20,30] triangular-solve(gram, right), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
  ROOT r = ((TYPE[40,50], TYPE[50], TYPE[50]), TYPE[40,50], (TYPE[40,50], TYPE[50], TYPE[50]), TYPE[20,20], TYPE[20,30]) tuple(normalized, inferred, gradients, factor, solution)
})";

std::string For(std::string_view text, PrimitiveType type) {
  std::string result(text);
  const auto replace = [&](std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = result.find(what, at)) != std::string::npos; at += by.size()) {
      result.replace(at, what.size(), by);
    }
  };
  replace("TYPE", PrimitiveTypeName(type));
  replace("ZERO", IsComplexType(type) ? "(0, 0)" : "0");
  return result;
}

void CheckSameInDoubt(std::string_view text, PrimitiveType type) {
  std::mt19937_64 random(1);
  const auto module = Parsed(For(text, type));
  for (const int spread : {2, 30}) {
    CAPTURE(PrimitiveTypeName(type), spread);
    const std::vector<Literal> arguments = {AnyNumbers(type, {40, 50}, spread, random),
                                            AnyNumbers(type, {50, 30}, spread, random)};
    const Literal certain = Evaluated(*module, arguments);
    const EverythingIsInDoubt doubt;
    const Literal in_doubt = Evaluated(*module, arguments);
    for (std::size_t i = 0; i < certain.elements().size(); ++i) {
      CAPTURE(i);
      CHECK(certain.elements()[i].BitwiseEqual(in_doubt.elements()[i]));
    }
  }
}

TEST_CASE("Sums have the same bits when everything is in doubt") {
  std::vector<PrimitiveType> types = {F64, F32, BF16, F8E5M2, C64};
  if (IsNightly("sums of f16, f8e4m3fn and c128 in doubt")) types.insert(types.end(), {F16, F8E4M3FN, C128});
  for (const PrimitiveType type : types) CheckSameInDoubt(kSums, type);
}

TEST_CASE("Statistics and solutions have the same bits when everything is in doubt") {
  for (const PrimitiveType type : {F64, F32, BF16, F16}) CheckSameInDoubt(kStatistics, type);
}

}  // namespace
}  // namespace assay::testing
