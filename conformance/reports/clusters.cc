#include "conformance/reports/clusters.h"

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

namespace assay {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Returns the cause without its numbers: counts, times, addresses and process ids differ between cases.
std::string WithoutNumbers(std::string_view cause) {
  std::string rest;
  for (std::size_t i = 0; i < cause.size();) {
    const bool is_address = cause.substr(i).starts_with("0x");
    const std::size_t begin = i;
    if (is_address) i += 2;
    while (i < cause.size() && (is_address ? IsHexDigit(cause[i]) : IsDigit(cause[i]))) ++i;
    rest += i > begin ? '#' : cause[i++];
  }
  return rest;
}

std::int64_t ElementsOf(const Outcome& outcome) {
  return outcome.model ? outcome.model->outputs.elements : outcome.judgement.elements;
}

// Orders outcomes by verdict. An outcome without a verdict ranks above the worst one.
int RankOf(const Outcome& outcome) {
  return outcome.unjudged ? static_cast<int>(Verdict::kCrash) + 1 : static_cast<int>(outcome.verdict());
}

std::vector<Cluster> ClustersIf(const CheckReport& report, const std::function<bool(const CheckEntry&)>& is_in) {
  std::map<std::tuple<Standing, int, std::string, std::string>, std::size_t> known;
  std::vector<Cluster> clusters;
  for (const CheckEntry& entry : report.entries()) {
    if (!is_in(entry)) continue;
    const Outcome& outcome = entry.outcome;
    const auto [place, is_new] = known.try_emplace(
        {entry.standing, RankOf(outcome), outcome.op, WithoutNumbers(outcome.cause())}, clusters.size());
    if (is_new) clusters.push_back({{}, &entry});
    Cluster& cluster = clusters[place->second];
    cluster.entries.push_back(&entry);
    if (ElementsOf(outcome) < ElementsOf(cluster.outcome())) cluster.witness = &entry;
  }
  std::ranges::stable_sort(clusters, std::ranges::greater(), [](const Cluster& cluster) {
    return std::pair(RankOf(cluster.outcome()), cluster.entries.size());
  });
  return clusters;
}

}  // namespace

std::vector<Cluster> ClustersOf(const CheckReport& report, std::initializer_list<Standing> standings) {
  return ClustersIf(report, [&](const CheckEntry& entry) { return std::ranges::count(standings, entry.standing) > 0; });
}

nlohmann::json ClustersToJson(const CheckReport& report) {
  nlohmann::json json = nlohmann::json::array();
  const auto clusters = ClustersIf(report, [](const CheckEntry& entry) {
    return entry.outcome.unjudged || entry.outcome.verdict() != Verdict::kExact;
  });
  for (const Cluster& cluster : clusters) {
    json.push_back({{"verdict", cluster.outcome().VerdictText()},
                    {"standing", StandingName(cluster.witness->standing)},
                    {"op", cluster.outcome().op},
                    {"reason", cluster.outcome().cause()},
                    {"cases", cluster.entries.size()},
                    {"witness", cluster.outcome().name}});
  }
  return json;
}

}  // namespace assay
