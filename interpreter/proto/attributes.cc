#include "interpreter/proto/attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/text_parser.h"
#include "interpreter/proto/sharding.h"
#include "interpreter/proto/structures.h"
#include "interpreter/proto/values.h"
#include "interpreter/types/join_text.h"

namespace assay::proto {
namespace {

constexpr std::int64_t kTrue = 1, kFalse = 2;  // TriState

Error WrongValue(const AttributeSpec& spec, std::string what) {
  return {ErrorCode::kParse, fmt::format("{}: {}", spec.name, std::move(what))};
}

// A reader of one attribute from its message.
struct ReadAttribute {
  const Message& message;  // with the field
  const Field& field;
  const AttributeSpec& spec;
  const HloInstruction& instruction;

  // True if the field holds a value.
  bool IsPresent() const {
    namespace instruction = fields::HloInstructionProto;
    // XLA reads no channel from a 0, and one group.
    for (const Field& positive :
         {instruction::channel_id, instruction::feature_group_count, instruction::batch_group_count}) {
      if (field == positive) return message.Integer(field) > 0;
    }
    if (field == instruction::operand_shapes_with_layout) return message.Bool(instruction::constrain_layout);
    return message.Has(field);
  }

  Result<AttributeValue> Word() const {
    std::string_view word;
    if (field.kind == FieldKind::kInteger) {
      const auto words = WordsOf(field);
      const auto number = static_cast<std::uint64_t>(message.Integer(field));
      if (number >= words.size()) return WrongValue(spec, fmt::format("unknown {} {}", field.name, number));
      word = words[number];
      if (word.empty()) return AttributeValue();  // unspecified
    } else {
      word = field.kind == FieldKind::kMessage ? spec.enumerators[0] : message.Text(field);
    }
    if (std::ranges::find(spec.enumerators, word) != spec.enumerators.end()) return AttributeValue(std::string(word));
    return WrongValue(spec, fmt::format("expected one of {}, found \"{}\"", JoinText(spec.enumerators, ", "), word));
  }

  Result<AttributeValue> Integers() const {
    Int64List values = message.Integers(field);
    if (spec.length >= 0 && std::ssize(values) != spec.length) {
      return WrongValue(spec, fmt::format("expected {} number(s), found {}", spec.length, values.size()));
    }
    return AttributeValue(std::move(values));
  }

  Result<AttributeValue> OneInteger() const {
    if (field.kind == FieldKind::kInteger) return AttributeValue(message.Integer(field));
    const Int64List values = message.Integers(field);
    if (values.size() == 1) return AttributeValue(values[0]);
    return WrongValue(spec, fmt::format("expected one number, found {}", values.size()));
  }

  // Returns the double with the shortest decimal of the float, the value in HLO text.
  AttributeValue Float() const { return DecimalToDouble(fmt::format("{}", static_cast<float>(message.Number(field)))); }

  // Reads pairs; or the sizes of slices, concatenated: one for each dimension of the operand.
  Result<AttributeValue> ListOfLists() const {
    if (field.kind == FieldKind::kMessages) {
      std::vector<Int64List> pairs;
      for (const auto& [source, target] : ReadList<std::vector<SourceTargetPair>>(message, field))
        pairs.push_back({source, target});
      return AttributeValue(std::move(pairs));
    }
    const Shape* shape = instruction.operands.empty() ? nullptr : &instruction.operands[0]->shape;
    if (shape != nullptr && shape->IsTuple() && !shape->tuple_shapes().empty()) shape = &shape->tuple_shapes(0);
    const std::size_t rank = shape == nullptr ? 0 : shape->dimensions().size();
    const Int64List sizes = message.Integers(field);
    if (rank == 0 || sizes.size() % rank != 0) {
      return WrongValue(spec, fmt::format("expected {} size(s) for each slice, found {} in all", rank, sizes.size()));
    }
    std::vector<Int64List> lists;
    for (auto at = sizes.begin(); at != sizes.end(); at += static_cast<std::ptrdiff_t>(rank)) {
      lists.emplace_back(at, at + static_cast<std::ptrdiff_t>(rank));
    }
    return AttributeValue(std::move(lists));
  }

  Result<AttributeValue> Precisions() const {
    const auto words = WordsOf(field);
    std::vector<std::string> precisions;
    for (const std::int64_t number : message.Integers(field)) {
      if (number < 0 || number >= std::ssize(words)) {
        return WrongValue(spec, fmt::format("unknown precision {}", number));
      }
      precisions.emplace_back(words[number]);
    }
    return AttributeValue(std::move(precisions));
  }

  Result<AttributeValue> Shapes() const {
    std::vector<Shape> shapes;
    for (const std::string_view bytes : message.Texts(field)) {
      ASSAY_TRY(shapes.emplace_back(), ReadShape(Message(bytes)));
    }
    return AttributeValue(std::move(shapes));
  }

  // Reads a domain; XLA's text has the two sides in reverse order.
  Result<AttributeValue> Domain() const {
    namespace instruction = fields::HloInstructionProto;
    ASSAY_TRY(const std::string entry, ReadSharding(message.Sub(instruction::domain_exit_sharding)));
    ASSAY_TRY(const std::string exit, ReadSharding(message.Sub(instruction::domain_entry_sharding)));
    return AttributeValue(
        fmt::format("{{kind=\"sharding\", entry={}, exit={}}}", WithoutMetadata(entry), WithoutMetadata(exit)));
  }

  template <class T>
  static Result<AttributeValue> Wrapped(Result<T> value) {
    if (!value) return std::move(value).error();
    return AttributeValue(*std::move(value));
  }

  Result<AttributeValue> Value() const {
    switch (spec.kind) {
      case AttributeKind::kBool:
        return AttributeValue(message.Integer(field) == kTrue);
      case AttributeKind::kInt64:
        return OneInteger();
      case AttributeKind::kFloat:
        return Float();
      case AttributeKind::kString:
        return AttributeValue(std::string(message.Text(field)));
      case AttributeKind::kEnum:
        return Word();
      case AttributeKind::kInt64List:
        return Integers();
      default:
        return Structure();
    }
  }

  Result<AttributeValue> Structure() const {
    switch (spec.kind) {
      case AttributeKind::kBoolList: {
        const Int64List flags = message.Integers(field);
        return AttributeValue(std::vector<bool>(flags.begin(), flags.end()));
      }
      case AttributeKind::kInt64ListList:
        return ListOfLists();
      case AttributeKind::kWindow:
        return AttributeValue(
            Window{ReadList<std::vector<WindowDimension>>(message.Sub(field), fields::Window::dimensions)});
      case AttributeKind::kPadding:
        return AttributeValue(ReadList<PaddingConfig>(message.Sub(field), fields::PaddingConfig::dimensions));
      case AttributeKind::kSlice:
        return AttributeValue(ReadList<SliceConfig>(message, field));
      case AttributeKind::kDimLabels:
        return Wrapped(ReadDimensionNumbers(message.Sub(field)));
      case AttributeKind::kPrecision:
        return Precisions();
      case AttributeKind::kAliasing:
        return AttributeValue(ReadList<std::vector<OutputOperandAlias>>(message, field));
      case AttributeKind::kShape:
        return Wrapped(ReadShape(message.Sub(field)));
      case AttributeKind::kShapeList:
        return Shapes();
      case AttributeKind::kLiteral:
        return Wrapped(ReadLiteral(message.Sub(field)));
      case AttributeKind::kDomain:
        return Domain();
      case AttributeKind::kSparsity: {
        std::string text = ReadSparsity(message.Sub(field));
        return text.empty() ? AttributeValue() : AttributeValue(std::move(text));
      }
      default:
        return AttributeValue();
    }
  }
};

std::int64_t NumberOf(const Field& field, std::string_view word) {
  const auto words = WordsOf(field);
  const auto found = std::ranges::find(words, word);
  return found == words.end() ? 0 : found - words.begin();
}

// Writers of one value into the message of its field: one overload for each type of AttributeValue.
struct AttributeWriter {
  MessageTree& message;
  const Field& field;
  const AttributeSpec& spec;

  void operator()(std::monostate) const {}
  void operator()(bool value) const {
    if (field == fields::HloInstructionProto::is_associative) {
      message.own.Integer(field, value ? kTrue : kFalse);
    } else {
      message.own.Integer(field, value ? 1 : 0);
    }
  }
  void operator()(std::int64_t value) const {
    if (field.kind == FieldKind::kIntegers) {
      if (value >= 0) message.own.Integers(field, std::span(&value, 1));
    } else if (field == fields::HloInstructionProto::cross_program_prefetch_index) {
      message.own.PresentInteger(field, value);
    } else {
      message.own.Integer(field, value);
    }
  }
  void operator()(double value) const { message.own.Number(field, value); }
  void operator()(const std::string& value) const {
    if (spec.kind == AttributeKind::kDomain) {
      WriteDomain(value);
    } else if (spec.kind == AttributeKind::kSparsity) {
      message.own.Sub(field, WriteSparsity(value));
    } else if (field.kind == FieldKind::kMessage) {
      message.At(field);
    } else if (field.kind == FieldKind::kInteger) {
      message.own.Integer(field, NumberOf(field, value));
    } else {
      message.own.Text(field, value);
    }
  }
  void operator()(const Int64List& values) const { message.own.Integers(field, values); }
  void operator()(const std::vector<bool>& values) const {
    message.own.Integers(field, Int64List(values.begin(), values.end()));
  }
  void operator()(const std::vector<Int64List>& lists) const {
    Int64List all;
    for (const Int64List& list : lists) {
      if (field.kind == FieldKind::kMessages) {
        message.own.Sub(field,
                        WriteMembers(list.empty() ? SourceTargetPair() : SourceTargetPair{list[0], list.back()}));
      } else {
        all.insert(all.end(), list.begin(), list.end());
      }
    }
    message.own.Integers(field, all);
  }
  void operator()(const Window& window) const { WriteDimensions(window.dimensions, fields::Window::dimensions); }
  void operator()(const PaddingConfig& padding) const { WriteDimensions(padding, fields::PaddingConfig::dimensions); }
  template <class Dimension>
  void WriteDimensions(const std::vector<Dimension>& dimensions, const Field& of_dimensions) const {
    MessageWriter inner;
    WriteList(dimensions, of_dimensions, inner);
    message.own.Sub(field, inner);
  }
  void operator()(const SliceConfig& slice) const { WriteList(slice, field, message.own); }
  void operator()(const ConvolutionDimensionNumbers& numbers) const { message.own.Sub(field, WriteMembers(numbers)); }
  void operator()(const std::vector<std::string>& words) const {
    Int64List numbers;
    for (const std::string& word : words) numbers.push_back(NumberOf(field, word));
    message.own.Integers(field, numbers);
  }
  void operator()(const HloComputation*) const {}
  void operator()(const std::vector<HloComputation*>&) const {}
  void operator()(const ReplicaGroups&) const {}
  void operator()(const std::vector<OutputOperandAlias>& aliases) const { WriteList(aliases, field, message.own); }
  void operator()(const Shape& shape) const { message.own.Sub(field, WriteShape(shape)); }
  void operator()(const std::vector<Shape>& shapes) const {
    message.own.Integer(fields::HloInstructionProto::constrain_layout, 1);
    for (const Shape& shape : shapes) message.own.Sub(field, WriteShape(shape));
  }
  void operator()(const Literal& literal) const { message.own.Sub(field, WriteLiteral(literal)); }

  // Writes {kind="sharding", entry={...}, exit={...}}.
  void WriteDomain(const std::string& text) const {
    namespace instruction = fields::HloInstructionProto;
    const std::size_t entry = text.find("entry="), exit = text.rfind(", exit=");
    if (entry == text.npos || exit == text.npos || exit < entry) return;
    const std::size_t entry_text = entry + 6, exit_text = exit + 7;
    message.own.Sub(instruction::domain_entry_sharding,
                    WriteSharding(text.substr(exit_text, text.size() - exit_text - 1)));
    message.own.Sub(instruction::domain_exit_sharding, WriteSharding(text.substr(entry_text, exit - entry_text)));
  }
};

// Returns the value of the attribute, or that of an instruction without it.
AttributeValue ValueOrDefault(const HloInstruction& instruction, const AttributeSpec& spec) {
  const auto found = std::ranges::find(instruction.attributes, spec.name, &Attribute::name);
  if (found != instruction.attributes.end()) return found->value;
  // XLA requires a window for each op that slides one; a library call has one only if it is written.
  const bool slides =
      spec.kind == AttributeKind::kWindow && instruction.op->FindAttribute("custom_call_target") == nullptr;
  return slides ? AttributeValue(Window()) : spec.default_value;
}

}  // namespace

MessageTree& MessageTree::At(const Field& field) {
  const auto found = std::ranges::find_if(parts_, [&](const auto& part) { return *part.first == field; });
  return found != parts_.end() ? found->second : parts_.emplace_back(&field, MessageTree()).second;
}

MessageWriter MessageTree::Finish() const {
  MessageWriter message = own;
  for (const auto& [field, part] : parts_) message.Sub(*field, part.Finish());
  return message;
}

Status ReadAttributes(const Message& message, HloInstruction& instruction) {
  for (const auto& [spec, field, within] : SerializedAttributes(*instruction.op)) {
    Message inner;
    const auto [outer, nested] = within;
    if (outer != nullptr) inner = message.Sub(*outer);
    if (nested != nullptr) inner = inner.Sub(*nested);
    const ReadAttribute attribute = {outer == nullptr ? message : inner, *field, *spec, instruction};
    const bool is_read = attribute.IsPresent() || spec->required || spec->print == PrintRule::kAlways;
    if (!is_read) continue;
    ASSAY_TRY(AttributeValue value, attribute.Value());
    if (value.index() != 0) instruction.Set(spec->name, std::move(value));
  }
  return {};
}

void WriteAttributes(const HloInstruction& instruction, MessageTree& message) {
  for (const auto& [spec, field, within] : SerializedAttributes(*instruction.op)) {
    MessageTree* inner = &message;
    for (const Field* part : within) inner = part == nullptr ? inner : &inner->At(*part);
    std::visit(AttributeWriter{*inner, *field, *spec},
               static_cast<const AttributeValueOf&>(ValueOrDefault(instruction, *spec)));
  }
}

}  // namespace assay::proto
