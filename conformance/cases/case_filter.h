// Which cases of a check are run: `op=reduce-window & type=bf16 & !dynamic` (docs/formats.md#filters).
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

// What a filter sees of a case. What is not known of it keeps the case.
struct CaseFacts {
  std::string name;                 // "add/f32/ties", "model/mlp"; of a file that cannot be read "add/f32"
  std::string op;                   // empty: a model
  std::optional<std::string> tags;  // words
  std::string path;                 // of a model
  // Asked for where the filter speaks of types; null: not known.
  std::function<std::set<PrimitiveType>()> types;
  bool is_whole_file = false;  // it stands for all cases whose names begin so
};

// Whether a name fits a pattern of the shell: * stands for any text, also across /.
bool FitsPattern(const std::string& pattern, const std::string& name);

class CaseFilter {
 public:
  // Keeps everything.
  CaseFilter() = default;
  // A word is a part of a case's name or of a model's path, or a tag; op=, type=, tag= and name= take patterns with *
  // and ?. These are joined by & (before |), |, ! and parentheses. Errors are kUsage.
  static Result<CaseFilter> Parse(const std::string& text);

  bool Keeps(const CaseFacts& facts) const;
  // As it was written.
  const std::string& text() const { return text_; }

 private:
  struct Node;
  friend class FilterParser;

  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace assay
