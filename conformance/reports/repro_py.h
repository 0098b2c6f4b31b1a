// repro.py, the program of a reproduced failure (docs/reproducing.md).
#pragma once

#include <optional>
#include <string>

#include "backends/program.h"
#include "conformance/reports/repro.h"

namespace assay {

// Python that runs module.hlo, with inputs.json where it has parameters, on the program behind the backend: jaxlib's
// XLA:CPU, or one that speaks the process protocol. It prints the worst element, and exits with 1 if that is wrong.
// Nothing for XLA:CPU and a module with parameters.
std::optional<std::string> ReproScript(const BackendProgram& program, const BackendDescription& backend,
                                       const ReproSubject& subject, const ReproFinding& finding, bool has_parameters);

}  // namespace assay
