#include "fuzz/miscompilations.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "generate/random.h"
#include "generate/values.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/program_sets.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"

namespace assay {
using namespace generate;
namespace {

// A value of the program text under construction.
struct Written {
  std::string name;
  Shape shape;
};

std::string Replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result(text);
  for (std::size_t at = 0; (at = result.find(what, at)) != std::string::npos; at += by.size()) {
    result.replace(at, what.size(), by);
  }
  return result;
}

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

// The text of a program around the pattern.
class Program {
 public:
  Program(const Miscompilation& miscompilation, std::uint64_t seed, Naming naming = Naming::kCopy)
      : miscompilation_(miscompilation), random_(seed), naming_(naming == Naming::kCopy ? "copy(" : "reshape(") {
    type_ = random_.OneOf(Split(miscompilation.types, ' '));
    size_ = std::to_string(random_.Between(3, 9));
    const std::string parameters = Filled(miscompilation.parameters);
    for (const std::string_view declared : Split(parameters, ';')) {
      const std::vector<std::string_view> words = Split(declared, ' ');
      AddOperand(words.at(0), ParseShape(words.at(1)).value(), words.at(2));
    }
    std::swap(before_, text_);
    Written result = {"r", ParseShape(Filled(miscompilation.result)).value()};
    for (std::int64_t i = random_.Below(4); i > 0; --i) Continue(result);
    after_ = fmt::format("{}ROOT out = {} {}{})\n", text_, TextOf(result.shape), naming_, result.name);
  }

  std::string Text(std::string_view pattern) const {
    return fmt::format(
        "HloModule {}\nplus {{\n  px = {type}[] parameter(0)\n  py = {type}[] parameter(1)\n"
        "  ROOT pr = {type}[] add(px, py)\n}}\n{}\nENTRY e {{\n{}{}\n{}}}\n",
        miscompilation_.name, Filled(miscompilation_.called), before_, Filled(pattern), after_,
        fmt::arg("type", miscompilation_.result.starts_with("pred") ? "s32" : type_));
  }
  const std::vector<Literal>& arguments() const { return arguments_; }

 private:
  std::string Filled(std::string_view text) const { return Replaced(Replaced(text, "$T", type_), "$N", size_); }
  static std::string TextOf(const Shape& shape) { return shape.ToStringWithoutLayout(); }

  static Literal Values(Random& random, const Shape& shape, std::string_view kind) {
    if (kind.starts_with("index:")) return DrawIndices(random, shape, std::atoi(kind.substr(6).data()));
    for (const EdgeClass edge_class : AllEdgeClasses()) {
      if (EdgeClassName(edge_class) == kind) return DrawValue(random, shape, edge_class);
    }
    throw std::logic_error(fmt::format("{} is not a class of values", kind));
  }

  std::string Parameter(const Shape& shape, Literal value) {
    const std::string name = fmt::format("p{}", arguments_.size());
    text_ += fmt::format("{} = {} parameter({})\n", name, TextOf(shape), arguments_.size());
    arguments_.push_back(std::move(value));
    return name;
  }
  std::string Another(const Shape& shape, EdgeClass edge_class) {
    return Parameter(shape, DrawValue(random_, shape, edge_class));
  }

  template <class... Arguments>
  void Then(Written& value, const Shape& shape, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    const std::string name = fmt::format("v{}", ++count_);
    const std::string application = fmt::format(format, std::forward<Arguments>(arguments)...);
    text_ += fmt::format("{} = {} {}\n", name, TextOf(shape), application);
    value = {name, shape};
  }

  // Adds an operand of the pattern: a parameter, modified by some instructions. Indices and scalars are not modified.
  void AddOperand(std::string_view name, const Shape& shape, std::string_view kind) {
    Written value = {Parameter(shape, Values(random_, shape, kind)), shape};
    const bool is_fixed = kind.starts_with("index:") || shape.rank() == 0;
    // Values of other kinds are extreme on purpose. A multiplication could make them moderate, and its contraction
    // could lawfully avoid an overflow.
    const bool may_round = kind == "normal" || kind == "ties";
    for (std::int64_t i = is_fixed ? 0 : random_.Below(4); i > 0; --i) Prepare(value, may_round);
    text_ += fmt::format("{} = {} {}{})\n", name, TextOf(shape), naming_, value.name);
  }

  // Adds an instruction; most of them preserve special numbers.
  void Prepare(Written& value, bool may_round) {
    const Shape shape = value.shape;
    const PrimitiveType type = shape.element_type();
    switch (random_.Below(5)) {
      case 0:
        return Then(value, shape, "reverse({}), dimensions={{{}}}", value.name, random_.Below(shape.rank()));
      case 1: {
        const std::string choice = Another(ShapeUtil::ChangeElementType(shape, PRED), EdgeClass::kAnyBits);
        const std::string other = Another(shape, EdgeClass::kNormal);
        return Then(value, shape, "select({}, {}, {})", choice, value.name, other);
      }
      case 2:
        if (type == PRED) return Then(value, shape, "not({})", value.name);
        return Then(value, shape, "negate({})", value.name);
      case 3:
        if (!IsFloatingPointType(type) || !may_round) return;
        return Then(value, shape, "multiply({}, {})", value.name, Another(shape, EdgeClass::kPositive));
      default:
        if (IsFloatingPointType(type) || type == PRED) return;
        return Then(value, shape, "xor({}, {})", value.name, Another(shape, EdgeClass::kSmallIntegers));
    }
  }

  // Adds a user of the result.
  void Continue(Written& value) {
    const Shape shape = value.shape;
    const PrimitiveType type = shape.element_type();
    const bool has_plus = type == PrimitiveTypeFromName(type_);
    switch (random_.Below(7)) {
      case 0:
        return shape.rank() == 0 ? Then(value, shape, "{}{})", naming_, value.name)
                                 : Then(value, shape, "concatenate({}), dimensions={{0}}", value.name);
      case 1:
      case 2:
        return shape.rank() == 0 ? void() : Prepare(value, true);
      case 3:
        if (type == PRED) return Then(value, ShapeUtil::ChangeElementType(shape, S32), "convert({})", value.name);
        return Then(value, shape, "add({}, {})", value.name, Another(shape, EdgeClass::kNormal));
      case 4:
        if (type == PRED) return Then(value, shape, "xor({}, {})", value.name, Another(shape, EdgeClass::kAnyBits));
        return Then(value, shape, "maximum({}, {})", value.name, Another(shape, EdgeClass::kNormal));
      case 5: {
        if (shape.rank() != 1 || !has_plus || type == PRED) return;
        const Shape scalar = ShapeUtil::MakeShape(type, {});
        Written start;
        Then(start, scalar, "constant(0)");
        return Then(value, scalar, "reduce({}, {}), dimensions={{0}}, to_apply=plus", value.name, start.name);
      }
      default:
        if (!IsFloatingPointType(type)) return;
        return Then(value, shape, "tanh({})", value.name);
    }
  }

  const Miscompilation& miscompilation_;
  Random random_;
  std::string_view naming_, type_;
  std::string size_, before_, after_, text_;
  std::vector<Literal> arguments_;
  int count_ = 0;
};

std::unique_ptr<HloModule> Parsed(const std::string& text) {
  Result<std::unique_ptr<HloModule>> module = ParseHloModule(text);
  if (!module) throw std::logic_error(fmt::format("{}\n{}", module.error().message, text));
  if (const auto illegal = FindIllegal(**module); !illegal.empty()) {
    throw std::logic_error(fmt::format("{}\n{}", illegal[0].message, text));
  }
  return *std::move(module);
}

void Count(const Miscompilation& miscompilation, const Profile& profile, std::uint64_t seed,
           MiscompilationCount& count) {
  const Program program(miscompilation, seed);
  const std::string text = program.Text(miscompilation.right);
  const auto right = Parsed(text), faulty = Parsed(program.Text(miscompilation.rewritten));
  const Result<Literal> want = Evaluate(*right, program.arguments());
  const Result<Literal> got = Evaluate(*faulty, program.arguments());
  if (!want || !got) throw std::logic_error(fmt::format("{} is not evaluated", miscompilation.name));
  ++count.programs;
  if (CompareExactly(*want, *got).verdict != Verdict::kFail) return;
  ++count.changed;
  const Result<ValueSet> set = EvaluateSets(*right, program.arguments(), profile);
  if (!set) throw std::logic_error(fmt::format("{} has no set", miscompilation.name));
  const Judgement judgement = JudgeBySet(*set, *got);
  count.failed += judgement.verdict == Verdict::kFail ? 1 : 0;
  count.weak += judgement.verdict == Verdict::kWeak ? 1 : 0;
  if (judgement.verdict == Verdict::kFail || !count.first_miss.empty()) return;
  count.first_miss = fmt::format("{}: got {}, want {}: {} (seed {})\n{}", judgement.worst.name, judgement.worst.got,
                                 judgement.worst.want, judgement.reason, seed, text);
}

}  // namespace

std::vector<const Miscompilation*> AllMiscompilations() {
  std::vector<const Miscompilation*> all;
  for (const auto table : {MiscompiledNumbers(), MiscompiledPlaces(), MiscompiledFolds()}) {
    for (const Miscompilation& miscompilation : table) all.push_back(&miscompilation);
  }
  return all;
}

DrawnModule DrawRightProgram(const Miscompilation& miscompilation, std::uint64_t seed, Naming naming) {
  const Program program(miscompilation, seed, naming);
  return {Parsed(program.Text(miscompilation.right)), {program.arguments()}, {}};
}

MiscompilationCount CountFound(const Miscompilation& miscompilation, const Profile& profile, std::int64_t programs,
                               std::uint64_t seed) {
  MiscompilationCount count;
  for (std::int64_t i = 0; i < programs; ++i) Count(miscompilation, profile, seed * 1'000'003 + i, count);
  return count;
}

}  // namespace assay
