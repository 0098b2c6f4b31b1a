#include <algorithm>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/text_parser.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay {
namespace {

// Consumes a tree of origins, with one leaf, `{}` or `{"name" {1,2}}`, for each array and parentheses for each tuple.
// Returns false if the text does not go on with one.
bool TakeTree(TextParser& parser, const Shape& shape) {
  std::string_view leaf;
  if (!shape.IsTuple()) return parser.At("{") && parser.lexer().TakeBraces(leaf);
  if (!parser.Eat("(")) return false;
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    if ((i > 0 && !parser.Eat(",")) || !TakeTree(parser, shape.tuple_shapes(i))) return false;
  }
  return parser.Eat(")");
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
  TextParser parser(origin->second);
  if (parser.Eat("{") && TakeTree(parser, instruction.shape) && parser.Eat("}") && parser.Is(TokenKind::kEnd)) return;
  if (IsOfStart(instruction, origin->second)) return;
  errors.Add(instruction, "origin must have one leaf for each array of {}, found {}",
             instruction.shape.ToStringWithoutLayout(), origin->second);
}

}  // namespace assay
