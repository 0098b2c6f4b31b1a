// Separates limits of time and memory from other errors of an evaluation.
#pragma once

#include <utility>

#include "interpreter/types/result.h"

namespace assay {

// Returns the result. Throws its error if that is a limit: a value that could not be computed within the limits must
// not count as one that does not exist, because a lawful result would then be called wrong.
template <class T>
Result<T> UnlessLimited(Result<T> result) {
  if (!result && result.error().code == ErrorCode::kLimit) throw EvaluationError{result.error()};
  return result;
}

}  // namespace assay
