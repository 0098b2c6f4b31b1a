// A program whose results are judged by its set.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "spec_tests/acceptance/judged.h"

namespace assay::testing {

class Program {
 public:
  Program(const std::string& text, const std::vector<std::string_view>& arguments)
      : module_(Parsed(WithParameters(text, arguments))), arguments_(Values(arguments)) {}

  Judgement Of(std::string_view got, std::string_view profile = "xla") const {
    const Result<ValueSet> set = EvaluateSets(*module_, arguments_, BuiltInProfile(profile));
    REQUIRE(set);
    return JudgeBySet(*set, Value(got));
  }
  Verdict Is(std::string_view got, std::string_view profile = "xla") const { return Of(got, profile).verdict; }
  void Expect(std::string_view rows) const {
    CheckVerdicts(module_->entry->root->shape, rows,
                  [this](std::string_view value, std::string_view profile) { return Is(value, profile); });
  }

 private:
  std::unique_ptr<HloModule> module_;
  std::vector<Literal> arguments_;
};

}  // namespace assay::testing
