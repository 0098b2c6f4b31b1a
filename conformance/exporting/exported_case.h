// One case of the corpus as data that can be read without assay: inputs, exact results, and the accepted ranges.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/cases/golden.h"
#include "conformance/exporting/accepted_values.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

struct ExportedCase {
  std::vector<Literal> inputs;   // arrays, device by device
  std::vector<Literal> outputs;  // the reference's results, in the same order
  AcceptedValues accepted;
};

// Finds the data of a case that has results. Fails with kUnsupported and the reason if an argument is a token, or if an
// argument or a result has run-time sizes.
Result<ExportedCase> ExportCase(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                const Profile& profile, const EvaluationLimits& limits);

// Returns {"inputs": [...], "outputs": [...]} (docs/export.md#cases).
nlohmann::json CaseToJson(const ExportedCase& exported);
// Returns the arrays of a .npz file by name: input_N, output_N, and accept_N unless the case is undecided.
std::vector<std::pair<std::string, Literal>> CaseToArrays(const ExportedCase& exported);

}  // namespace assay
