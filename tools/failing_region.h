// Finds the smallest part of a module that a backend computes wrongly or fails to compute.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "diagnosis/failure.h"
#include "diagnosis/reduce.h"

namespace assay {

struct FoundRegion {
  Reduction reduction;
  Failure failure;  // of the region alone
};

// True if the module of the report has such a part.
bool HasRegion(const ModuleReport& report);

// Cuts off instructions for at most `seconds`. `compare` and `report` are those of the whole module.
Result<FoundRegion> FindRegion(Backend& backend, const Subject& subject, const CompareOptions& compare,
                               const ModuleReport& report, double seconds);

// Returns the instructions that a region computes, by their places in the module. Instructions that build tuples or
// take elements of them are included only if there are no others.
std::vector<const HloInstruction*> InstructionsOf(const Subject& region);

nlohmann::json RegionToJson(const FoundRegion& found);

}  // namespace assay
