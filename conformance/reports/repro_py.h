// repro.py, the program of a reproduced failure (docs/reproducing.md).
#pragma once

#include <optional>
#include <string>

#include "backends/program.h"
#include "conformance/reports/repro.h"

namespace assay {

// Returns a Python script that runs module.hlo (with inputs.json, if it has parameters) on the program behind the
// backend: jaxlib's XLA:CPU, or a program that speaks the process protocol. The script compares every element of
// several runs with expected.json (repro_expected.h), and exits with 1 if a run is wrong. Returns nothing for XLA:CPU
// and a module with parameters.
std::optional<std::string> ReproScript(const BackendProgram& program, const BackendDescription& backend,
                                       const ReproSubject& subject, const ReproFinding& finding, bool has_parameters);

}  // namespace assay
