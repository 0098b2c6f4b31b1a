// Outcomes by cause: what one bug does to a corpus is one line.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/reports/check_report.h"

namespace assay {

// Outcomes of one operation, with one verdict, for one reason.
struct Cluster {
  std::vector<const CheckEntry*> entries;  // in the order of the report
  const CheckEntry* witness;               // the one with the fewest elements, the first of these

  const Outcome& outcome() const { return witness->outcome; }
};

// Those of some standings, the worst verdict first, then the largest. Causes (Outcome::cause) are one where they
// differ in numbers alone.
std::vector<Cluster> ClustersOf(const CheckReport& report, std::initializer_list<Standing> standings);

// Of all that is not EXACT, as results.json has it.
nlohmann::json ClustersToJson(const CheckReport& report);

}  // namespace assay
