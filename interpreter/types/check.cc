#include "interpreter/types/check.h"

#include <cstdio>
#include <cstdlib>

namespace assay {

void BrokenInvariant(std::string_view what, std::source_location where) {
  std::fprintf(stderr, "assay is broken: %s:%u: %.*s\n", where.file_name(), where.line(), static_cast<int>(what.size()),
               what.data());
  std::abort();
}

}  // namespace assay
