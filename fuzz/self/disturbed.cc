#include "fuzz/self/disturbed.h"

#include <algorithm>
#include <cstring>

#include "backends/json/array_json.h"
#include "fuzz/generate/random.h"
#include "fuzz/generate/values.h"
#include "fuzz/self/target.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
using namespace generate;

void Disturb(Literal& value, Random& random) {
  for (Literal& element : value.mutable_elements()) Disturb(element, random);
  if (!value.shape().IsArray() || value.element_count() == 0) return;
  const std::int64_t item = StorageBytes(value.element_type());
  for (std::int64_t left = random.Below(4); left > 0; --left) {
    std::byte* const element = value.mutable_data() + random.Below(value.element_count()) * item;
    std::byte before[16];
    std::memcpy(before, element, item);
    if (random.Flip()) {
      element[random.OneIn(4) ? random.Below(item) : 0] ^= std::byte{1};
    } else {
      for (std::int64_t i = 0; i < item; ++i) element[i] = static_cast<std::byte>(random.OneIn(4) ? 0 : random.Bits());
    }
    // Backends reject bytes that are no legal element.
    if (!CheckStoredRange(value)) std::memcpy(element, before, item);
  }
}

class DisturbedExecutable final : public Executable {
 public:
  DisturbedExecutable(DisturbedBackend& backend, const HloModule& module) : backend_(backend), module_(module) {}

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    EvaluationOptions options;
    options.limits = SmallEvaluation();
    ASSAY_TRY(PerDevice<DeviceOutputs> devices, EvaluateOnDevices(module_, inputs, options));
    PerDevice<Literal> outputs = OutputsOf(std::move(devices));
    for (Literal& output : outputs) {
      if (!backend_.is_exact_) Disturb(output, backend_.random_);
    }
    return outputs;
  }

 private:
  DisturbedBackend& backend_;
  const HloModule& module_;
};

DisturbedBackend::DisturbedBackend(std::uint64_t seed, bool is_exact) : random_(seed), is_exact_(is_exact) {
  description_.name = "disturbed";
  description_.max_devices = kMostDevices;
}

Result<std::unique_ptr<Executable>> DisturbedBackend::Compile(const HloModule& module) {
  return std::unique_ptr<Executable>(std::make_unique<DisturbedExecutable>(*this, module));
}

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
