#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "backends/mutant/break.h"
#include "backends/mutant/operators/operators.h"
#include "backends/mutant/operators/rewrite.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// An intermediate type that values pass through: a float format, or integers of `bits` bits.
struct Way {
  PrimitiveType type;     // of the values
  std::string_view name;  // of the intermediate type
  const FloatFormat* format = nullptr;
  int bits = 0;
};

const FloatFormat& Tf32() {
  static const FloatFormat format = [] {
    FloatFormat narrow = FloatFormatOf(F32);
    narrow.mantissa_bits = 10;
    return narrow;
  }();
  return format;
}

const std::vector<Way>& Ways() {
  static const std::vector<Way> ways = {
      {F64, "f32", &FloatFormatOf(F32)},
      {F32, "tf32", &Tf32()},
      {F32, "bf16", &FloatFormatOf(BF16)},
      {F32, "f16", &FloatFormatOf(F16)},
      {F16, "bf16", &FloatFormatOf(BF16)},
      {BF16, "f16", &FloatFormatOf(F16)},
      {C64, "bf16", &FloatFormatOf(BF16)},
      {C64, "f16", &FloatFormatOf(F16)},
      {C128, "f32", &FloatFormatOf(F32)},
      {S64, "s32", nullptr, 32},
      {S64, "f64", &FloatFormatOf(F64)},
      {S32, "s16", nullptr, 16},
      {S32, "f32", &FloatFormatOf(F32)},
      {S16, "s8", nullptr, 8},
      {U64, "u32", nullptr, 32},
      {U64, "f64", &FloatFormatOf(F64)},
      {U32, "u16", nullptr, 16},
      {U32, "f32", &FloatFormatOf(F32)},
      {U16, "u8", nullptr, 8},
  };
  return ways;
}

// Rounds an integer to a float format; the result saturates at the type's largest integer.
std::int64_t RoundedInteger(PrimitiveType type, std::int64_t value, const FloatFormat& format) {
  if (IsSignedIntegralType(type)) {
    const double real = ToDouble(format, RoundDouble(format, static_cast<double>(value)));
    return real >= 0x1p63 ? INT64_MAX : static_cast<std::int64_t>(real);
  }
  const double real = ToDouble(format, RoundDouble(format, static_cast<double>(static_cast<std::uint64_t>(value))));
  return static_cast<std::int64_t>(real >= 0x1p64 ? UINT64_MAX : static_cast<std::uint64_t>(real));
}

ElementMap MapOf(const Way& way) {
  return [way](PrimitiveType type, std::byte* elements, std::int64_t n) {
    if (type != ComplexComponentType(way.type)) return;
    for (std::int64_t i = 0; i < n; ++i) {
      Number number = LoadNumber(type, elements, i);
      if (way.format == nullptr) {
        number.integer = LowBits(type, number.integer, way.bits);
      } else if (IsIntegralType(type)) {
        number.integer = RoundedInteger(type, number.integer, *way.format);
      } else if (std::isnan(number.real)) {
        continue;
      } else {
        number.real = ToDouble(*way.format, RoundDouble(*way.format, number.real));
      }
      StoreNumber(type, number, elements, i);
    }
  };
}

bool AllScalars(const std::vector<const HloInstruction*>& values) {
  return std::ranges::all_of(values, [](const HloInstruction* value) { return value->shape.IsScalar(); });
}

// Passes the result of the fold's computation through `body` at each step.
bool WrapSteps(TypeSet types, InsertedBody body, HloInstruction& instruction) {
  if (instruction.CalledComputations().size() != 1) return false;  // a loop or a branch
  for (const AttributeSpec& spec : instruction.op->syntax.attributes) {
    auto* const* called = instruction.Find<HloComputation*>(spec.name);
    if (called == nullptr || !AllScalars((*called)->Parameters())) continue;
    if (!HasTypeOf((*called)->root->shape, types)) continue;
    HloComputation& copy = CopyComputation(**called, instruction, {});
    Wrap(*copy.root, body);
    instruction.Set(spec.name, &copy);
    return true;
  }
  return false;
}

void AddWays(MutantList& mutants) {
  const Op& op = mutants.op();
  static const std::vector<InsertedBody> bodies = [] {
    std::vector<InsertedBody> all;
    for (const Way& way : Ways()) all.push_back(Mapping(MapOf(way)));
    return all;
  }();
  const bool folds = AcceptanceOf(op).rule == Acceptance::kCalled;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Way& way = Ways()[i];
    if (!op.legality.types.contains(way.type)) continue;
    const InsertedBody body = bodies[i];
    const TypeSet types = TypesOf(way.type);
    const std::string detail = fmt::format("{}_{}", PrimitiveTypeName(way.type), way.name);
    const auto rule = [&](std::string_view what) {
      return fmt::format("{} {} pass through {}", what, PrimitiveTypeName(way.type), way.name);
    };
    mutants.Add("result_through", detail, rule("results of"), std::bind_front(WrapResult, types, body));
    if (op.legality.arity.max != 0 && Computes(op)) {
      mutants.Add("operands_through", detail, rule("operands of"), std::bind_front(WrapOperands, types, body));
    }
    if (folds) {
      mutants.Add("steps_through", detail, rule("the steps of a fold in"), std::bind_front(WrapSteps, types, body));
    }
  }
}

// Adds evaluations in the type of the other signedness.
void AddSigns(MutantList& mutants) {
  static constexpr std::pair<PrimitiveType, PrimitiveType> kPairs[] = {{S8, U8}, {S32, U32}, {S64, U64}};
  for (const auto& [one, other] : kPairs) {
    for (const auto& [from, to] : {std::pair{one, other}, std::pair{other, one}}) {
      if (!mutants.op().legality.types.contains(from)) continue;
      mutants.Add("other_sign", PrimitiveTypeName(from),
                  fmt::format("{} is computed as {}", PrimitiveTypeName(from), PrimitiveTypeName(to)),
                  [from = from, to = to](HloInstruction& instruction) {
                    return EvaluateInTypes(
                        instruction, [=](PrimitiveType type) { return type == from ? to : type; }, Conversion());
                  });
    }
  }
}

// Converts s64 and f64 arrays to the result's types, each number by a rule.
template <class Rule>
Literal Narrowed(const Literal& value, const Shape& shape, const Rule& rule) {
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (std::size_t i = 0; i < value.elements().size(); ++i) {
      elements.push_back(Narrowed(value.elements()[i], shape.tuple_shapes(static_cast<std::int64_t>(i)), rule));
    }
    return Literal::MakeTuple(std::move(elements));
  }
  if (!shape.IsArray() || value.element_type() == shape.element_type()) return value;
  Literal result(shape);
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    StoreNumber(shape.element_type(), rule(shape.element_type(), LoadNumber(value.element_type(), value.data(), i)),
                result.mutable_data(), i);
  }
  for (std::int64_t d = 0; d < shape.rank() && value.has_dynamic_sizes(); ++d) {
    result.set_dynamic_size(d, value.dynamic_size(d));
  }
  return result;
}

using NumberRule = Number (*)(PrimitiveType, Number);

InsertedBody NarrowingBy(NumberRule rule) {
  return Keep({.block = {}, .whole = [rule](const HloInstruction& instruction, std::span<Literal> operands) {
                 return Narrowed(operands[0], instruction.shape, rule);
               }});
}

Number Saturated(PrimitiveType type, Number number) {
  const int bits = BitWidth(type);
  const bool is_signed = IsSignedIntegralType(type);
  const std::int64_t most = (std::int64_t{1} << (bits - (is_signed ? 1 : 0))) - 1;
  return {0, std::clamp(number.integer, is_signed ? -most - 1 : 0, most)};
}

// Rounds toward zero.
Number TruncatedTo(PrimitiveType type, Number number) {
  const FloatFormat& format = FloatFormatOf(type);
  std::uint64_t bits = RoundDouble(format, number.real);
  if (!std::isfinite(number.real)) return number;
  const double rounded = ToDouble(format, bits);
  if (!std::isfinite(rounded)) return {std::copysign(ToDouble(format, format.max_finite_bits()), number.real), 0};
  if (std::abs(rounded) > std::abs(number.real) && (bits & format.magnitude_mask()) != 0) --bits;
  return {ToDouble(format, bits), 0};
}

// Rounds to nearest, with ties away from zero.
Number TieAway(PrimitiveType type, Number number) {
  const FloatFormat& format = FloatFormatOf(type);
  const std::uint64_t bits = RoundDouble(format, number.real);
  const double rounded = ToDouble(format, bits);
  if (!std::isfinite(rounded) || std::abs(rounded) >= std::abs(number.real)) return {rounded, 0};
  if ((bits & format.magnitude_mask()) >= format.max_finite_bits()) return {rounded, 0};
  const double next = ToDouble(format, bits + 1);
  return {number.real - rounded == next - number.real ? next : rounded, 0};
}

// Rounds to another format, which has more digits than the type, before the type itself.
template <PrimitiveType kBetween>
Number TwiceRounded(PrimitiveType, Number number) {
  const FloatFormat& format = FloatFormatOf(kBetween);
  return {ToDouble(format, RoundDouble(format, number.real)), 0};
}

void AddWider(MutantList& mutants, std::string_view made_by, std::string_view rule,
              std::initializer_list<TypeClass> classes, PrimitiveType wide, InsertedBody back) {
  for (const TypeClass& narrow : classes) {
    if ((mutants.op().legality.types.bits & narrow.types.bits) == 0) continue;
    mutants.Add(made_by, narrow.name, fmt::format("{}: {}", narrow.name, rule),
                [types = narrow.types, wide, back](HloInstruction& instruction) {
                  return EvaluateInTypes(
                      instruction, [=](PrimitiveType type) { return types.contains(type) ? wide : type; }, back);
                });
  }
}

void AddRoundings(MutantList& mutants) {
  static const InsertedBody saturated = NarrowingBy(Saturated), truncated = NarrowingBy(TruncatedTo),
                            tie_away = NarrowingBy(TieAway), by_f32 = NarrowingBy(TwiceRounded<F32>),
                            by_bf16 = NarrowingBy(TwiceRounded<BF16>), by_f16 = NarrowingBy(TwiceRounded<F16>);
  if (!Computes(mutants.op())) return;
  const TypeClass f32 = {"f32", TypesOf(F32)}, f16 = {"f16", TypesOf(F16)}, bf16 = {"bf16", TypesOf(BF16)},
                  f8 = {"f8", kNarrowFloats};
  AddWider(mutants, "saturated", "results saturate",
           {{"s8", TypesOf(S8)},
            {"s16", TypesOf(S16)},
            {"s32", TypesOf(S32)},
            {"u8", TypesOf(U8)},
            {"u16", TypesOf(U16)},
            {"u32", TypesOf(U32)}},
           S64, saturated);
  AddWider(mutants, "truncated", "results are rounded toward zero", {f32, f16, bf16, f8}, F64, truncated);
  AddWider(mutants, "tie_away", "ties are rounded away from zero", {f32, f16, bf16, f8}, F64, tie_away);
  AddWider(mutants, "rounded_twice_by_f32", "results are rounded to f32 first", {f16, bf16}, F64, by_f32);
  AddWider(mutants, "rounded_twice_by_f16", "results are rounded to f16 first", {bf16, f8}, F64, by_f16);
  AddWider(mutants, "rounded_twice_by_bf16", "results are rounded to bf16 first", {f8}, F64, by_bf16);
}

// Adds evaluations in a narrower type, or in the other one of 16 bits, including the called computations.
void AddNarrower(MutantList& mutants) {
  const Op& op = mutants.op();
  if (AcceptanceOf(op).rule == Acceptance::kExact || op.evaluation.kernel != nullptr) return;
  static constexpr std::pair<PrimitiveType, PrimitiveType> kPairs[] = {
      {F64, F32}, {F32, BF16}, {F32, F16}, {F16, BF16}, {BF16, F16}, {C128, C64},
      {S64, S32}, {S32, S16},  {S16, S8},  {U64, U32},  {U32, U16},  {U16, U8}};
  for (const auto& [from, to] : kPairs) {
    if (!op.legality.types.contains(from)) continue;
    mutants.Add("computed_in", fmt::format("{}_{}", PrimitiveTypeName(from), PrimitiveTypeName(to)),
                fmt::format("{} is computed in {}", PrimitiveTypeName(from), PrimitiveTypeName(to)),
                [from = from, to = to](HloInstruction& instruction) {
                  return EvaluateInTypes(
                      instruction, [=](PrimitiveType type) { return type == from ? to : type; }, Conversion());
                });
  }
}

}  // namespace

void AddPrecisionMutants(MutantList& mutants) {
  if (mutants.op().role != OpRole::kOrdinary && mutants.op().role != OpRole::kConstant) return;
  AddWays(mutants);
  if (mutants.op().role != OpRole::kOrdinary) return;
  AddSigns(mutants);
  AddRoundings(mutants);
  AddNarrower(mutants);
}

}  // namespace assay
