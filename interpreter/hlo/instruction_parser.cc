// Instructions: `[ROOT] name = [shape] opcode(operands), attributes`.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/async_text.h"
#include "interpreter/hlo/attribute_text.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/module_parser.h"
#include "interpreter/hlo/names.h"
#include "interpreter/hlo/shape_text.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

std::string DescribeArity(const Arity& arity) {
  if (arity.max == Arity::kVariadic) return fmt::format("at least {} operand(s)", arity.min);
  if (arity.min == arity.max) return fmt::format("{} operand(s)", arity.min);
  return fmt::format("{} to {} operands", arity.min, arity.max);
}

// Changes the shape of a constant to that of its literal, regardless of the text: its sizes are static, and each
// element has at least a byte.
void MakeLiteralShape(Shape& shape) {
  if (shape.has_layout()) shape.mutable_layout().element_size_in_bits = 0;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (!shape.is_unbounded_dynamic_dimension(d)) shape.set_dynamic_dimension(d, false);
  }
  for (Shape& element : shape.mutable_tuple_shapes()) MakeLiteralShape(element);
}

}  // namespace

Status ModuleParser::ParseInstruction(Scope& scope) {
  const bool is_root = parser_.EatKeyword("ROOT");
  const SourceLocation location = parser_.token().location;
  if (!parser_.Is(TokenKind::kName) && !parser_.Is(TokenKind::kIdentifier)) {
    return parser_.Expected("an instruction's name");
  }
  ASSAY_TRY(std::string name, parser_.ParseName());
  ASSAY_CHECK_OK(parser_.Expect("="));
  if (scope.instructions.contains(name)) {
    return TextParser::FailAt(location, fmt::format("instruction {} is defined twice", name));
  }
  if (!IsLegalName(name)) {
    return TextParser::FailAt(
        location, fmt::format("{} is {}not a legal name; legal is {}", name,
                              PrimitiveTypeFromName(name) ? "an element type and " : "", SanitizeName(name)));
  }
  if (is_root && scope.computation->root != nullptr) {
    return TextParser::FailAt(location,
                              fmt::format("{} is a second ROOT; the first is {}", name, scope.computation->root->name));
  }
  ASSAY_TRY(HloInstruction * instruction, ParseDefinition(scope, name, location, /*is_nested=*/false));
  scope.instructions.emplace(std::move(name), instruction);
  if (is_root) scope.computation->root = instruction;
  return {};
}

// Parses the part after "name =", or an operand written in place.
Result<HloInstruction*> ModuleParser::ParseDefinition(Scope& scope, std::string name, SourceLocation location,
                                                      bool is_nested) {
  const TextParser::Nesting nesting(parser_);
  ASSAY_CHECK_OK(nesting.Check());
  InstructionDrawer draft;
  HloInstruction& instruction = *draft.instruction;
  instruction.location = location;
  draft.has_shape = AtShape(parser_);
  if (draft.has_shape) {
    ASSAY_TRY(instruction.shape, ParseShape(parser_));
  }
  ASSAY_CHECK_OK(ParseOpcode(draft));
  instruction.name = is_nested ? std::string(instruction.op->name) + ".anon" : std::move(name);
  ASSAY_CHECK_OK(ParseParentheses(scope, draft));
  if (!is_nested) ASSAY_CHECK_OK(ParseAttributes(scope, draft));
  ASSAY_CHECK_OK(Complete(draft));
  return &scope.computation->Add(std::move(draft.instruction));
}

Status ModuleParser::ParseOpcode(InstructionDrawer& draft) {
  draft.opcode_location = parser_.token().location;
  if (!parser_.Is(TokenKind::kIdentifier)) return parser_.Expected(draft.has_shape ? "an opcode" : "a shape or opcode");
  const std::string_view opcode = parser_.token().text;
  draft.instruction->op = FindOp(opcode);
  AsyncOpcode async;
  if (draft.instruction->op == nullptr) {
    async = FindAsyncOpcode(opcode);
  } else if (draft.has_shape) {
    async = AsyncFormOf(*draft.instruction->op, draft.instruction->shape);
  }
  if (async.op != nullptr) {
    draft.instruction->op = async.op;
    draft.wrapped = std::make_unique<HloInstruction>();
    draft.wrapped->op = async.wrapped;
  }
  if (draft.instruction->op == nullptr) {
    std::vector<std::string_view> names;
    for (const Op* op : AllOps()) names.push_back(op->name);
    return parser_.Fail(fmt::format("unknown opcode {}{}", opcode.substr(0, 80), Suggest(opcode, names)));
  }
  parser_.Next();
  return {};
}

// Parses the parentheses after the opcode: operands, or for two roles a parameter number or a literal.
Status ModuleParser::ParseParentheses(Scope& scope, InstructionDrawer& draft) {
  HloInstruction& instruction = *draft.instruction;
  const OpRole role = instruction.op->role;
  if (role != OpRole::kParameter && role != OpRole::kConstant) return ParseOperands(scope, instruction);
  if (!draft.has_shape) {
    return TextParser::FailAt(draft.opcode_location,
                              fmt::format("cannot infer the shape of {}; it must be written", instruction.op->name));
  }
  ASSAY_CHECK_OK(parser_.Expect("("));
  if (role == OpRole::kConstant) {
    ASSAY_CHECK_OK(ParseConstant(instruction));
  } else {
    const SourceLocation location = parser_.token().location;
    ASSAY_TRY(instruction.parameter_number, parser_.ParseInteger());
    constexpr std::int64_t kMostParameters = 1 << 20;
    if (instruction.parameter_number < 0 || instruction.parameter_number >= kMostParameters) {
      return TextParser::FailAt(location, fmt::format("a parameter's number must be in [0, {})", kMostParameters));
    }
  }
  return parser_.Expect(")");
}

Status ModuleParser::ParseConstant(HloInstruction& instruction) {
  MakeLiteralShape(instruction.shape);
  const bool may_be_elided = instruction.shape.IsTuple() || instruction.shape.rank() > 0;
  if (may_be_elided && EatElided(parser_)) {
    instruction.literal_is_elided = true;
    return {};
  }
  const SourceLocation location = parser_.token().location;
  Result<Literal> literal =
      WithoutThrowing([&] { return ParseLiteral(parser_, instruction.shape, LiteralReading::kXlaConstant); });
  if (!literal && literal.error().location.line == 0) {  // the array exceeds the memory limit
    return Error{literal.error().code, literal.error().message, location};
  }
  ASSAY_TRY(instruction.literal, std::move(literal));
  return {};
}

Status ModuleParser::ParseOperands(Scope& scope, HloInstruction& instruction) {
  return parser_.ParseItems("(", ")", instruction.operands, [&] { return ParseOperand(scope); });
}

// Parses a reference, or an instruction written in place; a shape may precede either.
Result<HloInstruction*> ModuleParser::ParseOperand(Scope& scope) {
  const Lexer start = parser_.lexer();
  const SourceLocation location = parser_.token().location;
  Shape shape;
  const bool has_shape = AtShape(parser_);
  if (has_shape) {
    ASSAY_TRY(shape, ParseShape(parser_));
  }
  if (parser_.Is(TokenKind::kIdentifier) && parser_.lexer().IsBefore('(')) {
    parser_.lexer() = start;
    return ParseDefinition(scope, "", location, /*is_nested=*/true);
  }
  return ParseReference(scope, has_shape ? &shape : nullptr, location);
}

Result<HloInstruction*> ModuleParser::ParseReference(Scope& scope, const Shape* shape, SourceLocation location) {
  const bool has_name = parser_.Is(TokenKind::kName) || parser_.Is(TokenKind::kIdentifier);
  if (!has_name && scope.defines_parameters && shape != nullptr) return AddImpliedParameter(scope, "", *shape);
  if (!has_name) return parser_.Expected("the name of an operand");
  location = parser_.token().location;
  ASSAY_TRY(std::string name, parser_.ParseName());
  const auto found = scope.instructions.find(name);
  HloInstruction* instruction = found == scope.instructions.end() ? nullptr : found->second;
  if (instruction == nullptr && scope.defines_parameters) {
    if (shape == nullptr) return TextParser::FailAt(location, fmt::format("operand {} needs its shape here", name));
    return AddImpliedParameter(scope, std::move(name), *shape);
  }
  if (instruction == nullptr) {
    std::vector<std::string_view> names;
    constexpr std::size_t kMostNames = 1000;
    for (const auto& [known, definition] : scope.instructions) {
      if (names.size() < kMostNames) names.push_back(known);
    }
    return TextParser::FailAt(
        location, fmt::format("{} is not defined before its use in this computation{}", name, Suggest(name, names)));
  }
  if (parser_.At("#")) {
    ASSAY_TRY(instruction, ParseTupleElements(scope, instruction, std::move(name)));
  }
  if (shape != nullptr && !ShapeUtil::Compatible(*shape, instruction->shape)) {
    return TextParser::FailAt(
        location, fmt::format("the operand is written as {}, but {} has shape {}", shape->ToStringWithoutLayout(),
                              instruction->name, instruction->shape.ToStringWithoutLayout()));
  }
  return instruction;
}

HloInstruction* ModuleParser::AddImpliedParameter(Scope& scope, std::string name, const Shape& shape) {
  const std::int64_t number = scope.parameter_count++;
  if (name.empty()) name = fmt::format("_{}", number);
  auto parameter = MakeInstruction(OpRole::kParameter, shape);
  parameter->name = name;
  parameter->parameter_number = number;
  HloInstruction* added = &scope.computation->Add(std::move(parameter));
  scope.instructions.emplace(std::move(name), added);
  return added;
}

// Parses "a#1#0": elements of tuples, each a get-tuple-element that is made once per name.
Result<HloInstruction*> ModuleParser::ParseTupleElements(Scope& scope, HloInstruction* instruction, std::string name) {
  while (parser_.Eat("#")) {
    const SourceLocation location = parser_.token().location;
    ASSAY_TRY(const std::int64_t index, parser_.ParseInteger());
    const Shape& tuple = instruction->shape;
    if (!tuple.IsTuple() || index < 0 || index >= static_cast<std::int64_t>(tuple.tuple_shapes().size())) {
      return TextParser::FailAt(
          location, fmt::format("{} of shape {} has no element {}", name, tuple.ToStringWithoutLayout(), index));
    }
    name += fmt::format("#{}", index);
    HloInstruction*& known = scope.instructions[name];
    if (known == nullptr) {
      auto element = MakeInstruction(OpRole::kGetTupleElement, tuple.tuple_shapes(index), {instruction});
      element->name = SanitizeName(name);
      element->location = location;
      element->Set("index", index);
      known = &scope.computation->Add(std::move(element));
    }
    instruction = known;
  }
  return instruction;
}

Status ModuleParser::ParseAttributes(Scope& scope, InstructionDrawer& draft) {
  std::vector<std::string_view> seen;
  while (parser_.Eat(",")) {
    if (!parser_.Is(TokenKind::kAttributeName)) return parser_.Expected("an attribute's name=");
    const Token name = parser_.token();
    if (std::ranges::find(seen, name.text) != seen.end()) {
      return parser_.Fail(fmt::format("attribute {} is given twice", name.text));
    }
    seen.push_back(name.text);
    parser_.Next();
    ASSAY_CHECK_OK(ParseAttribute(scope, draft, name));
  }
  return {};
}

Status ModuleParser::ParseAttribute(Scope& scope, InstructionDrawer& draft, const Token& name) {
  HloInstruction& instruction = *draft.instruction;
  const AttributeSpec* spec = instruction.op->FindAttributeOfText(name.text);
  HloInstruction* owner = &instruction;
  if (draft.wrapped != nullptr && name.text != "async_execution_thread") {
    const bool is_start = instruction.op->role == OpRole::kAsyncStart;
    const AttributeSpec* own = name.text == "output_to_operand_aliasing" ? spec : nullptr;
    spec = is_start ? draft.wrapped->op->FindAttributeOfText(name.text) : nullptr;
    if (spec != nullptr || own == nullptr) owner = draft.wrapped.get();
    if (spec == nullptr) spec = own;
  }
  if (spec != nullptr) {
    ASSAY_TRY(AttributeValue value,
              ParseAttributeValue(parser_, *spec, [this] { return ParseComputationReference(); }));
    owner->Set(spec->name, std::move(value));
    return {};
  }
  if (name.text == "control-predecessors") return ParseControlPredecessors(scope, instruction);
  const Op& accurate = draft.wrapped == nullptr ? *instruction.op : *draft.wrapped->op;
  const bool is_allowed = name.text != "result_accuracy" || accurate.syntax.accepts_result_accuracy;
  if (name.text == "result_accuracy" && is_allowed) {
    // The accuracy of a short form belongs to the wrapped instruction.
    HloInstruction& accurate_one = draft.wrapped != nullptr ? *owner : instruction;
    ASSAY_TRY(accurate_one.result_accuracy, ParseResultAccuracy(parser_));
    return {};
  }
  if (IsAnnotation(name.text) && is_allowed) {
    ASSAY_TRY(std::string text, ParseAnnotation(parser_, name.text));
    if (!text.empty()) instruction.annotations.emplace(name.text, std::move(text));
    return {};
  }
  std::vector<std::string_view> allowed;
  for (const AttributeSpec& spec : instruction.op->syntax.attributes) allowed.push_back(spec.name);
  for (const std::string_view annotation : AnnotationNames()) {
    if (annotation != "result_accuracy" || instruction.op->syntax.accepts_result_accuracy)
      allowed.push_back(annotation);
  }
  return TextParser::FailAt(name.location, fmt::format("{} has no attribute {}; it has {}", instruction.op->name,
                                                       name.text, JoinText(allowed, ", ")));
}

Status ModuleParser::ParseControlPredecessors(Scope& scope, HloInstruction& instruction) {
  return parser_.ParseList("{", "}", [&]() -> Status {
    const SourceLocation location = parser_.token().location;
    ASSAY_TRY(const std::string name, parser_.ParseName());
    const auto found = scope.instructions.find(name);
    if (found == scope.instructions.end()) {
      return TextParser::FailAt(location, fmt::format("control predecessor {} is not defined before", name));
    }
    instruction.control_predecessors.push_back(found->second);
    return {};
  });
}

Status ModuleParser::CheckOperandsAndAttributes(const HloInstruction& instruction, SourceLocation location) {
  const Op& op = *instruction.op;
  const auto count = static_cast<int>(instruction.operands.size());
  if (count < op.legality.arity.min || (op.legality.arity.max != Arity::kVariadic && count > op.legality.arity.max)) {
    return TextParser::FailAt(
        location, fmt::format("{} takes {}, here are {}", op.name, DescribeArity(op.legality.arity), count));
  }
  for (const AttributeSpec& spec : op.syntax.attributes) {
    if (spec.required && !instruction.Has(spec.name)) {
      return TextParser::FailAt(location, fmt::format("{} needs the attribute {}", op.name, spec.name));
    }
  }
  return {};
}

Status ModuleParser::Normalize(HloInstruction& instruction, SourceLocation location) {
  if (instruction.op->syntax.normalize == nullptr) return {};
  Status normalized = instruction.op->syntax.normalize(instruction);
  if (normalized.has_value()) return {};
  return TextParser::FailAt(location, std::move(normalized).error().message);
}

// Limits the size of all shapes: a tuple with the previous tuple twice doubles with each line, and its shape need not
// be written.
Status ModuleParser::CountShapeParts(const Shape& shape, SourceLocation location) {
  shape_parts_ += ShapeUtil::PartCount(shape, kMostShapeParts);
  if (shape_parts_ < kMostShapeParts) return {};
  return Error{ErrorCode::kLimit,
               fmt::format("the shapes of a module's instructions may have {} parts in all; here there are more",
                           kMostShapeParts),
               location};
}

// Checks operand count and required attributes, infers a missing shape, and normalizes other spellings.
Status ModuleParser::Complete(InstructionDrawer& draft) {
  HloInstruction& instruction = *draft.instruction;
  if (EndsAsyncForm(instruction)) instruction.op = OpWithRole(OpRole::kAsyncDone);
  const Op& op = *instruction.op;
  const auto fail = [&](std::string message) { return TextParser::FailAt(draft.opcode_location, std::move(message)); };
  ASSAY_CHECK_OK(CheckOperandsAndAttributes(instruction, draft.opcode_location));
  if (!AsyncSuffix(op.role).empty()) ASSAY_CHECK_OK(CompleteAsync(draft));
  if (!draft.has_shape) {
    if (!op.syntax.shape_is_inferable) {
      return fail(fmt::format("cannot infer the shape of {}; it must be written", op.name));
    }
    // The verifier checks written shapes later, but inference needs legal ones.
    for (const HloInstruction* operand : instruction.operands) {
      const Status valid = ShapeUtil::ValidateShape(operand->shape);
      if (!valid) return fail(fmt::format("cannot infer the shape: {}: {}", operand->name, valid.error().message));
    }
    Result<Shape> shape = op.legality.infer(instruction);
    if (!shape.has_value()) return fail("cannot infer the shape: " + shape.error().message);
    instruction.shape = *std::move(shape);
  }
  ASSAY_CHECK_OK(CountShapeParts(instruction.shape, draft.opcode_location));
  if (const auto sharding = instruction.annotations.find("sharding"); sharding != instruction.annotations.end()) {
    sharding->second = ForEachLeaf(sharding->second, instruction.shape);
  }
  return Normalize(instruction, draft.opcode_location);
}

}  // namespace assay
