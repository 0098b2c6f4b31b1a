#include "conformance/cases/case_filter.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>
#include <vector>

namespace assay {

bool FitsPattern(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

// True, false, or unknown.
using Answer = std::optional<bool>;

struct CaseFilter::Node {
  enum class Kind { kWord, kOp, kType, kTag, kName, kNot, kAnd, kOr };

  Kind kind = Kind::kWord;
  std::string text;
  std::vector<std::shared_ptr<const Node>> parts;

  Answer Ask(const CaseFacts& facts) const;
};

namespace {

Answer HasTag(const CaseFacts& facts, const std::string& pattern) {
  if (!facts.tags) return std::nullopt;
  std::istringstream words(*facts.tags);
  for (std::string word; words >> word;) {
    if (FitsPattern(pattern, word)) return true;
  }
  return false;
}

Answer HasType(const CaseFacts& facts, const std::string& pattern) {
  if (!facts.types) return std::nullopt;
  return std::ranges::any_of(
      facts.types(), [&](PrimitiveType type) { return FitsPattern(pattern, std::string(PrimitiveTypeName(type))); });
}

Answer Either(Answer a, Answer b) {
  if (a == true || b == true) return true;
  return a && b ? Answer(false) : std::nullopt;
}
Answer Opposite(Answer a) { return a ? Answer(!*a) : std::nullopt; }

// True if the names of all cases of a file may have the word. No case name has a slash of its own, so the text before
// the last slash of the word must end the file's name.
bool MayHaveWord(const std::string& file, const std::string& word) {
  return file.ends_with(word.substr(0, word.rfind('/')));
}

Answer HasWord(const CaseFacts& facts, const std::string& word) {
  if (facts.name.find(word) != std::string::npos || facts.path.find(word) != std::string::npos) return true;
  const bool has_slash = word.find('/') != std::string::npos;
  if (facts.is_whole_file && has_slash && MayHaveWord(facts.name, word)) return std::nullopt;
  // Tags have no slash.
  return has_slash ? Answer(false) : HasTag(facts, word);
}

// For a whole file: returns false only if no case of it can fit the pattern.
Answer HasName(const CaseFacts& facts, const std::string& pattern) {
  if (!facts.is_whole_file) return FitsPattern(pattern, facts.name);
  const std::string plain = pattern.substr(0, pattern.find_first_of("*?[\\"));
  const std::string prefix = facts.name + "/";
  if (plain.starts_with(prefix) || prefix.starts_with(plain)) return std::nullopt;
  return false;
}

}  // namespace

Answer CaseFilter::Node::Ask(const CaseFacts& facts) const {
  switch (kind) {
    case Kind::kWord:
      return HasWord(facts, text);
    case Kind::kOp:
      return FitsPattern(text, facts.op);
    case Kind::kType:
      return HasType(facts, text);
    case Kind::kTag:
      return HasTag(facts, text);
    case Kind::kName:
      return HasName(facts, text);
    case Kind::kNot:
      return Opposite(parts[0]->Ask(facts));
    // The cheaper part comes first: the second part may have to read modules.
    case Kind::kAnd: {
      const Answer first = parts[0]->Ask(facts);
      return first == false ? first : Opposite(Either(Opposite(first), Opposite(parts[1]->Ask(facts))));
    }
    case Kind::kOr: {
      const Answer first = parts[0]->Ask(facts);
      return first == true ? first : Either(first, parts[1]->Ask(facts));
    }
  }
  return std::nullopt;
}

class FilterParser {
 public:
  explicit FilterParser(std::string_view text) : text_(text) {}

  using Node = CaseFilter::Node;
  using Parsed = Result<std::shared_ptr<const Node>>;

  Parsed Whole() {
    ASSAY_TRY(auto node, Joined('|', Node::Kind::kOr));
    if (!rest().empty()) return Bad("nothing");
    return node;
  }

 private:
  // Bounds the recursion; no real filter nests deeper.
  static constexpr int kMostNested = 100;

  std::string_view rest() {
    at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    return text_.substr(at_);
  }
  bool Take(char c) {
    if (!rest().starts_with(c)) return false;
    ++at_;
    return true;
  }
  Error Bad(std::string_view expected) {
    const std::string_view found = rest();
    return {ErrorCode::kUsage, fmt::format("--filter: column {}: expected {}, found {}", at_ + 1, expected,
                                           found.empty() ? "the end" : found)};
  }

  // Parses operands that `sign` joins. The operands of | are those of &.
  Parsed Joined(char sign, Node::Kind kind) {
    const auto part = [&] { return kind == Node::Kind::kOr ? Joined('&', Node::Kind::kAnd) : One(); };
    ASSAY_TRY(auto node, part());
    while (Take(sign)) {
      ASSAY_TRY(auto next, part());
      node = std::make_shared<const Node>(Node{kind, "", {std::move(node), std::move(next)}});
    }
    return node;
  }

  Parsed One() {
    if (++nested_ > kMostNested) return Bad("less nesting");
    ASSAY_TRY(auto node, OneOfAnyDepth());
    --nested_;
    return node;
  }

  Parsed OneOfAnyDepth() {
    if (Take('!')) {
      ASSAY_TRY(auto node, One());
      return std::make_shared<const Node>(Node{Node::Kind::kNot, "", {std::move(node)}});
    }
    if (Take('(')) {
      ASSAY_TRY(auto node, Joined('|', Node::Kind::kOr));
      if (!Take(')')) return Bad(")");
      return node;
    }
    const std::string_view text = rest();
    const std::string word(text.substr(0, text.find_first_of(" \t&|!()")));
    if (word.empty()) return Bad("a word, !, or (");
    Node node{Node::Kind::kWord, word, {}};
    if (const std::size_t equals = word.find('='); equals != std::string::npos) {
      const auto key = std::ranges::find(kKeys, word.substr(0, equals), &Key::first);
      if (key == kKeys.end()) return Bad("op=, type=, tag= or name=");
      node = {key->second, word.substr(equals + 1), {}};
      if (node.text.empty()) return Bad(fmt::format("something after {}=", key->first));
    }
    at_ += word.size();
    return std::make_shared<const Node>(std::move(node));
  }

  using Key = std::pair<std::string_view, Node::Kind>;
  static constexpr std::array<Key, 4> kKeys = {
      {{"op", Node::Kind::kOp}, {"type", Node::Kind::kType}, {"tag", Node::Kind::kTag}, {"name", Node::Kind::kName}}};

  std::string_view text_;
  std::size_t at_ = 0;
  int nested_ = 0;
};

Result<CaseFilter> CaseFilter::Parse(const std::string& text) {
  CaseFilter filter;
  filter.text_ = text;
  if (text.find_first_not_of(" \t") == std::string::npos) return filter;
  ASSAY_TRY(filter.root_, FilterParser(text).Whole());
  return filter;
}

bool CaseFilter::Keeps(const CaseFacts& facts) const { return root_ == nullptr || root_->Ask(facts) != false; }

}  // namespace assay
