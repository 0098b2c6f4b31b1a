// The public boundary of whatever makes literals: past it, errors are values.
#pragma once

#include <new>

#include "interpreter/types/limits.h"
#include "interpreter/types/result.h"

namespace assay {

// What `function` returns, a Result or a Status; a limit that it runs into is its error.
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
