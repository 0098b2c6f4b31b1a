// Batch invariance: an element of a batch has the same bits in the batch and alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// A dimension of size n along which a module computes n independent results, with the backend's results for its first
// and last elements in the batch and alone.
struct BatchDimension {
  int parameter = 0;           // the first one that has it
  std::int64_t dimension = 0;  // of the parameter
  std::int64_t size = 0;
  bool is_invariant = false;
  // EXACT: the bits are equal. Otherwise that of the worse of both results, at least LEGAL.
  Verdict verdict = Verdict::kExact;
  std::string reason;
  // The element with the largest difference, and its values; empty if the bits are equal.
  std::string element;
  std::string in_batch;
  std::string alone;
};

// Finds the batch dimensions of a module with an array as result, for one device: those along which the reference's
// result for an element alone is that in the batch. Then runs the backend on both. A dimension that the backend
// declines or fails to run alone has the verdict of that error. Fails with the error of the reference or of the whole
// batch on the backend.
Result<std::vector<BatchDimension>> FindBatchDimensions(Backend& backend, const HloModule& module,
                                                        const DeviceValues& arguments, const Profile& profile,
                                                        const EvaluationLimits& limits);

}  // namespace assay
