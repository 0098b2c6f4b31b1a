// What must hold whatever the input is: where it does not, assay itself is wrong.
#pragma once

#include <source_location>
#include <string_view>

namespace assay {

// Says where and what on standard error, and aborts.
[[noreturn]] void BrokenInvariant(std::string_view what, std::source_location where = std::source_location::current());

}  // namespace assay

// `what` is a text; it is made only when the condition does not hold.
#define ASSAY_CHECK(condition, what) \
  if (condition) {                   \
  } else                             \
    ::assay::BrokenInvariant(what)
