// Clusters outcomes by cause: the effect of one bug on a corpus is one line.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/reports/check_report.h"

namespace assay {

// Outcomes with the same op, verdict, standing and cause.
struct Cluster {
  std::vector<const CheckEntry*> entries;  // in the order of the report
  const CheckEntry* witness;               // the outcome with the fewest elements; the first of several

  const Outcome& outcome() const { return witness->outcome; }
};

// Returns the clusters of some standings: the worst verdict first, then the largest cluster. Causes (Outcome::cause)
// that differ only in numbers are equal.
std::vector<Cluster> ClustersOf(const CheckReport& report, std::initializer_list<Standing> standings);

// Returns the clusters of all outcomes that are not EXACT, in the form of results.json.
nlohmann::json ClustersToJson(const CheckReport& report);

}  // namespace assay
