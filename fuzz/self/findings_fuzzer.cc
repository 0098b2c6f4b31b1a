// A folder of findings: finding.json of each, and runs.json. Legal files are written again and read back.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "backends/json/json_text.h"
#include "fuzz/findings.h"
#include "fuzz/self/target.h"

ASSAY_FUZZ_TARGET(findings) {
  static const TargetFolder place;
  const SmallLimits limits;
  place.Write("finding/finding.json", text);
  place.Write("runs.json", text);
  FindingsFolder folder = FindingsFolder::At(place.path());
  if (const Result<std::vector<Finding>> findings = folder.Read()) {
    for (const Finding& finding : *findings) {
      Require(!folder.CommandsFor(finding).empty(), "a finding has a command");
      place.Write("finding/finding.json", JsonText(ToJson(finding)));
      Require(folder.Read() && ToJson(folder.Read()->at(0)) == ToJson(finding), "a finding reads back");
    }
  }
  const Result<std::map<std::string, RunState>> runs = folder.Runs();
  static_cast<void>(FindingsPage(folder));
  if (!runs) return;
  for (const auto& [name, state] : *runs) {
    Require(folder.WriteState(name, state).has_value(), "a run is written");
    const Result<RunState> again = folder.StateOf(name);
    Require(again && again->next == state.next && ToJson(again->count) == ToJson(state.count), "a run reads back");
  }
}
