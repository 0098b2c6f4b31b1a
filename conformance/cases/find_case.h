// A golden case by its name.
#pragma once

#include <string>

#include "conformance/cases/golden.h"

namespace assay {

struct NamedCase {
  GoldenFile file;
  GoldenCase golden;

  // "exponential/f32/limits (golden/exponential/f32.hlo:22): why"
  std::string Title() const;
};

// kUsage when no file below the corpus has it; the message names what may have been meant. kInput for a case that must
// be refused, which has no values.
Result<NamedCase> FindCase(const std::string& corpus, const std::string& name);

}  // namespace assay
