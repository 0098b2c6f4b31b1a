#include "fuzz/generate/attributes.h"

namespace assay::generate {

AttributeValue DrawAttributeValue(Random& random, const AttributeSpec& spec) {
  if (spec.print == PrintRule::kNever) return {};
  switch (spec.kind) {
    case AttributeKind::kBool:
      return random.Flip();
    case AttributeKind::kEnum:
      return std::string(random.OneOf(spec.enumerators));
    case AttributeKind::kInt64:
      if (random.OneIn(12)) return std::int64_t{0};
      return random.Between(1, random.OneIn(6) ? 60 : 10);
    case AttributeKind::kPrecision: {
      const auto precision = [&] { return std::string(random.OneOf({"default", "high", "highest"})); };
      return std::vector<std::string>{precision(), precision()};
    }
    default:
      return {};
  }
}

ResultAccuracy DrawResultAccuracy(Random& random) {
  if (random.Flip()) return {.is_highest = true};
  const double tolerances[] = {0, 0.5, 0.25};
  return {.atol = random.OneOf(tolerances), .rtol = random.OneOf(tolerances), .ulps = random.Below(8)};
}

}  // namespace assay::generate
