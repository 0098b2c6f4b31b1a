#include "fuzz/self/drawn_inputs.h"

#include <algorithm>

#include "backends/json/array_json.h"
#include "fuzz/generate/random.h"
#include "fuzz/generate/values.h"
#include "fuzz/self/target.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
using namespace generate;

Result<DeviceValues> DrawInputs(const HloModule& module, std::uint64_t seed) {
  return WithoutThrowing([&]() -> Result<DeviceValues> {
    Random random(seed);
    DeviceValues values(static_cast<std::size_t>(module.device_count()));
    for (std::vector<Literal>& device : values) {
      for (const HloInstruction* parameter : module.entry->Parameters()) {
        // Half of the values are moderate: edge values alone only have edge values as results.
        const EdgeClass edge_class =
            random.Flip() ? random.OneOf({EdgeClass::kNormal, EdgeClass::kSmallIntegers, EdgeClass::kPositive})
                          : random.OneOf(AllEdgeClasses());
        // Drawing does not check the time limit.
        ASSAY_TRY(const std::int64_t bytes, ShapeUtil::CheckedByteSizeOf(parameter->shape));
        if (bytes > 1 << 20) return Error{ErrorCode::kLimit, "large parameters"};
        device.push_back(DrawValue(random, parameter->shape, edge_class));
      }
    }
    return values;
  });
}

EvaluationLimits SmallEvaluation() {
  return {.steps = 20000, .seconds = SmallLimits::kSeconds, .array_bytes = SmallLimits::kBytes};
}

bool IsOfShape(const Literal& value, const Shape& shape) {
  if (shape.IsTuple() != value.shape().IsTuple()) return false;
  if (shape.IsTuple()) return std::ranges::equal(value.elements(), shape.tuple_shapes(), IsOfShape);
  if (!shape.IsArray()) return shape.element_type() == value.element_type();
  if (!CheckStoredRange(value)) return false;
  Literal fitted = value;
  return ShapeUtil::Compatible(value.shape(), shape) || FitArgument(shape, fitted);
}

}  // namespace assay
