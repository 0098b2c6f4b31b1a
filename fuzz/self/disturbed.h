// Drawn arguments for a fuzzer's module, and the reference with changed bits in its results.
#pragma once

#include <cstdint>
#include <memory>

#include "backends/backend.h"
#include "fuzz/generate/random.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// Changes up to three elements of each array to others of its type.
void Disturb(Literal& value, generate::Random& random);

// A backend that disturbs every result, or none.
class DisturbedBackend final : public Backend {
 public:
  DisturbedBackend(std::uint64_t seed, bool is_exact);

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  friend class DisturbedExecutable;

  generate::Random random_;
  const bool is_exact_;
  BackendDescription description_;
};

// Draws numbers, edge values and small indices, the same for a seed. Fails with kLimit if the parameters are too large.
Result<DeviceValues> DrawInputs(const HloModule& module, std::uint64_t seed);

EvaluationLimits SmallEvaluation();

// True if a result is a value of the shape: its elements are stored correctly, and its sizes are legal for dynamic
// dimensions.
bool IsOfShape(const Literal& value, const Shape& shape);

}  // namespace assay
