// The disagreements between what a certificate claims and what is found.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace assay {

// Returns a line for each disagreement between two values. `what` names them. Objects are compared field by field, and
// lists of one length element by element.
std::vector<std::string> DifferencesOf(const std::string& what, const nlohmann::json& claimed,
                                       const nlohmann::json& found);

// Returns a line for each case whose verdict, or the profile that it needs, differs between two reports, and for each
// case of one report only. Throws nlohmann::json::exception if an entry of `claimed` is not a case.
std::vector<std::string> DifferencesOfVerdicts(const nlohmann::json& claimed, const nlohmann::json& found);

// Compares two documents of results.json in everything that a second judging determines: verdicts first, then every
// other field of the cases with the same verdict, then the fields of the run. Times and the path of the corpus are not
// compared. Throws like DifferencesOfVerdicts.
std::vector<std::string> DifferencesOfReports(const nlohmann::json& claimed, const nlohmann::json& found);

}  // namespace assay
