// One case of the corpus as data that needs no assay: inputs, exact results, and what else a profile accepts.
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
  std::vector<Literal> outputs;  // the reference's results, alike
  AcceptedValues accepted;
};

// Finds the data of a case that has results. Fails with kUnsupported, and the reason, if they are no plain arrays.
Result<ExportedCase> ExportCase(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                const Profile& profile, const EvaluationLimits& limits);

// Returns {"inputs": [...], "outputs": [...]} (docs/export.md#cases).
nlohmann::json CaseToJson(const ExportedCase& exported);
// Returns the files of the same arrays, by name, for a .npz file.
std::vector<std::pair<std::string, Literal>> CaseToArrays(const ExportedCase& exported);

}  // namespace assay
