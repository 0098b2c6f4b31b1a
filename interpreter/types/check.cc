#include "interpreter/types/check.h"

#include <cstdio>
#include <cstdlib>

namespace assay {

void BrokenInvariant(std::string_view what, const char* file, int line) {
  std::fprintf(stderr, "assay is broken: %s:%d: %.*s\n", file, line, static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace assay
