// Modules as text, parsed, verified and evaluated.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/limits.h"
#include "spec_tests/catch.h"

namespace assay::testing {

// Parses and verifies a module. A text without a header is that of the computations, and one without ENTRY as well that
// of the entry's instructions. `to_apply=add_f32` calls an addition of two scalars of f32, `to_apply=LT_f32` a
// comparison of them; the text need not have these computations.
std::unique_ptr<HloModule> Parsed(const std::string& text);

// Parses a literal. A name before it, "x = f32[2] {1, 2}", does not count.
Literal Value(std::string_view text);

std::vector<Literal> Values(const std::vector<std::string_view>& texts);

// Adds to the entry a parameter for each argument with a name: `x = f32[2] parameter(0)` for "x = f32[2] {1, 2}".
std::string WithParameters(const std::string& text, const std::vector<std::string_view>& arguments);

// Returns the value of a module that must evaluate.
Literal Evaluated(const HloModule& module, std::vector<Literal> arguments, const EvaluationOptions& options = {});
Literal Evaluated(const std::string& text, std::vector<Literal> arguments, const EvaluationOptions& options = {});

// Returns the error of a module that must not evaluate.
Error WhyNot(const std::string& text, std::vector<Literal> arguments, const EvaluationOptions& options = {});

// During its lifetime, literals may use this many bytes more.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::int64_t bytes) { MemoryUse::SetLimit(MemoryUse::ArrayBytes() + bytes); }
  ~MemoryLimit() { MemoryUse::SetLimit(INT64_MAX); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
};

}  // namespace assay::testing
