#include "conformance/certificates/report_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "backends/json/json_text.h"
#include "backends/json/printable.h"

namespace assay {
namespace {

using nlohmann::json;

constexpr const char* kLists[] = {"cases", "models"};
// The number of bytes of a value that a line shows: a module's text may be long.
constexpr std::size_t kLongest = 200;

std::string Shown(const json& value) { return Printable(JsonText(value), Lines::kOne, kLongest); }

// The entries of each case: several if a report has a case several times.
using EntriesByCase = std::map<std::string, std::vector<const json*>>;

EntriesByCase EntriesOf(const json& report) {
  EntriesByCase entries;
  for (const char* list : kLists) {
    const auto found = report.find(list);
    if (found == report.end()) continue;
    for (const json& entry : *found) {
      entries[fmt::format("{} {}", list, entry.value("name", ""))].push_back(&entry);
    }
  }
  return entries;
}

// Returns the verdicts with the profiles that they need.
std::string VerdictsOfCase(const std::vector<const json*>& entries) {
  std::string verdicts;
  for (const json* entry : entries) {
    verdicts += (verdicts.empty() ? "" : " and ") + entry->value("verdict", "");
    if (entry->contains("narrowest_profile")) verdicts += ", profile " + entry->value("narrowest_profile", "");
  }
  return verdicts;
}

// Returns an entry without its times, and with its place below the corpus.
json Comparable(json entry, const std::string& corpus) {
  for (const char* time : {"reference_seconds", "backend_seconds"}) entry.erase(time);
  const std::string place = entry.value("place", "");
  if (!corpus.empty() && place.starts_with(corpus + "/")) entry["place"] = place.substr(corpus.size() + 1);
  return entry;
}

// Returns the fields of a report that describe the run. The names in the digest are paths, so it differs from one
// machine to another; the certificate has digests by the path below the corpus.
json RunOf(json report) {
  for (const char* list : kLists) report.erase(list);
  for (const char* field : {"corpus", "digest"}) report.erase(field);
  return report;
}

void Append(std::vector<std::string> more, std::vector<std::string>& lines) {
  std::ranges::move(more, std::back_inserter(lines));
}

}  // namespace

std::vector<std::string> DifferencesOf(const std::string& what, const json& claimed, const json& found) {
  if (claimed == found) return {};
  std::vector<std::string> lines;
  if (claimed.is_array() && found.is_array() && claimed.size() == found.size()) {
    for (std::size_t i = 0; i < claimed.size(); ++i) {
      Append(DifferencesOf(fmt::format("{}[{}]", what, i), claimed[i], found[i]), lines);
    }
    return lines;
  }
  if (!claimed.is_object() || !found.is_object()) {
    return {fmt::format("{}: claimed {}, found {}", what, Shown(claimed), Shown(found))};
  }
  json all = claimed;
  all.update(found);
  for (const auto& [field, value] : all.items()) {
    const json nothing = "nothing";
    Append(DifferencesOf(what + " " + field, claimed.value(field, nothing), found.value(field, nothing)), lines);
  }
  return lines;
}

std::vector<std::string> DifferencesOfVerdicts(const json& claimed, const json& found) {
  const EntriesByCase claims = EntriesOf(claimed), facts = EntriesOf(found);
  std::vector<std::string> lines;
  for (const auto& [name, entries] : facts) {
    const std::string verdict = VerdictsOfCase(entries);
    const auto claim = claims.find(name);
    if (claim == claims.end()) {
      lines.push_back(fmt::format("{}: the report omits it, found {}", name, verdict));
    } else if (const std::string other = VerdictsOfCase(claim->second); other != verdict) {
      lines.push_back(fmt::format("{}: claimed {}, found {}", name, other, verdict));
    }
  }
  for (const auto& [name, entries] : claims) {
    if (facts.contains(name)) continue;
    lines.push_back(fmt::format("{}: claimed {}, and the corpus has no such case", name, VerdictsOfCase(entries)));
  }
  return lines;
}

std::vector<std::string> DifferencesOfReports(const json& claimed, const json& found) {
  std::vector<std::string> lines = DifferencesOfVerdicts(claimed, found);
  const std::string corpus = claimed.value("corpus", ""), own_corpus = found.value("corpus", "");
  const EntriesByCase claims = EntriesOf(claimed);
  for (const auto& [name, facts] : EntriesOf(found)) {
    const auto claim = claims.find(name);
    if (claim == claims.end() || VerdictsOfCase(claim->second) != VerdictsOfCase(facts)) continue;
    for (std::size_t i = 0; i < std::min(facts.size(), claim->second.size()); ++i) {
      Append(DifferencesOf(name, Comparable(*claim->second[i], corpus), Comparable(*facts[i], own_corpus)), lines);
    }
  }
  Append(DifferencesOf("results.json", RunOf(claimed), RunOf(found)), lines);
  return lines;
}

}  // namespace assay
