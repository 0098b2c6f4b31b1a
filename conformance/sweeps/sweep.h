// Measures one element-wise operation of a backend over many inputs, piece by piece, against the reference.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/running/backend_pool.h"
#include "conformance/sweeps/error_survey.h"
#include "conformance/sweeps/sweep_inputs.h"
#include "interpreter/hlo/op.h"

namespace assay {

// Returns a kUsage error that suggests the nearest name.
Error UnknownOperation(const std::string& name);

// Checks that sweeps can measure the op on a float or complex type. It must be element-wise, have one or two operands
// of the type and no attributes, and return the type or the type of its parts. The kUnsupported error says why not.
Status CheckSweepable(const Op& op, PrimitiveType type);
// Returns the number of operands of a sweepable op.
int SweepOperands(const Op& op);
// Returns the element type of the op's results.
PrimitiveType SweepResultType(const Op& op, PrimitiveType type);

// The pieces of a sweep: [first, first + piece), ...; the last one ends at first + count.
struct SweepRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t piece = 1 << 22;

  std::int64_t pieces() const { return (count + piece - 1) / piece; }
};

struct SweepProgress {
  std::set<std::int64_t> done;  // pieces
  ErrorSurvey survey;
};

// The reason for a sweep's early end.
struct SweepEnd {
  Error error;
  bool is_of_backend;  // false: of the reference, or of saving
};

// Runs the pieces that are not done, each on a backend of the pool. Calls `save` after each piece; calls are
// serialized. The first error ends the sweep.
std::optional<SweepEnd> RunSweep(const Op& op, const SweepInputs& inputs, const SweepRange& range,
                                 const Profile& profile, BackendPool& pool, SweepProgress& progress,
                                 const std::function<Status(const SweepProgress&)>& save);

}  // namespace assay
