// Walks a computation, one instruction at a time, and returns the exact value of its root.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

struct EvaluationLimits {
  std::int64_t steps = INT64_MAX;  // executed instructions, those of called computations included
  double seconds = 0;              // 0: no limit
};

// Sees every executed instruction that computes (no parameters, constants, elements of tuples) with its operands and
// its result, in execution order; not those inside scalar computations that run over whole vectors.
using EvaluationObserver =
    std::function<void(const HloInstruction&, std::span<const Literal> operands, const Literal& result)>;

struct EvaluationOptions {
  EvaluationLimits limits = {};
  std::int64_t replica_id = 0;
  std::int64_t partition_id = 0;
  EvaluationObserver observer = {};
};

// The value of the entry computation. The module must have passed the verifier. `arguments` are checked against the
// parameters' shapes (layouts ignored); for a dynamic dimension any size up to its bound will do, and arrays of the
// result have their run-time sizes. Errors: kInput for unfit arguments, kUnsupported for an op that is not
// evaluated, kLimit.
Result<Literal> Evaluate(const HloModule& module, std::vector<Literal> arguments,
                         const EvaluationOptions& options = {});

}  // namespace assay
