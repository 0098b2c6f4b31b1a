#include "fuzz/named_ops.h"

#include <algorithm>

#include "interpreter/hlo/op.h"
#include "interpreter/types/ascii.h"

namespace assay {
namespace {

// True if a name is an op that reasons name as an operand or a shape, such as a tuple or a parameter.
bool IsStructure(std::string_view name) {
  const Op* const op = FindOp(name);
  return op != nullptr && (op->role == OpRole::kTuple || op->role == OpRole::kGetTupleElement ||
                           op->role == OpRole::kParameter || op->role == OpRole::kConstant);
}

bool IsOfName(char c) { return IsAsciiLetterOrDigit(c) || c == '_' || c == '-'; }

// A word of a text, with underscores as hyphens.
struct Word {
  std::string name;
  bool is_marked;  // by a quotation mark, a prefix, a bracket or a hyphen: it is no word of a sentence
};

std::vector<Word> WordsOf(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    std::size_t end = begin;
    while (end < text.size() && IsOfName(text[end])) ++end;
    if (end == begin) continue;
    Word word = {std::string(text.substr(begin, end - begin)), false};
    std::ranges::replace(word.name, '_', '-');
    const std::string_view before = begin == 0 ? "" : text.substr(begin - 1, 1);
    const std::string_view after = text.substr(end, 1);
    word.is_marked = before.find_first_of("\"'`%.") == 0 || after == "(" || word.name.find('-') != std::string::npos;
    words.push_back(std::move(word));
    begin = end;
  }
  return words;
}

}  // namespace

std::vector<std::string> OpsNamedIn(std::string_view text, const std::vector<std::string>& features) {
  std::vector<Word> words = WordsOf(text);
  if (!words.empty()) words.back().is_marked = true;
  std::vector<std::string> ops, types;
  const auto add = [&](std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::binary_search(features, name) && std::ranges::count(names, name) == 0) names.push_back(name);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].is_marked && !IsStructure(words[i].name)) add(ops, words[i].name);
    if (i > 0 && words[i - 1].name == "type") add(types, "type " + words[i].name);
  }
  ops.insert(ops.end(), types.begin(), types.end());
  return ops;
}

std::string AttributeNamedIn(std::string_view text) {
  std::vector<Word> words = WordsOf(text);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1].name != "attribute" || !words[i].is_marked) continue;
    std::ranges::replace(words[i].name, '-', '_');
    return "attribute " + words[i].name;
  }
  return {};
}

bool IsNamedBy(std::string_view feature, std::string_view named) {
  constexpr std::string_view kAttribute = "attribute ";
  if (named.starts_with(kAttribute)) return feature.ends_with(named.substr(kAttribute.size() - 1));
  return feature.starts_with(named) && (feature.size() == named.size() || feature[named.size()] == ' ');
}

std::string_view OwnerOf(std::string_view feature) {
  std::string_view op = feature.substr(0, feature.find(' '));
  if (FindOp(op) == nullptr) return feature;
  for (const std::string_view ending : {"-start", "-update", "-done"}) {
    if (op.ends_with(ending)) op.remove_suffix(ending.size());
  }
  return op;
}

}  // namespace assay
