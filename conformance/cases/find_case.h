// Finds a golden case by its name.
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

// Fails with kUsage if no file below the corpus has the case; the message suggests similar names. Fails with kInput for
// a case whose module must be refused: it has no values.
Result<NamedCase> FindCase(const std::string& corpus, const std::string& name);

// Returns the legal neighbour of a case that must be refused, from the corpus of the case's file. Fails with kInput if
// that corpus has no such legal case without a host.
Result<NamedCase> FindNeighbour(const GoldenFile& file, const GoldenCase& refused);

}  // namespace assay
