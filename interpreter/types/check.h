// Checks of invariants that hold for any input: a failure is a bug in assay.
#pragma once

#include <string_view>

namespace assay {

// Prints the location and `what` to standard error, and aborts. Does not use std::source_location, which clang has only
// from version 16 on.
[[noreturn]] void BrokenInvariant(std::string_view what, const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE());

}  // namespace assay

// `what` is an expression for the message, evaluated only if the condition is false.
#define ASSAY_CHECK(condition, what) \
  if (condition) {                   \
  } else                             \
    ::assay::BrokenInvariant(what)
