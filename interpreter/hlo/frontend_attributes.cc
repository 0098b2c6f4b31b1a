#include "interpreter/hlo/frontend_attributes.h"

#include <algorithm>

#include "interpreter/hlo/lexer.h"

namespace assay {
namespace {

// Returns the end of the quoted string that starts at `at`, one past its closing quote.
std::size_t SkipString(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// Returns the end of the value that starts at `at`: a string, or a dictionary in balanced braces.
std::size_t SkipValue(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      at = SkipString(text, at);
    } else {
      depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
      ++at;
    }
    if (depth == 0) return at;
  }
  return at;
}

std::string Unquoted(std::string_view value) {
  if (value.empty() || value.front() != '"') return std::string(value);
  std::string text;
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    if (value[i] == '\\' && i + 2 < value.size()) ++i;
    text += value[i];
  }
  return text;
}

}  // namespace

std::optional<std::string> FrontendAttribute(const HloInstruction& instruction, std::string_view key) {
  const auto annotation = instruction.annotations.find("frontend_attributes");
  if (annotation == instruction.annotations.end()) return std::nullopt;
  return FrontendAttribute(std::string_view(annotation->second), key);
}

std::optional<std::string> FrontendAttribute(std::string_view text, std::string_view key) {
  std::size_t at = 1;  // past the opening brace
  while (at < text.size()) {
    const std::size_t equals = text.find('=', at);
    if (equals == std::string_view::npos) return std::nullopt;
    const std::size_t end = SkipValue(text, equals + 1);
    if (text.substr(at, equals - at) == key) return Unquoted(text.substr(equals + 1, end - equals - 1));
    at = end + 1;
  }
  return std::nullopt;
}

std::string BackendConfig(const HloInstruction& instruction) {
  const auto config = instruction.annotations.find("backend_config");
  if (config == instruction.annotations.end()) return "";
  if (!config->second.starts_with('"')) return config->second;
  // Cannot fail: the text was parsed as a string, or made by Escape.
  const Result<std::string> text = Unescape({TokenKind::kString, config->second, instruction.location});
  return text ? *text : config->second;
}

}  // namespace assay
