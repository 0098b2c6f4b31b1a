#include "spec_tests/evaluator/module.h"

#include <algorithm>

#include "interpreter/types/ascii.h"

namespace assay::testing {
namespace {

// Returns the computations of two scalars that the text calls and does not have.
std::string ScalarComputations(const std::string& text) {
  constexpr std::string_view kCalls[] = {"to_apply=", "select=", "scatter="};
  constexpr std::string_view kInNames = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string added;
  for (std::size_t at = text.find('='); at++ != std::string::npos; at = text.find('=', at)) {
    const std::string_view before = std::string_view(text).substr(0, at);
    const std::string name = text.substr(at, text.find_first_not_of(kInNames, at) - at);
    const std::size_t line = name.find('_');
    if (line == std::string::npos || std::ranges::none_of(kCalls, [&](auto call) { return before.ends_with(call); }))
      continue;
    const std::string op = name.substr(0, line), type = name.substr(line + 1);
    if (!PrimitiveTypeFromName(type) || (added + text).find(name + " {") != std::string::npos) continue;
    const std::string root =
        AsciiLower(op[0]) != op[0] ? "pred[] compare(a, b), direction=" + op : fmt::format("{}[] {}(a, b)", type, op);
    added += fmt::format("{0} {{\n  a = {1}[] parameter(0)\n  b = {1}[] parameter(1)\n  ROOT r = {2}\n}}\n", name, type,
                         root);
  }
  return added;
}

std::string WholeModule(std::string text) {
  const bool has_header = text.starts_with("HloModule");
  if (!has_header) {
    if (text.find("ENTRY") == std::string::npos) text = "ENTRY e {\n" + text + "\n}\n";
    text = "HloModule m\n" + text;
  }
  return text.insert(text.find('\n') + 1, ScalarComputations(text));
}

}  // namespace

std::unique_ptr<HloModule> Parsed(const std::string& body) {
  const std::string text = WholeModule(body);
  auto module = ParseHloModule(text);
  if (!module) FAIL(RenderError(module.error(), text, "module"));
  for (const Error& error : FindIllegal(**module)) FAIL(RenderError(error, text, "module"));
  return *std::move(module);
}

Literal Value(std::string_view text) {
  const std::size_t equals = text.find(" = ");
  Result<Literal> value = ParseLiteral(equals == text.npos ? text : text.substr(equals + 3));
  if (!value) FAIL(text << ": " << value.error().message);
  return *std::move(value);
}

std::vector<Literal> Values(const std::vector<std::string_view>& texts) {
  std::vector<Literal> values;
  for (std::string_view text : texts) values.push_back(Value(text));
  return values;
}

std::string WithParameters(const std::string& text, const std::vector<std::string_view>& arguments) {
  std::string parameters;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].find(" = ");
    if (equals == std::string_view::npos) continue;
    parameters += fmt::format("  {} = {} parameter({})\n", arguments[i].substr(0, equals),
                              Value(arguments[i]).shape().ToStringWithoutLayout(), i);
  }
  if (parameters.empty()) return text;
  const std::size_t entry = text.find("ENTRY");
  return std::string(text).insert(entry == std::string::npos ? 0 : text.find('{', entry) + 1, "\n" + parameters);
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
