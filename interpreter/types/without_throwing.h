// The public boundary of all code that makes literals: beyond it, errors are values.
#pragma once

#include <new>

#include "interpreter/types/limits.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns the Result or Status of `function`; a limit that it reaches becomes its error.
template <class Function>
auto WithoutThrowing(Function&& function) -> decltype(function()) {
  try {
    return function();
  } catch (EvaluationError& error) {
    return std::move(error.error);
  } catch (const std::bad_alloc& exception) {
    return OutOfMemory(exception);
  }
}

}  // namespace assay
