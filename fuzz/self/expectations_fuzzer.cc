// Known verdicts, and backends under other names. Updated expectations read back, and contain the verdicts that were
// found.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "backends/default_profile.h"
#include "conformance/reports/check_report.h"
#include "conformance/running/expectations.h"
#include "fuzz/self/target.h"

namespace assay {
namespace {

CheckEntry Found(const std::string& name, Verdict verdict, const Expectations& expectations) {
  Outcome outcome;
  outcome.name = name;
  outcome.op = name.substr(0, name.find('/'));
  outcome.judgement.verdict = verdict;
  outcome.judgement.reason = "element [0]\nand more";
  CheckReport report(expectations);
  return report.Add(std::move(outcome));
}

void ReadExpectations(const std::string& path) {
  const Result<Expectations> expectations = Expectations::Read(path);
  if (!expectations) return;
  CheckReport report(*expectations);
  for (const auto& [name, verdict] :
       {std::pair("add/f32/ties", Verdict::kFail), {"abs/s4/all", Verdict::kExact}, {"dot/f32", Verdict::kCrash}}) {
    report.Add(Found(name, verdict, *expectations));
  }
  report.StaleExpectations();
  Require(UpdateExpectations(path, report, true).has_value(), "expectations are brought up to date");
  const Result<Expectations> now = Expectations::Read(path);
  Require(now.has_value(), "expectations read back");
  for (const CheckEntry& entry : report.entries()) {
    const Standing standing = Found(entry.outcome.name, entry.outcome.verdict(), *now).standing;
    Require(standing == Standing::kPassed || standing == Standing::kExpected, "what was found is expected");
  }
}

}  // namespace
}  // namespace assay

ASSAY_FUZZ_TARGET(expectations) {
  static const TargetFolder folder;
  // The working directory is where backends.json is searched for.
  static const bool is_there = [] {
    std::filesystem::current_path(folder.path());
    return true;
  }();
  Require(is_there, "the folder is the working directory");
  const SmallLimits limits;
  ReadExpectations(folder.Write("expectations.json", text));
  folder.Write("backends.json", text);
  for (const char* name : {"mine", "mine@0.4.30", "mine:plugin.so", "@1", "xla-cpu@7"}) {
    Require(!DefaultProfile(name).empty() || !text.empty(), "there is a profile");
  }
}
