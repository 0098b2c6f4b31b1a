#include "interpreter/hlo/annotation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/metadata_text.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/text_parser.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"sharding",   "frontend_attributes", "control-predecessors",
                                                    "statistics", "result_accuracy",     "origin",
                                                    "metadata",   "backend_config"};

// Returns text that is one group of balanced braces unchanged, and other text quoted.
std::string BracesOrQuoted(const std::string& value) {
  std::string_view raw;
  if (value.starts_with('{')) {
    Lexer lexer(value);
    if (lexer.TakeBraces(raw) && raw.size() == value.size()) return value;
  }
  return "\"" + Escape(value) + "\"";
}

// Parses a quoted string, or braces with their content unchanged.
Result<std::string> ParseStringOrBraces(TextParser& parser) {
  std::string_view raw;
  if (parser.At("{")) {
    if (!parser.lexer().TakeBraces(raw)) return parser.Fail("these braces are not closed");
    return std::string(raw);
  }
  if (!parser.Is(TokenKind::kString)) return parser.Expected("a quoted string or braces");
  return parser.ParseString();
}

// Parses `{visualizing_index=0,name=1.5}`.
Result<std::string> ParseStatistics(TextParser& parser) {
  std::string index = "0";
  std::string text;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    if (!parser.Is(TokenKind::kAttributeName)) return parser.Expected("visualizing_index= or a statistic's name=");
    const std::string name(parser.token().text);
    parser.Next();
    if (name == "visualizing_index") {
      ASSAY_TRY(const std::int64_t value, parser.ParseInteger());
      index = std::to_string(value);
    } else {
      ASSAY_TRY(const double value, parser.ParseNumber());
      text += fmt::format(",{}={:g}", name, value);
    }
    return {};
  }));
  return text.empty() ? std::string() : fmt::format("{{visualizing_index={}{}}}", index, text);
}

Status ParseTolerance(TextParser& parser, ResultAccuracy& accuracy) {
  return parser.ParseList("{", "}", [&]() -> Status {
    if (parser.EatAttributeName("atol")) {
      ASSAY_TRY(accuracy.atol, parser.ParseNumber());
    } else if (parser.EatAttributeName("rtol")) {
      ASSAY_TRY(accuracy.rtol, parser.ParseNumber());
    } else if (parser.EatAttributeName("ulps")) {
      ASSAY_TRY(accuracy.ulps, parser.ParseInteger());
    } else {
      return parser.Expected("atol=, rtol= or ulps=");
    }
    return {};
  });
}

// Parses a tree of the original values: `({"a"}, {"b" {1}}, {})`.
Result<std::string> ParseOriginTree(TextParser& parser) {
  const TextParser::Nesting nesting(parser);
  ASSAY_CHECK_OK(nesting.Check());
  if (parser.At("(")) {
    std::vector<std::string> parts;
    ASSAY_CHECK_OK(parser.ParseItems("(", ")", parts, [&] { return ParseOriginTree(parser); }));
    return fmt::format("({})", JoinText(parts, ", "));
  }
  ASSAY_CHECK_OK(parser.Expect("{"));
  if (parser.Eat("}")) return std::string("{}");
  ASSAY_TRY(const std::string name, parser.ParseString());
  std::string text = "{\"" + Escape(name) + "\"";
  if (parser.At("{")) {
    ASSAY_TRY(const Int64List index, parser.ParseIntegers());
    if (!index.empty()) text += fmt::format(" {{{}}}", JoinText(index, ","));
  }
  ASSAY_CHECK_OK(parser.Expect("}"));
  return text + "}";
}

Result<std::string> ParseOrigin(TextParser& parser) {
  ASSAY_CHECK_OK(parser.Expect("{"));
  std::string text;
  if (parser.Eat("[")) {
    if (parser.token().text != "synthetic_call") return parser.Expected("synthetic_call");
    parser.Next();
    ASSAY_CHECK_OK(parser.Expect("]"));
    text = "[synthetic_call]";
  } else {
    ASSAY_TRY(text, ParseOriginTree(parser));
  }
  ASSAY_CHECK_OK(parser.Expect("}"));
  return "{" + text + "}";
}

}  // namespace

std::span<const std::string_view> AnnotationNames() { return kNames; }

bool IsAnnotation(std::string_view name) {
  return name != "control-predecessors" && std::ranges::find(kNames, name) != kNames.end();
}

std::string PrintFrontendAttributes(const std::map<std::string, std::string>& values) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : values) parts.push_back(name + "=" + BracesOrQuoted(value));
  return parts.empty() ? std::string() : fmt::format("{{{}}}", JoinText(parts, ","));
}

Result<std::map<std::string, std::string>> ParseFrontendValues(TextParser& parser) {
  std::map<std::string, std::string> values;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    if (!parser.Is(TokenKind::kAttributeName)) return parser.Expected("an attribute's name=");
    const std::string name(parser.token().text);
    parser.Next();
    ASSAY_TRY(std::string value, ParseStringOrBraces(parser));
    values[name] = std::move(value);
    return {};
  }));
  return values;
}

Result<std::string> ParseFrontendAttributes(TextParser& parser) {
  ASSAY_TRY(const auto values, ParseFrontendValues(parser));
  return PrintFrontendAttributes(values);
}

std::optional<std::string> FrontendAttribute(const HloInstruction& instruction, std::string_view key) {
  const auto annotation = instruction.annotations.find("frontend_attributes");
  if (annotation == instruction.annotations.end()) return std::nullopt;
  return FrontendAttribute(std::string_view(annotation->second), key);
}

std::optional<std::string> FrontendAttribute(std::string_view attributes, std::string_view key) {
  TextParser parser(attributes);
  const auto values = ParseFrontendValues(parser);
  if (!values) return std::nullopt;
  const auto found = values->find(std::string(key));
  return found == values->end() ? std::nullopt : std::optional(found->second);
}

std::string PrintBackendConfig(const std::string& config) { return config.empty() ? "" : BracesOrQuoted(config); }

Result<std::string> ParseBackendConfig(TextParser& parser) {
  ASSAY_TRY(const std::string config, ParseStringOrBraces(parser));
  return PrintBackendConfig(config);
}

std::string UnquotedText(std::string_view text) {
  if (!text.starts_with('"')) return std::string(text);
  TextParser parser(text);
  const Result<std::string> unquoted = parser.ParseString();
  return unquoted ? *unquoted : std::string(text);
}

std::string BackendConfig(const HloInstruction& instruction) {
  const auto config = instruction.annotations.find("backend_config");
  return config == instruction.annotations.end() ? "" : UnquotedText(config->second);
}

Result<std::optional<ResultAccuracy>> ParseResultAccuracy(TextParser& parser) {
  ASSAY_CHECK_OK(parser.Expect("{"));
  std::optional<ResultAccuracy> accuracy;
  if (parser.EatAttributeName("mode")) {
    const bool is_highest = EqualIgnoringCase(parser.token().text, "highest");
    if (!is_highest && !EqualIgnoringCase(parser.token().text, "default")) return parser.Expected("default or highest");
    if (is_highest) accuracy.emplace().is_highest = true;
    parser.Next();
  } else if (parser.EatAttributeName("tolerance")) {
    ASSAY_CHECK_OK(ParseTolerance(parser, accuracy.emplace()));
  } else {
    return parser.Expected("mode= or tolerance=");
  }
  ASSAY_CHECK_OK(parser.Expect("}"));
  return accuracy;
}

Result<std::string> ParseAnnotation(TextParser& parser, std::string_view name) {
  if (name == "sharding") return ParseSharding(parser);
  if (name == "frontend_attributes") return ParseFrontendAttributes(parser);
  if (name == "statistics") return ParseStatistics(parser);
  if (name == "origin") return ParseOrigin(parser);
  if (name == "metadata") {
    ASSAY_TRY(const Metadata metadata, ParseMetadata(parser));
    return metadata.is_visible ? metadata.text : std::string();
  }
  return ParseBackendConfig(parser);
}

}  // namespace assay
