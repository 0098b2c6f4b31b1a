#include "spec_tests/evaluator/module.h"

#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"

namespace assay::testing {

std::unique_ptr<HloModule> Parsed(const std::string& text) {
  auto module = ParseHloModule(text);
  if (!module) FAIL(RenderError(module.error(), text, "module"));
  for (const Error& error : FindIllegal(**module)) FAIL(RenderError(error, text, "module"));
  return *std::move(module);
}

Literal Value(std::string_view text) {
  Result<Literal> value = ParseLiteral(text);
  if (!value) FAIL(text << ": " << value.error().message);
  return *std::move(value);
}

std::vector<Literal> Values(const std::vector<std::string_view>& texts) {
  std::vector<Literal> values;
  for (std::string_view text : texts) values.push_back(Value(text));
  return values;
}

Literal Evaluated(const HloModule& module, std::vector<Literal> arguments, const EvaluationOptions& options) {
  Result<Literal> value = Evaluate(module, std::move(arguments), options);
  if (!value) FAIL(value.error().message);
  return *std::move(value);
}

Literal Evaluated(const std::string& text, std::vector<Literal> arguments, const EvaluationOptions& options) {
  return Evaluated(*Parsed(text), std::move(arguments), options);
}

Error WhyNot(const std::string& text, std::vector<Literal> arguments, const EvaluationOptions& options) {
  const Result<Literal> value = Evaluate(*Parsed(text), std::move(arguments), options);
  REQUIRE(!value.has_value());
  return value.error();
}

}  // namespace assay::testing
