#include "backends/cuda/kernels/folding.h"

#include <fmt/format.h>

#include <utility>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

constexpr TypeSet kWideFloats = TypesOf(F16) | TypesOf(BF16) | TypesOf(F32) | TypesOf(F64);

const HloInstruction& ResultOf(const HloComputation& computation, std::size_t i) {
  const HloInstruction& root = *computation.root;
  return root.op->role == OpRole::kTuple ? root.operand(static_cast<std::int64_t>(i)) : root;
}

bool IsFloatType(std::string_view compute_type) { return compute_type == "f32" || compute_type == "f64"; }

std::string Infinity(std::string_view compute_type, bool is_negative) {
  if (compute_type == "f32") return is_negative ? "float_of(0xff800000u)" : "float_of(0x7f800000u)";
  return is_negative ? "double_of(0xfff0000000000000ull)" : "double_of(0x7ff0000000000000ull)";
}

// Returns the least or the greatest integer.
std::string End(std::string_view compute_type, bool is_least) {
  if (compute_type == "s32") return is_least ? "(s32)0x80000000u" : "0x7fffffff";
  if (compute_type == "s64") return is_least ? "(s64)0x8000000000000000ull" : "0x7fffffffffffffffll";
  return is_least ? "0" : fmt::format("~({})0", compute_type);
}

// An op that is associative and commutative for these types, except for rounding.
struct FreeOp {
  std::string_view op;
  TypeSet types;
  std::string_view expression;  // of {0} and {1}
  enum { kZero, kMinusZero, kOne, kAllOnes, kLeast, kGreatest } start;
};

constexpr FreeOp kFreeOps[] = {
    {"add", kFloats, "sum({0}, {1})", FreeOp::kMinusZero},
    {"add", kIntegral, "sum({0}, {1})", FreeOp::kZero},
    {"add", kComplex, "complex_sum({0}, {1})", FreeOp::kMinusZero},
    {"add", kPred, "{0} | {1}", FreeOp::kZero},
    {"multiply", kWideFloats | kIntegral, "product({0}, {1})", FreeOp::kOne},
    {"multiply", kPred, "{0} & {1}", FreeOp::kAllOnes},
    {"maximum", kFloats, "real_maximum({0}, {1})", FreeOp::kLeast},
    {"maximum", kIntegral | kPred, "integer_maximum({0}, {1})", FreeOp::kLeast},
    {"minimum", kFloats, "real_minimum({0}, {1})", FreeOp::kGreatest},
    {"minimum", kIntegral | kPred, "integer_minimum({0}, {1})", FreeOp::kGreatest},
    {"and", kIntegral | kPred, "{0} & {1}", FreeOp::kAllOnes},
    {"or", kIntegral | kPred, "{0} | {1}", FreeOp::kZero},
    {"xor", kIntegral | kPred, "{0} ^ {1}", FreeOp::kZero},
};

const FreeOp* FreeOpOf(const HloComputation& computation, std::size_t i) {
  const HloInstruction& result = ResultOf(computation, i);
  const std::vector<const HloInstruction*> parameters = computation.Parameters();
  const HloInstruction* const accumulator = parameters[i];
  const HloInstruction* const element = parameters[parameters.size() / 2 + i];
  if (result.operands.size() != 2) return nullptr;
  const bool is_forward = result.operands[0] == accumulator && result.operands[1] == element;
  const bool is_backward = result.operands[1] == accumulator && result.operands[0] == element;
  const PrimitiveType type = result.shape.element_type();
  if (!is_forward && !is_backward) return nullptr;
  if (accumulator->shape.element_type() != type || element->shape.element_type() != type) return nullptr;
  for (const FreeOp& op : kFreeOps) {
    if (op.op == result.op->name && op.types.contains(type)) return &op;
  }
  return nullptr;
}

std::string StartOf(const FreeOp& op, std::string_view type) {
  switch (op.start) {
    case FreeOp::kZero:
      return "0";
    case FreeOp::kMinusZero:
      return type == "complex" ? "complex{-0.0, -0.0}" : "-0.0f";
    case FreeOp::kOne:
      return "1";
    case FreeOp::kAllOnes:
      return fmt::format("~({})0", type);
    case FreeOp::kLeast:
      return IsFloatType(type) ? Infinity(type, true) : End(type, true);
    case FreeOp::kGreatest:
      return IsFloatType(type) ? Infinity(type, false) : End(type, false);
  }
  return {};
}

}  // namespace

bool Folding::Takes(const HloComputation& computation) { return HasAppliedText(computation); }

Folding::Folding(const HloComputation& computation) : Folding(computation, ResultTypes(computation)) {}

std::optional<Folding> Folding::OfFreeResults(const HloComputation& computation, std::size_t count) {
  std::vector<PrimitiveType> types = ResultTypes(computation);
  if (types.size() < count || computation.Parameters().size() != 2 * count) return std::nullopt;
  types.resize(count);
  Folding folding(computation, std::move(types));
  if (!folding.IsFree()) return std::nullopt;
  return folding;
}

Folding::Folding(const HloComputation& computation, std::vector<PrimitiveType> types)
    : computation_(&computation), types_(std::move(types)) {
  for (std::size_t i = 0; i < types_.size(); ++i) is_free_ &= FreeOpOf(computation, i) != nullptr;
  for (std::size_t i = 0; i < types_.size(); ++i) {
    if (is_free_) {
      const FreeOp& op = *FreeOpOf(computation, i);
      const std::string_view type = ComputeTypeText(types_[i]);
      accumulators_.push_back({type, op.expression, StartOf(op, type)});
    } else {
      accumulators_.push_back({TypeText(types_[i]), {}, {}});
    }
  }
}

Folding::Folding(std::string_view type, std::string_view expression, std::string start)
    : accumulators_{{type, expression, std::move(start)}} {}

bool Folding::MayBeSplit() const {
  if (computation_ == nullptr) return true;
  const std::vector<const HloInstruction*> parameters = computation_->Parameters();
  for (std::size_t i = 0; i < size(); ++i) {
    if (parameters[size() + i]->shape.element_type() != types_[i]) return false;
  }
  return true;
}

std::int64_t Folding::AccumulatorBytes(std::size_t i) const {
  if (!is_free_) return StorageBytes(types_[i]);
  const std::string_view type = AccumulatorType(i);
  if (type == "wide_sum") return 24;
  if (type == "wide_complex") return 48;
  if (type == "complex" || type == "c128") return 16;
  return type.ends_with("64") ? 8 : 4;
}

std::int64_t Folding::AccumulatorBytes() const {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < size(); ++i) bytes += AccumulatorBytes(i);
  return bytes;
}

std::string Folding::OfElement(const std::string& element) const {
  return IsFree() ? fmt::format("value({})", element) : element;
}

std::string Folding::ToElement(std::size_t i, const std::string& accumulator) const {
  return IsFree() ? RoundedText(types_[i], accumulator) : accumulator;
}

std::vector<std::string> Folding::Declare(Body& body, std::string_view prefix) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < size(); ++i) {
    names.push_back(fmt::format("{}{}", prefix, i));
    body.Line(IsFree() ? fmt::format("{} {} = {};", AccumulatorType(i), names[i], Start(i))
                       : fmt::format("{} {};", AccumulatorType(i), names[i]));
  }
  return names;
}

void Folding::Combine(std::span<const std::string> accumulators, std::span<const std::string> others, Body& body,
                      ElementEmitter& emitter) const {
  if (IsFree()) {
    for (std::size_t i = 0; i < size(); ++i) {
      body.Line(fmt::format("{} = {};", accumulators[i],
                            fmt::format(fmt::runtime(accumulators_[i].expression), accumulators[i], others[i])));
    }
    return;
  }
  std::vector<std::string> arguments(accumulators.begin(), accumulators.end());
  arguments.insert(arguments.end(), others.begin(), others.end());
  const std::vector<std::string> results = Applied(*computation_, arguments, body, emitter);
  for (std::size_t i = 0; i < size(); ++i) body.Line(fmt::format("{} = {};", accumulators[i], results[i]));
}

void Folding::Fold(std::span<const std::string> accumulators, std::span<const std::string> elements, Body& body,
                   ElementEmitter& emitter) const {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < size(); ++i) others.push_back(OfElement(elements[i]));
  Combine(accumulators, others, body, emitter);
}

}  // namespace assay::cuda
