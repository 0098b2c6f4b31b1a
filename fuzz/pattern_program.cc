#include "fuzz/pattern_program.h"

#include <fmt/format.h>

#include <algorithm>
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
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"

namespace assay {
using namespace generate;
namespace {

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

// The instructions of a row for one element type and size.
struct Template {
  std::vector<ValueKind> kinds;       // of each operand
  std::unique_ptr<HloModule> module;  // the parameters of its entry are its first instructions
};

Template MakeTemplate(const RewriteRow& row, std::string_view computation, std::string_view type,
                      const std::string& size) {
  Template result;
  for (const RewriteOperand& operand : row.operands) result.kinds.push_back(ValueKindOf(operand.values));
  auto module = ModuleOf(row, computation, type, size);
  if (!module) throw std::logic_error(module.error().message);
  if (const auto illegal = FindIllegal(**module); !illegal.empty()) {
    throw std::logic_error(fmt::format("{}: {}", row.place, illegal[0].message));
  }
  result.module = *std::move(module);
  std::vector<const HloComputation*> used = {result.module->computations.front().get(), result.module->entry};
  for (std::size_t i = 0; i < used.size(); ++i) {
    for (const auto& instruction : used[i]->instructions) {
      for (const HloComputation* called : instruction->CalledComputations()) used.push_back(called);
    }
  }
  std::erase_if(result.module->computations, [&](const auto& one) { return std::ranges::count(used, one.get()) == 0; });
  return result;
}

// Returns the template, which is made once.
const Template& TemplateOf(const RewriteRow& row, std::string_view computation, std::string_view type,
                           std::int64_t size) {
  static std::mutex mutex;
  static std::map<std::tuple<std::string, std::string_view, std::string, std::int64_t>, Template> templates;
  if (row.text.find("$E") == std::string::npos) size = 0;
  const std::lock_guard lock(mutex);
  const auto [known, is_new] = templates.try_emplace({row.name, computation, std::string(type), size});
  if (is_new) known->second = MakeTemplate(row, computation, type, std::to_string(size));
  return known->second;
}

// A program under construction. The template's operands become copies of drawn values, and its result gets users.
class Program {
 public:
  Program(const RewriteRow& row, std::string_view computation, std::uint64_t seed, Naming naming)
      : random_(seed), naming_(*FindOp(naming == Naming::kCopy ? "copy" : "reshape")) {
    const std::string type = random_.OneOf(row.types);
    const Template& made = TemplateOf(row, computation, type, random_.Between(3, 9));
    type_ = *PrimitiveTypeFromName(type);
    module_ = CloneModule(*made.module);
    entry_ = module_->entry;
    std::vector<std::unique_ptr<HloInstruction>> taken = std::exchange(entry_->instructions, {});
    for (std::size_t i = 0; i < made.kinds.size(); ++i) AddOperand(std::move(taken[i]), made.kinds[i]);
    for (std::size_t i = made.kinds.size(); i < taken.size(); ++i) entry_->Add(std::move(taken[i]));
    HloInstruction* result = entry_->root;
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

DrawnModule DrawPatternProgram(const RewriteRow& row, std::string_view computation, std::uint64_t seed, Naming naming) {
  return Program(row, computation, seed, naming).Finish();
}

namespace {

void Count(const RewriteRow& row, const Profile& profile, std::uint64_t seed, MiscompilationCount& count) {
  const DrawnModule right = DrawPatternProgram(row, "given", seed);
  const DrawnModule faulty = DrawPatternProgram(row, "compiled", seed);
  const std::vector<Literal>& arguments = right.arguments[0];
  const Result<Literal> want = Evaluate(*right.module, arguments);
  const Result<Literal> got = Evaluate(*faulty.module, arguments);
  if (!want || !got) throw std::logic_error(fmt::format("{} is not evaluated", row.name));
  ++count.programs;
  if (CompareExactly(*want, *got).verdict != Verdict::kFail) return;
  ++count.changed;
  const Result<ValueSet> set = EvaluateSets(*right.module, arguments, profile);
  if (!set) throw std::logic_error(fmt::format("{} has no set", row.name));
  const Judgement judgement = JudgeBySet(*set, *got);
  count.failed += judgement.verdict == Verdict::kFail ? 1 : 0;
  count.weak += judgement.verdict == Verdict::kWeak ? 1 : 0;
  if (judgement.verdict == Verdict::kFail || !count.first_miss.empty()) return;
  count.first_miss = fmt::format("{}: got {}, want {}: {} (seed {})\n{}", judgement.worst.name, judgement.worst.got,
                                 judgement.worst.want, judgement.reason, seed, PrintHloModule(*right.module));
}

}  // namespace

MiscompilationCount CountFound(const RewriteRow& row, const Profile& profile, std::int64_t programs,
                               std::uint64_t seed) {
  MiscompilationCount count;
  for (std::int64_t i = 0; i < programs; ++i) Count(row, profile, seed * 1'000'003 + i, count);
  return count;
}

}  // namespace assay
