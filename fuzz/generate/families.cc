#include "fuzz/generate/families.h"

#include <algorithm>

#include "fuzz/generate/element_wise.h"
#include "fuzz/generate/instructions.h"

namespace assay::generate {
namespace {

// Classes of numbers with informative bounds: neither all equal nor sorted.
constexpr EdgeClass kClasses[] = {
    EdgeClass::kNormal, EdgeClass::kAnyBits,    EdgeClass::kWide,          EdgeClass::kPositive, EdgeClass::kTiny,
    EdgeClass::kHuge,   EdgeClass::kCancelling, EdgeClass::kSmallIntegers, EdgeClass::kShort,    EdgeClass::kDominated};
constexpr std::int64_t kFewElements = 64;

struct Family {
  std::string_view name;
  std::vector<std::string_view> ops;  // none: the element-wise functions
};

const std::vector<Family>& Families() {
  static const std::vector<Family> families = {
      {"functions", {}},
      {"batch-norm", {"batch-norm-grad", "batch-norm-inference", "batch-norm-training"}},
      {"cholesky", {"cholesky"}},
      {"convolution", {"convolution"}},
      {"dot", {"dot"}},
      {"fft", {"fft"}},
      {"reduce", {"reduce"}},
      {"reduce-window", {"reduce-window"}},
      {"rng", {"rng"}},
      {"scatter", {"scatter"}},
      {"select-and-scatter", {"select-and-scatter"}},
      {"sort", {"sort"}},
      {"triangular-solve", {"triangular-solve"}},
  };
  return families;
}

bool IsFunction(const Op& op) {
  const bool needs_attributes = std::ranges::any_of(op.syntax.attributes, &AttributeSpec::required);
  return op.evaluation.kernel != nullptr && op.syntax.shape_is_inferable && !needs_attributes &&
         op.legality.arity.max <= 2 && op.legality.types.contains(F32);
}

std::vector<const Op*> OpsOf(const Family& family) {
  std::vector<const Op*> ops;
  for (const std::string_view name : family.ops) ops.push_back(FindOp(name));
  if (ops.empty())
    std::ranges::copy_if(AllOps(), std::back_inserter(ops), [](const Op* op) { return IsFunction(*op); });
  return ops;
}

// Draws a set of types, usually those of most programs.
TypeSet DrawTypeSet(Random& random) {
  if (random.OneIn(4)) return TypesOf(C64, C128, F8E3M4, F8E4M3B11FNUZ, F4E2M1FN);
  return random.OneOf(
      {TypesOf(F32), TypesOf(F32), TypesOf(F32, F64), TypesOf(BF16), TypesOf(F16), TypesOf(F8E5M2, F8E4M3FN)});
}

DrawnInstruction Draw(Random& random, const Op& op, std::int64_t most_elements) {
  return DrawInstruction(random, op,
                         {.types = DrawTypeSet(random),
                          .most_elements = most_elements,
                          .classes = kClasses,
                          .replica_count = 1,
                          .num_partitions = 1,
                          .draws_optional_attributes = false});
}

}  // namespace

std::vector<std::string_view> FamilyNames() {
  std::vector<std::string_view> names;
  for (const Family& family : Families()) names.push_back(family.name);
  return names;
}

DrawnInstruction DrawOfFamily(Random& random, std::string_view family, std::int64_t most_elements) {
  const Family& drawn = *std::ranges::find(Families(), family, &Family::name);
  const Op& op = *random.OneOf(OpsOf(drawn));
  // Ops that accumulate have few long sums, or many short ones.
  const std::int64_t share = drawn.ops.empty() ? 1 : random.OneOf<std::int64_t>({1, 4, 16});
  return Draw(random, op, std::max(kFewElements, most_elements / share));
}

std::optional<DrawnInstruction> DrawAsInFamily(Random& random, const Op& op) {
  for (const Family& family : Families()) {
    const std::vector<const Op*> ops = OpsOf(family);
    if (std::ranges::find(ops, &op) != ops.end()) return Draw(random, op, kFewElements);
  }
  return std::nullopt;
}

}  // namespace assay::generate
