#include "interpreter/hlo/sparsity_text.h"

#include <fmt/format.h>

#include <vector>

#include "interpreter/types/join_text.h"

namespace assay {
namespace {

Result<TensorSparsity> ParseTensorSparsity(TextParser& parser) {
  TensorSparsity side;
  ASSAY_CHECK_OK(parser.Expect("{"));
  while (!parser.Eat("}")) {
    if (parser.EatAttributeName("sparsity")) {
      ASSAY_TRY(const std::vector<std::int64_t> sizes, parser.ParseSizes());
      if (sizes.size() != 2) return parser.Fail("sparsity takes two numbers, NxM");
      side.kept = sizes[0];
      side.block = sizes[1];
    } else if (parser.EatAttributeName("dimension")) {
      ASSAY_TRY(side.dimension, parser.ParseInteger());
    } else if (parser.EatAttributeName("stride")) {
      ASSAY_TRY(side.stride, parser.ParseInteger());
    } else if (parser.EatAttributeName("idx")) {
      ASSAY_TRY(side.index, parser.ParseInteger());
    } else {
      return parser.Expected("sparsity=, dimension=, stride= or idx=");
    }
    parser.Eat(",");
  }
  return side;
}

std::string SideText(std::string_view name, const TensorSparsity& side) {
  std::string text = fmt::format("{}={{sparsity={}x{} dimension={}", name, side.kept, side.block, side.dimension);
  if (side.stride != 0) text += fmt::format(" stride={}", side.stride);
  if (side.index != 0) text += fmt::format(" idx={}", side.index);
  return text + "}";
}

}  // namespace

Result<SparsityConfig> ParseSparsityConfig(TextParser& parser) {
  SparsityConfig sparsity;
  ASSAY_CHECK_OK(parser.Expect("{"));
  while (!parser.Eat("}")) {
    const bool is_lhs = parser.EatAttributeName("lhs");
    if (!is_lhs && !parser.EatAttributeName("rhs")) return parser.Expected("lhs= or rhs=");
    ASSAY_TRY((is_lhs ? sparsity.lhs : sparsity.rhs), ParseTensorSparsity(parser));
    parser.Eat(",");
  }
  return sparsity;
}

std::string ToText(const SparsityConfig& sparsity) {
  std::vector<std::string> sides;
  if (sparsity.lhs) sides.push_back(SideText("lhs", *sparsity.lhs));
  if (sparsity.rhs) sides.push_back(SideText("rhs", *sparsity.rhs));
  return fmt::format("{{{}}}", JoinText(sides, " "));
}

SparsityConfig SparsityOfText(std::string_view text) {
  TextParser parser(text);
  const Result<SparsityConfig> sparsity = ParseSparsityConfig(parser);
  return sparsity ? *sparsity : SparsityConfig();
}

}  // namespace assay
