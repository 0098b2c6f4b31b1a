#include "interpreter/hlo/shape_text.h"

#include <fmt/format.h>

namespace assay {
namespace {

// Parses "(8,128)": integers or "*".
Result<Tile> ParseTile(TextParser& parser) {
  Tile tile;
  ASSAY_CHECK_OK(parser.ParseList("(", ")", [&]() -> Status {
    if (parser.Eat("*")) {
      tile.dimensions.push_back(Tile::kCombineDimension);
      return {};
    }
    ASSAY_TRY(tile.dimensions.emplace_back(), parser.ParseInteger());
    return {};
  }));
  return tile;
}

// Parses "(n)".
Result<std::int64_t> ParseParenthesizedInteger(TextParser& parser) {
  ASSAY_CHECK_OK(parser.Expect("("));
  ASSAY_TRY(const std::int64_t value, parser.ParseInteger());
  ASSAY_CHECK_OK(parser.Expect(")"));
  return value;
}

// Parses "(u32)".
Result<PrimitiveType> ParseParenthesizedType(TextParser& parser) {
  ASSAY_CHECK_OK(parser.Expect("("));
  if (!parser.Is(TokenKind::kPrimitiveType)) return parser.Expected("an unsigned integer type");
  const PrimitiveType type = *PrimitiveTypeFromName(parser.token().text);
  if (!IsUnsignedIntegralType(type)) return parser.Expected("an unsigned integer type");
  parser.Next();
  ASSAY_CHECK_OK(parser.Expect(")"));
  return type;
}

bool EatIdentifier(TextParser& parser, std::string_view word) {
  if (!parser.Is(TokenKind::kIdentifier) || parser.token().text != word) return false;
  parser.Next();
  return true;
}

// Skips "D(D,C+~)": level types of sparse layouts, which XLA reads and drops.
Status SkipDimensionLevelTypes(TextParser& parser) {
  return parser.ParseList("(", ")", [&]() -> Status {
    const std::string_view type = parser.token().text;
    if (!parser.Is(TokenKind::kIdentifier) || !(type == "D" || type == "C" || type == "S" || type == "H")) {
      return parser.Expected("a dimension level type: D, C, S or H");
    }
    parser.Next();
    parser.Eat("+");
    parser.Eat("~");
    return {};
  });
}

// Parses "(dim:i,j)(dim:i,j)..." after "SC".
Status ParseSplitConfigs(TextParser& parser, std::vector<SplitConfig>& configs) {
  do {
    SplitConfig config;
    ASSAY_CHECK_OK(parser.Expect("("));
    ASSAY_TRY(config.dimension, parser.ParseInteger());
    ASSAY_TRY(config.split_indices, parser.ParseIntegers(":", ")"));
    configs.push_back(std::move(config));
  } while (parser.At("("));
  return {};
}

// Parses the properties after the ":" of a layout, all optional, in this order.
Status ParseLayoutProperties(TextParser& parser, Layout& layout) {
  if (EatIdentifier(parser, "D")) ASSAY_CHECK_OK(SkipDimensionLevelTypes(parser));
  if (EatIdentifier(parser, "T")) {
    do {
      ASSAY_TRY(layout.tiles.emplace_back(), ParseTile(parser));
    } while (parser.At("("));
  }
  if (EatIdentifier(parser, "L")) {
    ASSAY_TRY(layout.tail_padding_alignment_in_elements, ParseParenthesizedInteger(parser));
  }
  if (parser.Eat("#")) {
    ASSAY_TRY(layout.index_primitive_type, ParseParenthesizedType(parser));
  }
  if (parser.Eat("*")) {
    ASSAY_TRY(layout.pointer_primitive_type, ParseParenthesizedType(parser));
  }
  if (EatIdentifier(parser, "E")) {
    ASSAY_TRY(layout.element_size_in_bits, ParseParenthesizedInteger(parser));
  }
  if (EatIdentifier(parser, "S")) {
    ASSAY_TRY(layout.memory_space, ParseParenthesizedInteger(parser));
  }
  if (EatIdentifier(parser, "SC")) ASSAY_CHECK_OK(ParseSplitConfigs(parser, layout.split_configs));
  if (parser.Is(TokenKind::kIdentifier) && parser.token().text == "P") {
    return parser.Fail("a physical shape is not legal in the layout of an array");
  }
  if (EatIdentifier(parser, "M")) {
    ASSAY_TRY(layout.dynamic_shape_metadata_prefix_bytes, ParseParenthesizedInteger(parser));
  }
  return {};
}

// True at a layout: a "{" followed by an integer or ":". Otherwise the brace belongs to the text after the shape.
bool AtLayout(const TextParser& parser) {
  if (!parser.At("{")) return false;
  const Token next = parser.Peek();
  return next.kind == TokenKind::kInteger || (next.kind == TokenKind::kPunctuation && next.text == ":");
}

Result<Layout> ParseLayout(TextParser& parser) {
  Layout layout;
  ASSAY_CHECK_OK(parser.Expect("{"));
  while (parser.Is(TokenKind::kInteger)) {
    ASSAY_TRY(layout.minor_to_major.emplace_back(), parser.ParseInteger());
    if (!parser.Eat(",")) break;
  }
  if (parser.Eat(":")) ASSAY_CHECK_OK(ParseLayoutProperties(parser, layout));
  ASSAY_CHECK_OK(parser.Expect("}"));
  return layout;
}

Status ParseDimension(TextParser& parser, Dimensions& sizes, std::vector<bool>& are_dynamic) {
  if (parser.Eat("?")) {
    sizes.push_back(Shape::kUnboundedSize);  // dynamic by that alone
    return {};
  }
  if (parser.Eat("<=")) {
    are_dynamic.resize(sizes.size() + 1);
    are_dynamic.back() = true;
  }
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(const std::int64_t size, parser.ParseInteger());
  if (size < 0) return TextParser::FailAt(location, "a dimension's size is not negative");
  sizes.push_back(size);
  return {};
}

// Parses the layout after an array shape, if there is one.
Status ParseOptionalLayout(TextParser& parser, Shape& shape) {
  const SourceLocation location = parser.token().location;
  if (!AtLayout(parser)) return {};
  ASSAY_TRY(Layout layout, ParseLayout(parser));
  const auto entries = static_cast<std::int64_t>(layout.minor_to_major.size());
  if (entries != shape.rank()) {
    return TextParser::FailAt(location, fmt::format("the layout lists {} dimensions, the shape {} has {}", entries,
                                                    shape.ToStringWithoutLayout(), shape.rank()));
  }
  if (shape.IsArray()) shape.set_layout(std::move(layout));
  return {};
}

Result<Shape> ParseArrayShape(TextParser& parser) {
  if (!parser.Is(TokenKind::kPrimitiveType)) return parser.Expected("a shape");
  const PrimitiveType type = *PrimitiveTypeFromName(parser.token().text);
  parser.Next();
  Dimensions sizes;
  sizes.reserve(4);
  std::vector<bool> are_dynamic;
  ASSAY_CHECK_OK(parser.ParseList("[", "]", [&] { return ParseDimension(parser, sizes, are_dynamic); }));
  if (std::ssize(sizes) > TextParser::kMaxDepth) {
    return parser.Fail(fmt::format("a shape of more than {} dimensions", TextParser::kMaxDepth));
  }
  return ShapeUtil::MakeShape(type, std::move(sizes), are_dynamic);
}

}  // namespace

bool AtShape(const TextParser& parser) {
  return parser.Is(TokenKind::kPrimitiveType) || parser.At("(") ||
         (parser.Is(TokenKind::kIdentifier) && parser.token().text == "b" && parser.Peek().text == "(");
}

Result<Shape> ParseShape(TextParser& parser) {
  const TextParser::Nesting nesting(parser);
  ASSAY_CHECK_OK(nesting.Check());
  if (parser.At("(")) {
    std::vector<Shape> elements;
    ASSAY_CHECK_OK(parser.ParseItems("(", ")", elements, [&] { return ParseShape(parser); }));
    return ShapeUtil::MakeTupleShape(std::move(elements));
  }
  if (EatIdentifier(parser, "b")) {
    ASSAY_CHECK_OK(parser.Expect("("));
    ASSAY_TRY(Shape element, ParseShape(parser));
    ASSAY_CHECK_OK(parser.Expect(")"));
    return ShapeUtil::MakeBufferShape(std::move(element));
  }
  ASSAY_TRY(Shape shape, ParseArrayShape(parser));
  ASSAY_CHECK_OK(ParseOptionalLayout(parser, shape));
  return shape;
}

Result<Shape> ParseShapeOfLiteral(TextParser& parser) {
  if (!parser.Is(TokenKind::kPrimitiveType)) return ParseShape(parser);
  ASSAY_TRY(const Shape bare, ParseArrayShape(parser));
  const Lexer before_layout = parser.lexer();
  Shape shape = bare;
  if (ParseOptionalLayout(parser, shape).has_value() && parser.At("{")) return shape;
  parser.lexer() = before_layout;
  shape.set_default_layout();
  return shape;
}

Result<Shape> ParseShape(std::string_view text) {
  TextParser parser(text);
  ASSAY_TRY(Shape shape, ParseShape(parser));
  ASSAY_CHECK_OK(parser.ExpectEnd());
  return shape;
}

}  // namespace assay
