// The corpus of the repository, for tests that run mutants on it.
#pragma once

#include <cstdlib>

#include "fuzz/measure/case_library.h"

namespace assay::testing {

// Reads the corpus from ASSAY_GOLDENS; without it the working directory must be the repository.
inline const CaseLibrary& Goldens() {
  static const CaseLibrary library = [] {
    const char* folder = std::getenv("ASSAY_GOLDENS");
    return *CaseLibrary::Read(folder != nullptr ? folder : "golden");
  }();
  return library;
}

}  // namespace assay::testing
