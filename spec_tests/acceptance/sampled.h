// A program whose outputs are compared with samples.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "spec_tests/acceptance/judged.h"

namespace assay::testing {

// A program and its result on the reference, whose values a test changes.
class Sampled {
 public:
  Sampled(const std::string& text, const std::vector<std::string_view>& arguments)
      : module_(Parsed(WithParameters(text, arguments))),
        arguments_(Values(arguments)),
        want_(Evaluated(*module_, arguments_)) {}

  SampleFinding Of(const Literal& got, std::string_view profile = "xla") const {
    return JudgeBySamples(*module_, {arguments_}, want_, got, BuiltInProfile(profile));
  }
  bool IsSuspect(std::string_view got, std::string_view profile = "xla") const {
    const SampleFinding finding = Of(Value(got), profile);
    CHECK((finding.suspect.empty() || finding.suspect.starts_with("far from lawful results")));
    return !finding.suspect.empty();
  }
  // SUSPECT is the verdict on such a result, LEGAL that on any other.
  void Expect(std::string_view rows) const {
    CheckVerdicts(want_.shape(), rows, [this](std::string_view value, std::string_view profile) {
      return IsSuspect(value, profile) ? Verdict::kSuspect : Verdict::kLegal;
    });
  }

 private:
  std::unique_ptr<HloModule> module_;
  std::vector<Literal> arguments_;
  Literal want_;
};

}  // namespace assay::testing
