#include <algorithm>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay {
namespace {

// Returns the length of the leaf, `{}` or `{"name" {1,2}}`, at the start of the text. Names are quoted, and quotes
// inside them escaped.
std::size_t LeafLength(std::string_view text) {
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && text[i] == '{') {
      ++depth;
    } else if (!is_quoted && text[i] == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return text.size();
}

// Consumes a tree in normal form, with one leaf for each array and parentheses for each tuple. Returns false if the
// text does not start with one.
bool TakeTree(std::string_view& text, const Shape& shape) {
  if (!shape.IsTuple()) {
    if (!text.starts_with('{')) return false;
    text.remove_prefix(LeafLength(text));
    return true;
  }
  const auto take = [&](std::string_view token) {
    if (!text.starts_with(token)) return false;
    text.remove_prefix(token.size());
    return true;
  };
  if (!take("(")) return false;
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    if ((i > 0 && !take(", ")) || !TakeTree(text, shape.tuple_shapes(i))) return false;
  }
  return take(")");
}

// True if an asynchronous start has passed the origin of its own shape to this wrapped instruction.
bool IsOfStart(const HloInstruction& instruction, const std::string& origin) {
  const auto passes_on = [&](const auto& start) {
    if (start->op->role != OpRole::kAsyncStart) return false;
    auto* const* computation = start->template Find<HloComputation*>("calls");
    const auto found = start->annotations.find("origin");
    return computation != nullptr && *computation == instruction.parent && found != start->annotations.end() &&
           found->second == origin;
  };
  return instruction.IsRoot() && std::ranges::any_of(instruction.parent->module->computations, [&](const auto& caller) {
           return std::ranges::any_of(caller->instructions, passes_on);
         });
}

}  // namespace

void CheckOrigin(const HloInstruction& instruction, ErrorList& errors) {
  const auto origin = instruction.annotations.find("origin");
  if (origin == instruction.annotations.end() || origin->second.find("[synthetic_call]") != std::string::npos) return;
  std::string_view tree = origin->second;
  tree = tree.substr(1, tree.size() - 2);
  if (TakeTree(tree, instruction.shape) && tree.empty()) return;
  if (IsOfStart(instruction, origin->second)) return;
  errors.Add(instruction, "origin must have one leaf for each array of {}, found {}",
             instruction.shape.ToStringWithoutLayout(), origin->second);
}

}  // namespace assay
