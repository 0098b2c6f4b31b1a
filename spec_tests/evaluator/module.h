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

inline std::unique_ptr<HloModule> Parsed(const std::string& text) {
  auto module = ParseHloModule(text);
  if (!module) FAIL(RenderError(module.error(), text, "module"));
  for (const Error& error : FindIllegal(**module)) FAIL(RenderError(error, text, "module"));
  return *std::move(module);
}

inline Literal Value(std::string_view text) {
  Result<Literal> value = ParseLiteral(text);
  if (!value) FAIL(text << ": " << value.error().message);
  return *std::move(value);
}

inline std::vector<Literal> Values(const std::vector<std::string_view>& texts) {
  std::vector<Literal> values;
  for (std::string_view text : texts) values.push_back(Value(text));
  return values;
}

// The value of a module that must evaluate.
inline Literal Evaluated(const HloModule& module, std::vector<Literal> arguments,
                         const EvaluationOptions& options = {}) {
  Result<Literal> value = Evaluate(module, std::move(arguments), options);
  if (!value) FAIL(value.error().message);
  return *std::move(value);
}
inline Literal Evaluated(const std::string& text, std::vector<Literal> arguments,
                         const EvaluationOptions& options = {}) {
  return Evaluated(*Parsed(text), std::move(arguments), options);
}

// The error of a module that must not evaluate.
inline Error WhyNot(const std::string& text, std::vector<Literal> arguments, const EvaluationOptions& options = {}) {
  const Result<Literal> value = Evaluate(*Parsed(text), std::move(arguments), options);
  REQUIRE(!value.has_value());
  return value.error();
}

// While it lives, literals may take this many bytes more.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::int64_t bytes) { MemoryUse::SetLimit(MemoryUse::ArrayBytes() + bytes); }
  ~MemoryLimit() { MemoryUse::SetLimit(INT64_MAX); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
};

}  // namespace assay::testing
