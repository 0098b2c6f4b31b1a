// origin={...}: for each leaf of a value the instruction of an earlier module that computed it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "interpreter/hlo/text_parser.h"
#include "interpreter/proto/annotations.h"
#include "interpreter/types/join_text.h"

namespace assay::proto {
namespace {

namespace element_fields = fields::OriginalValueElementProto;

constexpr std::string_view kSyntheticCall = "{[synthetic_call]}";

using LeafTexts = std::map<Int64List, std::string>;  // by place in the tuple

// Returns "{"a" {1,2}}"; "{}" for a leaf without an origin.
std::string LeafText(const Message& element) {
  if (!element.Has(element_fields::original_array)) return "{}";
  const Message array = element.Sub(element_fields::original_array);
  const Int64List index = array.Integers(fields::OriginalArrayProto::shape_index);
  return fmt::format("{{\"{}\"{}}}", Escape(array.Text(fields::OriginalArrayProto::instruction_name)),
                     index.empty() ? "" : fmt::format(" {{{}}}", JoinText(index, ",")));
}

// Returns the tree of a value of this shape and removes its leaves from `leaves`.
std::string TreeText(const Shape& shape, Int64List& place, LeafTexts& leaves) {
  if (!shape.IsTuple()) {
    const auto leaf = leaves.extract(place);
    return leaf.empty() ? "{}" : leaf.mapped();
  }
  std::vector<std::string> parts;
  place.push_back(0);
  for (const Shape& element : shape.tuple_shapes()) {
    parts.push_back(TreeText(element, place, leaves));
    ++place.back();
  }
  place.pop_back();
  return fmt::format("({})", JoinText(parts, ", "));
}

// Returns the tree of the leaves in [at, end), whose indices agree in their first `depth` numbers; empty if they do not
// form a tree.
std::string TreeOfPlaces(LeafTexts::const_iterator at, LeafTexts::const_iterator end, std::size_t depth) {
  if (at->first.size() == depth) return std::next(at) == end ? at->second : std::string();
  std::vector<std::string> parts;
  while (at != end) {
    const std::int64_t number = at->first[depth];
    const auto same = std::find_if(at, end, [&](const auto& leaf) { return leaf.first[depth] != number; });
    parts.push_back(number == std::ssize(parts) ? TreeOfPlaces(at, same, depth + 1) : std::string());
    if (parts.back().empty()) return {};
    at = same;
  }
  return fmt::format("({})", JoinText(parts, ", "));
}

// Writes one tree of the text; `place` is its index in the value.
void WriteTree(TextParser& parser, Int64List& place, MessageWriter& message) {
  if (parser.Eat("(")) {
    place.push_back(0);
    while (!parser.Eat(")") && !parser.Is(TokenKind::kEnd)) {
      WriteTree(parser, place, message);
      ++place.back();
      parser.Eat(",");
    }
    place.pop_back();
    return;
  }
  if (!parser.Eat("{")) return parser.Next();
  MessageWriter element;
  element.Integers(element_fields::shape_index, place);
  if (const Result<std::string> name = parser.ParseString()) {
    MessageWriter array;
    array.Text(fields::OriginalArrayProto::instruction_name, *name);
    if (parser.At("{")) {
      if (const Result<Int64List> index = parser.ParseIntegers()) {
        array.Integers(fields::OriginalArrayProto::shape_index, *index);
      }
    }
    element.Sub(element_fields::original_array, array);
  }
  parser.Eat("}");
  message.Sub(fields::OriginalValueProto::elements, element);
}

}  // namespace

Result<std::string> ReadOrigin(const Message& message, const Shape& shape) {
  if (message.Bool(fields::OriginalValueProto::is_synthetic_call)) return std::string(kSyntheticCall);
  LeafTexts leaves;
  for (const std::string_view bytes : message.Texts(fields::OriginalValueProto::elements)) {
    const Message element(bytes);
    leaves[element.Integers(element_fields::shape_index)] = LeafText(element);
  }
  LeafTexts rest = leaves;
  Int64List place;
  std::string text = TreeText(shape, place, rest);
  // The instruction that an asynchronous start runs has the origin of the start, whose shape differs.
  if (!rest.empty()) text = TreeOfPlaces(leaves.begin(), leaves.end(), 0);
  if (!text.empty()) return "{" + text + "}";
  return Error{ErrorCode::kParse, fmt::format("original_value: {{{}}} is not a leaf of {}",
                                              JoinText(rest.begin()->first, ","), shape.ToStringWithoutLayout())};
}

MessageWriter WriteOrigin(std::string_view text) {
  MessageWriter message;
  if (text == kSyntheticCall) {
    message.Integer(fields::OriginalValueProto::is_synthetic_call, 1);
    return message;
  }
  TextParser parser(text);
  parser.Eat("{");
  Int64List place;
  WriteTree(parser, place, message);
  return message;
}

}  // namespace assay::proto
