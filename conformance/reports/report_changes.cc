#include "conformance/reports/report_changes.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

namespace assay {
namespace {

constexpr std::string_view kChangeKindNames[] = {"newly wrong", "mended", "other verdict",
                                                 "other bits",  "added",  "removed"};

// True if the outcome speaks against the backend.
bool IsWrong(const Outcome& outcome) { return !outcome.unjudged && IsFailure(outcome.verdict()); }

bool HaveOtherBits(const Outcome& before, const Outcome& after) {
  return before.VerdictText() != VerdictName(Verdict::kExact) && !before.bits.empty() && !after.bits.empty() &&
         before.bits != after.bits;
}

std::optional<ChangeKind> KindOfChange(const Outcome& before, const Outcome& after) {
  if (IsWrong(before) != IsWrong(after)) return IsWrong(after) ? ChangeKind::kNewlyWrong : ChangeKind::kMended;
  if (before.VerdictText() != after.VerdictText()) return ChangeKind::kOtherVerdict;
  return HaveOtherBits(before, after) ? std::optional(ChangeKind::kOtherBits) : std::nullopt;
}

std::vector<std::pair<std::string, std::string>> RowsOf(const Outcome& outcome) {
  const std::string op = outcome.is_model() ? "models" : outcome.op;
  if (outcome.types.empty()) return {{op, ""}};
  std::vector<std::pair<std::string, std::string>> rows;
  for (const PrimitiveType type : outcome.types) rows.emplace_back(op, PrimitiveTypeName(type));
  return rows;
}

}  // namespace

std::string_view ChangeKindName(ChangeKind kind) { return kChangeKindNames[static_cast<std::size_t>(kind)]; }

nlohmann::json Change::ToJson() const {
  nlohmann::json json = {{"kind", ChangeKindName(kind)}, {"name", either().name}};
  if (before != nullptr) json["before"] = before->outcome.VerdictText();
  if (after != nullptr) json["after"] = after->outcome.VerdictText();
  if (!either().reason().empty()) json["reason"] = either().cause();
  return json;
}

int ReportChanges::Count(ChangeKind kind) const {
  return static_cast<int>(std::ranges::count(changes, kind, &Change::kind));
}

nlohmann::json ReportChanges::ToJson() const {
  nlohmann::json json = {{"changes", nlohmann::json::array()}, {"rows", nlohmann::json::array()}};
  for (const Change& change : changes) json["changes"].push_back(change.ToJson());
  for (const auto& [op_and_type, row] : rows) {
    nlohmann::json entry = {{"op", op_and_type.first}, {"type", op_and_type.second}, {"cases", row.cases}};
    for (int kind = 0; kind < kChangeKinds; ++kind) {
      if (row.changes[kind] > 0) entry[std::string(kChangeKindNames[kind])] = row.changes[kind];
    }
    json["rows"].push_back(std::move(entry));
  }
  return json;
}

ReportChanges FindChanges(const CheckReport& before, const CheckReport& after) {
  ReportChanges found;
  std::map<std::string, const CheckEntry*> earlier;
  for (const CheckEntry& entry : before.entries()) earlier.emplace(entry.outcome.name, &entry);
  const auto add = [&](std::optional<ChangeKind> kind, const CheckEntry* old, const CheckEntry* now) {
    if (kind) found.changes.push_back({*kind, old, now});
    for (const auto& op_and_type : RowsOf((now != nullptr ? now : old)->outcome)) {
      ReportChanges::Row& row = found.rows[op_and_type];
      if (old != nullptr && now != nullptr) ++row.cases;
      if (kind) ++row.changes[static_cast<std::size_t>(*kind)];
    }
  };
  std::set<std::string> seen;
  for (const CheckEntry& entry : after.entries()) {
    const std::string& name = entry.outcome.name;
    seen.insert(name);
    const auto old = earlier.find(name);
    if (old == earlier.end()) {
      add(ChangeKind::kAdded, nullptr, &entry);
    } else {
      add(KindOfChange(old->second->outcome, entry.outcome), old->second, &entry);
    }
  }
  for (const CheckEntry& entry : before.entries()) {
    if (!seen.contains(entry.outcome.name)) add(ChangeKind::kRemoved, &entry, nullptr);
  }
  std::ranges::stable_sort(found.changes, {}, &Change::kind);
  return found;
}

}  // namespace assay
