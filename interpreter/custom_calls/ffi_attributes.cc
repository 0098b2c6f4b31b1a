#include "interpreter/custom_calls/ffi_attributes.h"

#include <algorithm>
#include <vector>

#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/hlo/annotation_text.h"
#include "interpreter/types/number_in_text.h"

namespace assay {
namespace {

std::string_view Trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Returns "key = value : type" for each entry between the outermost braces.
std::vector<std::string_view> Entries(std::string_view dictionary) {
  std::vector<std::string_view> entries;
  int depth = 0;
  bool is_quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= dictionary.size(); ++i) {
    const char c = i < dictionary.size() ? dictionary[i] : ',';
    if (c == '"' && (i == 0 || dictionary[i - 1] != '\\')) is_quoted = !is_quoted;
    if (is_quoted && i < dictionary.size()) continue;
    if (std::string_view("{[<(").find(c) != std::string_view::npos) ++depth;
    if (std::string_view("}]>)").find(c) != std::string_view::npos) --depth;
    if (c != ',' || (depth > 0 && i < dictionary.size())) continue;
    if (const std::string_view entry = Trimmed(dictionary.substr(begin, i - begin)); !entry.empty()) {
      entries.push_back(entry);
    }
    begin = i + 1;
  }
  return entries;
}

Error Bad(const HloInstruction& call, std::string_view key, std::string_view expected, std::string_view found) {
  return BadCall(call, "backend_config: {} must be {}, found {}", key, expected, found);
}

}  // namespace

Result<std::string> FfiAttribute(const HloInstruction& call, std::string_view key) {
  const std::string written = BackendConfig(call);
  const std::string_view config = written.empty() ? "{}" : Trimmed(written);
  if (config.size() < 2 || config.front() != '{' || config.back() != '}') {
    return BadCall(call, "backend_config must be a dictionary, found {}", config);
  }
  for (std::string_view entry : Entries(config.substr(1, config.size() - 2))) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || Trimmed(entry.substr(0, equals)) != key) continue;
    std::string_view value = Trimmed(entry.substr(equals + 1));
    // A type follows a colon. Only strings contain colons themselves.
    const std::size_t end = value.starts_with('"') ? value.rfind('"') : 0;
    return std::string(Trimmed(value.substr(0, value.find(':', end))));
  }
  return BadCall(call, "backend_config must have {}, found {}", key, config);
}

Result<std::int64_t> FfiInteger(const HloInstruction& call, std::string_view key) {
  ASSAY_TRY(const std::string text, FfiAttribute(call, key));
  if (const auto value = NumberInText<std::int64_t>(text)) return *value;
  return Bad(call, key, "an integer", text);
}

Result<bool> FfiBool(const HloInstruction& call, std::string_view key) {
  ASSAY_TRY(const std::string text, FfiAttribute(call, key));
  if (text != "true" && text != "false") return Bad(call, key, "true or false", text);
  return text == "true";
}

Result<char> FfiLetter(const HloInstruction& call, std::string_view key, std::string_view letters) {
  ASSAY_TRY(const std::int64_t code, FfiInteger(call, key));
  const bool is_listed = std::ranges::any_of(letters, [&](char letter) { return letter == code; });
  if (!is_listed) return Bad(call, key, fmt::format("the code of one of {}", letters), std::to_string(code));
  return static_cast<char>(code);
}

}  // namespace assay
