// Results that a verdict depends on.
#pragma once

#include <utility>

#include "interpreter/types/result.h"

namespace assay {

// The result. Throws its error if that is a limit: what could not be computed for want of time or memory must not count
// as what does not exist, else a lawful result would be called wrong.
template <class T>
Result<T> UnlessLimited(Result<T> result) {
  if (!result && result.error().code == ErrorCode::kLimit) throw EvaluationError{result.error()};
  return result;
}

}  // namespace assay
