// What must hold whatever the input is: where it does not, assay itself is wrong.
#pragma once

#include <string_view>

namespace assay {

// Says where and what on standard error, and aborts. Not std::source_location, which clang has from version 16 on.
[[noreturn]] void BrokenInvariant(std::string_view what, const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE());

}  // namespace assay

// `what` is a text; it is made only when the condition does not hold.
#define ASSAY_CHECK(condition, what) \
  if (condition) {                   \
  } else                             \
    ::assay::BrokenInvariant(what)
