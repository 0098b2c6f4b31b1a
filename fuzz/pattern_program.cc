#include "fuzz/pattern_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/generate/random.h"
#include "fuzz/generate/values.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/replace_all.h"

namespace assay {
using namespace generate;
namespace {

std::vector<std::string_view> Split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// The kind of an operand's values.
struct ValueKind {
  std::int64_t limit = 0;  // of indices; 0: other values
  EdgeClass edge_class = EdgeClass::kNormal;
};

ValueKind ValueKindOf(std::string_view name) {
  if (name.starts_with("index:")) return {.limit = std::atoi(name.substr(6).data())};
  for (const EdgeClass edge_class : AllEdgeClasses()) {
    if (EdgeClassName(edge_class) == name) return {.edge_class = edge_class};
  }
  throw std::logic_error(fmt::format("{} is not a class of values", name));
}

// The instructions of a pattern for one element type and size.
struct Template {
  std::vector<ValueKind> kinds;       // of each operand
  std::unique_ptr<HloModule> module;  // its entry computes the result from parameters, which are its first instructions
};

std::unique_ptr<HloModule> Parsed(const std::string& text) {
  Result<std::unique_ptr<HloModule>> module = ParseHloModule(text);
  if (!module) throw std::logic_error(fmt::format("{}\n{}", module.error().message, text));
  if (const auto illegal = FindIllegal(**module); !illegal.empty()) {
    throw std::logic_error(fmt::format("{}\n{}", illegal[0].message, text));
  }
  return *std::move(module);
}

Template MakeTemplate(const Miscompilation& pattern, std::string_view instructions, std::string_view type,
                      std::string_view size) {
  const auto filled = [&](std::string_view text) {
    return ReplaceAll(ReplaceAll(std::string(text), "$T", type), "$N", size);
  };
  Template result;
  std::string parameters;
  const std::string operands = filled(pattern.parameters);
  for (const std::string_view operand : Split(operands, ';')) {
    const std::vector<std::string_view> words = Split(operand, ' ');
    parameters += fmt::format("{} = {} parameter({})\n", words.at(0), words.at(1), result.kinds.size());
    result.kinds.push_back(ValueKindOf(words.at(2)));
  }
  result.module =
      Parsed(fmt::format("HloModule {}\nplus {{\n  px = {type}[] parameter(0)\n  py = {type}[] parameter(1)\n"
                         "  ROOT pr = {type}[] add(px, py)\n}}\n{}\nENTRY e {{\n{}{}\nROOT out = {} copy(r)\n}}\n",
                         pattern.name, filled(pattern.called), parameters, filled(instructions), filled(pattern.result),
                         fmt::arg("type", pattern.result.starts_with("pred") ? "s32" : type)));
  return result;
}

// Returns the template, which is made once.
const Template& TemplateOf(const Miscompilation& pattern, std::string_view instructions, std::string_view type,
                           std::int64_t size) {
  static std::mutex mutex;
  // Two patterns may have the same instructions.
  static std::map<std::tuple<std::string_view, const char*, std::string_view, std::int64_t>, Template> templates;
  const bool has_size =
      std::ranges::any_of(std::array{pattern.parameters, pattern.result, pattern.called, instructions},
                          [](std::string_view text) { return text.find("$N") != text.npos; });
  if (!has_size) size = 0;
  const std::lock_guard lock(mutex);
  const auto [known, is_new] = templates.try_emplace({pattern.name, instructions.data(), type, size});
  if (is_new) known->second = MakeTemplate(pattern, instructions, type, std::to_string(size));
  return known->second;
}

// A program under construction. The template's operands become copies of drawn values, and its result gets users.
class Program {
 public:
  Program(const Miscompilation& pattern, std::string_view instructions, std::uint64_t seed, Naming naming)
      : random_(seed), naming_(*FindOp(naming == Naming::kCopy ? "copy" : "reshape")) {
    const std::string_view type = random_.OneOf(Split(pattern.types, ' '));
    const Template& made = TemplateOf(pattern, instructions, type, random_.Between(3, 9));
    type_ = *PrimitiveTypeFromName(type);
    module_ = CloneModule(*made.module);
    entry_ = module_->entry;
    std::vector<std::unique_ptr<HloInstruction>> taken = std::exchange(entry_->instructions, {});
    for (std::size_t i = 0; i < made.kinds.size(); ++i) AddOperand(std::move(taken[i]), made.kinds[i]);
    for (std::size_t i = made.kinds.size(); i + 1 < taken.size(); ++i) entry_->Add(std::move(taken[i]));
    HloInstruction* result = taken.back()->operands[0];
    for (std::int64_t i = random_.Below(4); i > 0; --i) result = Continue(*result);
    entry_->root = Add("out", naming_, result->shape, {result});
  }

  DrawnModule Finish() {
    SetEntryLayouts(*module_);
    return {std::move(module_), {std::move(arguments_)}, {}};
  }

 private:
  HloInstruction* Add(std::string name, const Op& op, const Shape& shape, std::vector<HloInstruction*> operands,
                      std::vector<Attribute> attributes = {}) {
    auto instruction = MakeInstruction(op, shape, std::move(operands));
    instruction->name = std::move(name);
    instruction->attributes = std::move(attributes);
    return &entry_->Add(std::move(instruction));
  }
  HloInstruction* Then(std::string_view op, const Shape& shape, std::vector<HloInstruction*> operands,
                       std::vector<Attribute> attributes = {}) {
    return Add("v" + std::to_string(++count_), *FindOp(op), shape, std::move(operands), std::move(attributes));
  }

  HloInstruction* Parameter(const Shape& shape, Literal value) {
    const std::size_t number = arguments_.size();
    HloInstruction* const parameter = Add("p" + std::to_string(number), *OpWithRole(OpRole::kParameter), shape, {});
    parameter->parameter_number = static_cast<std::int64_t>(number);
    arguments_.push_back(std::move(value));
    return parameter;
  }
  HloInstruction* Another(const Shape& shape, EdgeClass edge_class) {
    return Parameter(shape, DrawValue(random_, shape, edge_class));
  }

  // Adds an operand of the pattern: a parameter, modified by some instructions. Indices and scalars are not modified.
  void AddOperand(std::unique_ptr<HloInstruction> operand, const ValueKind& kind) {
    const Shape& shape = operand->shape;
    HloInstruction* value = Parameter(
        shape, kind.limit > 0 ? DrawIndices(random_, shape, kind.limit) : DrawValue(random_, shape, kind.edge_class));
    const bool is_fixed = kind.limit > 0 || shape.rank() == 0;
    // Values of other kinds are extreme on purpose. A multiplication could make them moderate, and its contraction
    // could lawfully avoid an overflow.
    const bool may_round = kind.edge_class == EdgeClass::kNormal || kind.edge_class == EdgeClass::kTies;
    for (std::int64_t i = is_fixed ? 0 : random_.Below(4); i > 0; --i) value = Prepare(*value, may_round);
    operand->op = &naming_;
    operand->operands = {value};
    operand->parameter_number = 0;
    entry_->Add(std::move(operand));
  }

  // Returns a user of the value, or the value itself; most users preserve special numbers.
  HloInstruction* Prepare(HloInstruction& value, bool may_round) {
    const Shape& shape = value.shape;
    const PrimitiveType type = shape.element_type();
    switch (random_.Below(5)) {
      case 0:
        return Then("reverse", shape, {&value}, {{"dimensions", Int64List{random_.Below(shape.rank())}}});
      case 1: {
        HloInstruction* const choice = Another(ShapeUtil::ChangeElementType(shape, PRED), EdgeClass::kAnyBits);
        HloInstruction* const other = Another(shape, EdgeClass::kNormal);
        return Then("select", shape, {choice, &value, other});
      }
      case 2:
        return Then(type == PRED ? "not" : "negate", shape, {&value});
      case 3:
        if (!IsFloatingPointType(type) || !may_round) return &value;
        return Then("multiply", shape, {&value, Another(shape, EdgeClass::kPositive)});
      default:
        if (IsFloatingPointType(type) || type == PRED) return &value;
        return Then("xor", shape, {&value, Another(shape, EdgeClass::kSmallIntegers)});
    }
  }

  // Returns a user of the result, or the result itself.
  HloInstruction* Continue(HloInstruction& value) {
    const Shape& shape = value.shape;
    const PrimitiveType type = shape.element_type();
    switch (random_.Below(7)) {
      case 0:
        return shape.rank() == 0 ? Then(naming_.name, shape, {&value})
                                 : Then("concatenate", shape, {&value}, {{"dimensions", Int64List{0}}});
      case 1:
      case 2:
        return shape.rank() == 0 ? &value : Prepare(value, true);
      case 3:
        if (type == PRED) return Then("convert", ShapeUtil::ChangeElementType(shape, S32), {&value});
        return Then("add", shape, {&value, Another(shape, EdgeClass::kNormal)});
      case 4:
        if (type == PRED) return Then("xor", shape, {&value, Another(shape, EdgeClass::kAnyBits)});
        return Then("maximum", shape, {&value, Another(shape, EdgeClass::kNormal)});
      case 5: {
        if (shape.rank() != 1 || type != type_ || type == PRED) return &value;
        const Shape scalar = ShapeUtil::MakeScalarShape(type);
        HloInstruction* const start = Then("constant", scalar, {});
        start->literal = ScalarOf(type, 0);
        HloComputation* const plus = module_->computations.front().get();
        return Then("reduce", scalar, {&value, start}, {{"dimensions", Int64List{0}}, {"to_apply", plus}});
      }
      default:
        if (!IsFloatingPointType(type)) return &value;
        return Then("tanh", shape, {&value});
    }
  }

  Random random_;
  const Op& naming_;
  PrimitiveType type_;
  std::unique_ptr<HloModule> module_;
  HloComputation* entry_ = nullptr;
  std::vector<Literal> arguments_;
  int count_ = 0;
};

}  // namespace

DrawnModule DrawPatternProgram(const Miscompilation& pattern, std::string_view instructions, std::uint64_t seed,
                               Naming naming) {
  return Program(pattern, instructions, seed, naming).Finish();
}

}  // namespace assay
