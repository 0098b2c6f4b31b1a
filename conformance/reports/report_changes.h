// The changes from one report to another: of two versions of a backend, two settings, or two machines.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "conformance/reports/check_report.h"

namespace assay {

enum class ChangeKind {
  kNewlyWrong,    // the later verdict speaks against the backend, and the earlier one did not
  kMended,        // the opposite
  kOtherVerdict,  // both do, or neither does
  kOtherBits,     // the verdict is the same, and the result is not
  kAdded,         // a case of the later report only
  kRemoved,
};
// "newly wrong", "mended", ...
std::string_view ChangeKindName(ChangeKind kind);
inline constexpr int kChangeKinds = static_cast<int>(ChangeKind::kRemoved) + 1;

struct Change {
  ChangeKind kind;
  // The entries of the case; null in the report without it.
  const CheckEntry* before = nullptr;
  const CheckEntry* after = nullptr;

  const Outcome& either() const { return (after != nullptr ? after : before)->outcome; }
  nlohmann::json ToJson() const;
};

struct ReportChanges {
  std::vector<Change> changes;  // by kind, then in the order of the reports
  // By op and element type: the number of the cases of both reports, and of the changes of each kind. A case counts for
  // each type that it tests its op with; a model for the op "models" and no type.
  struct Row {
    int cases = 0;
    int changes[kChangeKinds] = {};
  };
  std::map<std::pair<std::string, std::string>, Row> rows;

  int Count(ChangeKind kind) const;
  nlohmann::json ToJson() const;
};

// Compares the cases with one name. Results are equal if their bits are; an EXACT result counts as equal to another
// one. Both reports must outlive the result.
ReportChanges FindChanges(const CheckReport& before, const CheckReport& after);

}  // namespace assay
