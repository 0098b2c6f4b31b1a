#include "interpreter/acceptance/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/custom_call_target.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

bool HasRealLeaf(const Shape& shape) {
  if (shape.IsTuple()) return std::ranges::any_of(shape.tuple_shapes(), HasRealLeaf);
  return IsFloatingPointType(shape.element_type()) || IsComplexType(shape.element_type());
}

bool IsParameter(const HloInstruction* instruction) { return instruction->op->role == OpRole::kParameter; }

// How folds by a computation are judged. One op of the two parameters names its own rule; its bound comes from running
// the instruction on magnitudes, which any other instruction in the computation would spoil.
Acceptance FoldOf(const HloComputation& computation, const Profile& profile) {
  const HloInstruction& root = *computation.root;
  const bool is_single = computation.instructions.size() == 3 && root.operands.size() == 2 &&
                         std::ranges::all_of(root.operands, IsParameter) && root.operands[0] != root.operands[1];
  if (is_single && HasRealLeaf(root.shape)) return root.op->folded;
  for (const auto& instruction : computation.instructions) {
    const auto rounds = [&](const HloComputation* called) { return FoldOf(*called, profile) != Acceptance::kExact; };
    const bool may_round = instruction->op->folded != Acceptance::kExact ||
                           RuleOf(*instruction, profile).acceptance == Acceptance::kUlp ||
                           std::ranges::any_of(instruction->CalledComputations(), rounds);
    if (may_round && HasRealLeaf(instruction->shape)) return Acceptance::kCalled;
  }
  return Acceptance::kExact;
}

// The type whose allowance counts: abs takes a complex operand to a real result.
PrimitiveType TypeOf(const HloInstruction& instruction) {
  if (!instruction.operands.empty() && IsComplexType(instruction.operand(0).shape.element_type())) {
    return instruction.operand(0).shape.element_type();
  }
  const Shape& shape = instruction.shape;
  return shape.IsTuple() && !shape.tuple_shapes().empty() ? shape.tuple_shapes()[0].element_type()
                                                          : shape.element_type();
}

// The number after `key`, as the parser wrote it.
double NumberAfter(std::string_view text, std::string_view key) {
  return std::strtod(text.data() + text.find(key) + key.size(), nullptr);
}

// {tolerance={atol=0,rtol=0,ulps=2}} or {mode=highest}.
void TakeResultAccuracy(const HloInstruction& instruction, const Profile& profile, Rule& rule) {
  const auto accuracy = instruction.annotations.find("result_accuracy");
  if (accuracy == instruction.annotations.end() || accuracy->second.empty()) return;
  const std::string& text = accuracy->second;
  if (text.starts_with("{mode")) {
    rule.highest = profile.highest();
  } else {
    rule.tolerance = {NumberAfter(text, "atol="), NumberAfter(text, "rtol="), NumberAfter(text, "ulps=")};
  }
}

Acceptance AcceptanceOfTarget(const HloInstruction& custom_call) {
  const Result<const CustomCallTarget*> target = FindCustomCallTarget(custom_call);
  return target ? (*target)->acceptance : Acceptance::kUnspecified;
}

Literal MapReals(const Literal& value, double (*map)(double)) {
  const PrimitiveType type = value.element_type();
  if (!IsFloatingPointType(type) && !IsComplexType(type)) return value;
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(value.shape(), F64));
  const int components = ComponentsOf(type);
  auto out = result.mutable_values<double>();
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    double sum = 0;
    for (int c = 0; c < components; ++c) sum += map(RealValue(ComponentAt(value, i * components + c)));
    out[i] = sum;
  }
  return result;
}

std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::span<const Literal> operands,
                                     double (*map)(double)) {
  const HloInstruction* piece[] = {&instruction};
  const auto module = ExtractInstructions(
      piece, [](PrimitiveType type) { return IsFloatingPointType(type) || IsComplexType(type) ? F64 : type; });
  std::vector<Literal> arguments;
  for (const Literal& operand : operands) arguments.push_back(MapReals(operand, map));
  Result<Literal> result = EvaluateTogether(*module, std::move(arguments));
  if (!result) return std::nullopt;
  return *std::move(result);
}

}  // namespace

Rule RuleOf(const HloInstruction& instruction, const Profile& profile) {
  const Op& op = *instruction.op;
  const PrimitiveType type = TypeOf(instruction);
  Rule rule;
  rule.acceptance = IsComplexType(type) ? op.RuleForComplex() : op.acceptance;
  if (rule.acceptance == Acceptance::kCalled) {
    rule.acceptance = Acceptance::kExact;
    for (const HloComputation* called : instruction.CalledComputations()) {
      if (const Acceptance fold = FoldOf(*called, profile); fold != Acceptance::kExact) rule.acceptance = fold;
    }
    if (!HasRealLeaf(instruction.shape)) rule.acceptance = Acceptance::kExact;
  }
  if (rule.acceptance == Acceptance::kTarget) rule.acceptance = AcceptanceOfTarget(instruction);
  if (rule.acceptance == Acceptance::kUlp) {
    rule.allowance = profile.AllowanceOf(op.name, type);
    TakeResultAccuracy(instruction, profile, rule);
    if (rule.allowance.ulp == 0 && !rule.tolerance) rule.acceptance = Acceptance::kExact;
  }
  const bool takes_an_order = rule.acceptance == Acceptance::kSum || rule.acceptance == Acceptance::kTransform ||
                              rule.acceptance == Acceptance::kProperties || rule.acceptance == Acceptance::kDerived;
  if (takes_an_order && !profile.Allows(Freedom::kReassociation)) rule.acceptance = Acceptance::kExact;
  return rule;
}

double RealValue(RealElement element) { return ToDouble(FloatFormatOf(element.type), element.bits); }

double UnitRoundoff(PrimitiveType type) { return std::ldexp(1.0, -FloatFormatOf(type).precision()); }

double SmallestSubnormal(PrimitiveType type) {
  const FloatFormat& format = FloatFormatOf(type);
  return std::ldexp(1.0, format.min_exponent() - format.mantissa_bits);
}

double LargestFinite(PrimitiveType type) {
  const FloatFormat& format = FloatFormatOf(type);
  return ToDouble(format, format.max_finite_bits());
}

SumBound SumBounds::At(std::span<const std::int64_t> tuple_index, std::int64_t offset, PrimitiveType type) const {
  const Literal* magnitudes = &magnitudes_;
  const Literal* counts = &counts_;
  for (std::int64_t i : tuple_index) {
    magnitudes = &magnitudes->elements()[i];
    counts = &counts->elements()[i];
  }
  const double magnitude = magnitudes->values<double>()[offset];
  const double n = counts->values<double>()[offset];
  return {magnitude, (n + 2) * UnitRoundoff(type) * magnitude + (n + 1) * SmallestSubnormal(type)};
}

std::optional<SumBounds> SumBoundsOf(const HloInstruction& instruction, std::span<const Literal> operands) {
  auto magnitudes = EvaluateInF64(instruction, operands, [](double x) { return std::fabs(x); });
  auto counts = EvaluateInF64(instruction, operands, [](double) { return 1.0; });
  if (!magnitudes || !counts) return std::nullopt;
  return SumBounds(*std::move(magnitudes), *std::move(counts));
}

namespace {

// The rows of operands along the sorted dimension, each as the bytes of all operands' elements, in a canonical order.
std::vector<std::vector<std::string>> RowsOf(std::span<const Literal> values, std::int64_t dimension) {
  const Dimensions& dimensions = values[0].shape().dimensions();
  const std::int64_t length = dimensions[dimension];
  const std::int64_t inner = Product(std::span(dimensions).subspan(dimension + 1));
  const std::int64_t outer = Product(std::span(dimensions).first(dimension));
  std::vector<std::vector<std::string>> slices(outer * inner);
  for (std::int64_t slice = 0; slice < outer * inner; ++slice) {
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t offset = (slice / inner * length + i) * inner + slice % inner;
      std::string row;
      for (const Literal& value : values) {
        const int bytes = StorageBytes(value.element_type());
        row.append(reinterpret_cast<const char*>(value.data()) + offset * bytes, bytes);
      }
      slices[slice].push_back(std::move(row));
    }
    std::ranges::sort(slices[slice]);
  }
  return slices;
}

}  // namespace

Judgement JudgeOrder(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& got) {
  Judgement judgement;
  judgement.verdict = Verdict::kFail;
  const std::vector<Literal> results = got.shape().IsTuple() ? got.elements() : std::vector<Literal>{got};
  const std::int64_t dimension = instruction.Int64s("dimensions")[0];
  if (RowsOf(operands, dimension) != RowsOf(results, dimension)) {
    judgement.reason = "the result is no permutation of the operands";
    return judgement;
  }
  if (instruction.Bool("is_stable")) {
    judgement.reason = "a stable order has one result";
    return judgement;
  }
  // A legal order is one that a stable sort leaves as it is.
  const HloInstruction* piece[] = {&instruction};
  const Result<Literal> again = Evaluate(*ExtractInstructions(piece), results);
  if (!again || !again->BitwiseEqual(got)) {
    judgement.reason = "neighbours are in the wrong order";
    return judgement;
  }
  judgement.verdict = Verdict::kLegal;
  judgement.reason = "tie";
  return judgement;
}

Judgement JudgeProperties(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                          const Literal& got) {
  const auto properties = instruction.op->acceptance == Acceptance::kTarget
                              ? (*FindCustomCallTarget(instruction))->properties
                              : instruction.op->properties;
  const PropertyReport report = properties(instruction, operands, want, got);
  Judgement judgement;
  const bool is_open = !report.open.empty();
  judgement.verdict = is_open ? Verdict::kSpecGap : Verdict::kLegal;
  judgement.reason = is_open ? report.open : "approximation";
  for (const Property& property : report.properties) {
    const double share = std::isnan(property.share) ? INFINITY : property.share;
    if (share <= judgement.worst.share) continue;
    judgement.worst.share = share;
    if (share <= 1) continue;
    judgement.verdict = Verdict::kFail;
    judgement.reason = fmt::format("the result does not have the property {}", property.name);
  }
  return judgement;
}

}  // namespace assay
