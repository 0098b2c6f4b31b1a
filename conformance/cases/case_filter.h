// The filter that selects the cases of a check: `op=reduce-window & type=bf16 & !dynamic` (docs/formats.md#filters).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"

namespace assay {

// The facts about a case that a filter tests. An unknown fact keeps the case.
struct CaseFacts {
  std::string name;                 // "add/f32/ties", "model/mlp"; "add/f32" for a file that cannot be read
  std::string op;                   // empty for a model
  std::optional<std::string> tags;  // words
  std::string path;                 // of a model only
  // Called only if the filter has a type=. Null: the types are unknown.
  std::function<std::set<PrimitiveType>()> types;
  bool is_whole_file = false;  // the facts are those of all cases whose names begin with `name`
};

// True if a name fits a shell pattern. `*` also matches slashes.
bool FitsPattern(const std::string& pattern, const std::string& name);

class CaseFilter {
 public:
  // Keeps everything.
  CaseFilter() = default;
  // Parses a filter. A word matches a part of a case's name, a part of a model's path, or a tag; op=, type=, tag= and
  // name= take patterns with * and ?. The operators are & (binds tighter than |), |, ! and parentheses. Errors are
  // kUsage.
  static Result<CaseFilter> Parse(const std::string& text);

  bool Keeps(const CaseFacts& facts) const;
  // The filter's text as parsed.
  const std::string& text() const { return text_; }

 private:
  struct Node;
  friend class FilterParser;

  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace assay
