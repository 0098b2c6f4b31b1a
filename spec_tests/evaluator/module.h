// Modules as text, parsed, verified and evaluated.
#pragma once

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

std::unique_ptr<HloModule> Parsed(const std::string& text);

Literal Value(std::string_view text);

std::vector<Literal> Values(const std::vector<std::string_view>& texts);

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
