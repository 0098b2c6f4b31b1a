#include "interpreter/acceptance/ops/common/images.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "interpreter/numerics/convert.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

bool IsOpen(const ValueSet& set) { return set.open != nullptr || set.as_term != nullptr; }

// Returns the interval between the least and the largest element of the data, for each part of a number.
std::array<Reals, 2> HullOf(std::span<const ValueSet> operands, bool (*is_data)(std::size_t)) {
  std::array<Reals, 2> hull = {Reals::Nan(), Reals::Nan()};
  for (Reals& part : hull) part.may_be_nan = false;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!is_data(k)) continue;
    const ElementReader reader(operands[k]);
    const int components = ComponentCount(operands[k].value.element_type());
    const std::int64_t count = operands[k].value.element_count() * components;
    for (std::int64_t i = 0; i < count; ++i) hull[i % components] = Hull(hull[i % components], reader.At(i));
  }
  return hull;
}

// Returns that interval for every element of the result.
ElementSet HullOfAll(std::span<const ValueSet> operands, const Literal& value, bool (*is_data)(std::size_t)) {
  const int components = ComponentCount(value.element_type());
  const std::array<Reals, 2> hull = HullOf(operands, is_data);
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count() * components; ++i) writer.Set(i, hull[i % components]);
  return writer.Take();
}

// Returns the set of a gather or slice of operand 0 by operands of which one is open. Start indices are clamped, so an
// element whose place is the same at both ends of the indices has this place; any other may be any element.
ElementSet ChosenElements(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                          SetEvaluation& evaluation) {
  const InstructionWithTypes of_places(instruction, {0}, S64);
  const auto places = [&](bool upper) {
    Literal all = Literal::Uninitialized(ShapeUtil::ChangeElementType(operands[0].value.shape(), S64));
    const auto numbers = all.mutable_values<std::int64_t>();
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
    std::vector<Literal> arguments = {std::move(all)};
    for (const ValueSet& operand : operands.subspan(1)) {
      const ElementReader reader(operand);
      arguments.push_back(!IsOpen(operand)
                              ? operand.value
                              : IntegersOf(operand.value.element_type(), upper ? reader.Highs() : reader.Lows()));
    }
    return evaluation.Evaluate(of_places.instruction(), std::move(arguments));
  };
  const Literal low = places(false), high = places(true);
  const std::array<Reals, 2> any = HullOf(operands, [](std::size_t k) { return k == 0; });
  const ElementReader reader(operands[0]);
  const int components = ComponentCount(value.element_type());
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const std::int64_t place = low.values<std::int64_t>()[i];
    const bool is_chosen = place != high.values<std::int64_t>()[i];
    for (int c = 0; c < components && (is_chosen || reader.IsOpen(place)); ++c) {
      writer.Set(i * components + c, is_chosen ? any[c] : reader.At(place * components + c));
    }
  }
  return writer.Take();
}

bool IsAny(std::size_t) { return true; }

// Returns the states of a moved array. All elements of a set without open ones are decided.
Literal StateOf(const ValueSet& set) {
  if (set.open) return set.open->state;
  return Literal(ShapeUtil::ChangeElementType(set.value.shape(), U8));
}

PrimitiveType TypeOfEnds(PrimitiveType type) { return type == PRED ? PRED : NumberType(type); }

// Converts numbers to elements of another type.
Literal As(PrimitiveType type, const Literal& numbers) { return type == PRED ? IntegersOf(PRED, numbers) : numbers; }

}  // namespace

InstructionWithTypes::InstructionWithTypes(const HloInstruction& instruction,
                                           std::initializer_list<std::size_t> operands, PrimitiveType type,
                                           bool is_scalar)
    : copy_(instruction) {
  const auto retype = [&](Shape& shape) {
    if (is_scalar) shape = ShapeUtil::MakeScalarShape(type);
    shape.set_element_type(type);
  };
  parameters_.reserve(instruction.operands.size());
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    HloInstruction& parameter = parameters_.emplace_back();
    parameter.op = instruction.operands[i]->op;
    parameter.name = instruction.operands[i]->name;
    parameter.shape = instruction.operands[i]->shape;
    const bool is_retyped = operands.size() == 0 || std::ranges::find(operands, i) != operands.end();
    if (is_retyped) retype(parameter.shape);
    copy_.operands[i] = &parameter;
  }
  retype(copy_.shape);
}

ElementSet MoveElements(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                        SetEvaluation& evaluation, bool (*is_data)(std::size_t)) {
  if (!value.shape().IsArray()) return nullptr;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (is_data(i) || !IsOpen(operands[i])) continue;
    // Only an instruction of one array of data is known to return elements of it at every index.
    return operands.size() > 1 && is_data(0) && !is_data(1) ? ChosenElements(instruction, operands, value, evaluation)
                                                            : HullOfAll(operands, value, is_data);
  }
  const auto moved = [&](PrimitiveType type, const auto& part) {
    HloInstruction copy = instruction;
    std::vector<HloInstruction> parameters(operands.size());
    std::vector<Literal> values;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      parameters[i].op = instruction.operands[i]->op;
      parameters[i].shape = instruction.operands[i]->shape;
      if (is_data(i)) parameters[i].shape.set_element_type(type);
      copy.operands[i] = &parameters[i];
      values.push_back(is_data(i) ? part(operands[i]) : operands[i].value);
    }
    copy.shape.set_element_type(type);
    return evaluation.Evaluate(copy, std::move(values));
  };
  const PrimitiveType numbers = NumberType(value.element_type());
  OpenElements elements;
  elements.low = moved(numbers, [](const ValueSet& set) { return set.open ? set.open->low : NumbersOf(set.value); });
  elements.high = moved(numbers, [](const ValueSet& set) { return set.open ? set.open->high : NumbersOf(set.value); });
  elements.state = moved(U8, StateOf);
  const auto states = elements.state.values<std::uint8_t>();
  const bool is_open = std::ranges::any_of(states, [](std::uint8_t state) { return state != 0; });
  return is_open ? std::make_shared<const OpenElements>(std::move(elements)) : nullptr;
}

ElementSet MovesAll(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                    SetEvaluation& evaluation) {
  return MoveElements(instruction, operands, value, evaluation, IsAny);
}

ElementSet MapElements(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                       ElementImage image) {
  std::vector<ElementReader> readers;
  readers.reserve(operands.size());
  for (const ValueSet& operand : operands) readers.emplace_back(operand);
  const int parts = ComponentCount(value.element_type());
  const std::int64_t count = value.element_count();
  const auto is_open = [&](std::int64_t i) {
    return std::ranges::any_of(readers, [&](const ElementReader& reader) { return reader.IsOpen(i); });
  };
  ElementWriter writer(value);
  ParallelFor(count, kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Reals> arguments(operands.size());
    for (std::int64_t i = begin; i < end; ++i) {
      for (int part = 0; part < parts && is_open(i); ++part) {
        for (std::size_t k = 0; k < readers.size(); ++k) {
          const int own = ComponentCount(operands[k].value.element_type());
          arguments[k] = readers[k].At(i * own + std::min(part, own - 1));
        }
        writer.Set(i * parts + part, image(instruction, arguments));
      }
    }
  });
  return writer.Take();
}

Literal IntegersOf(PrimitiveType type, const Literal& numbers) {
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(numbers.shape(), type));
  Convert(F64, numbers.data(), type, result.mutable_data(), numbers.element_count());
  return result;
}

Reals Wrapped(PrimitiveType type, const Reals& x) {
  const Reals any = AnyOf(type), wide = OutwardBeyondDoubles(type, x);
  return wide.low < any.low || wide.high >= any.high + 1 ? any : wide;
}

namespace {

// Returns the integers that have the masked bits of those from `low` to `high`. All of these agree in their leading
// bits; the others may be any, unless the mask only drops the last ones.
Reals Masked(std::uint64_t low, std::uint64_t high, std::uint64_t mask) {
  const std::uint64_t open = std::bit_ceil((low ^ high) + 1) - 1, dropped = open & ~mask;
  const auto number = [](std::uint64_t integer) { return static_cast<double>(integer); };
  if ((dropped & (dropped + 1)) == 0) return {number(low & mask), number(high & mask), false};
  const std::uint64_t least = low & ~open & mask;
  return {number(least), number(least + (open & mask)), false};
}

// Returns the number that a shift by a known number of bits multiplies or divides by; 0 if nothing is known.
double FactorOfShift(const HloInstruction& shift, std::span<const Reals> x) {
  const bool is_known = x[1].low == x[1].high && x[1].low >= 0 && x[1].low < BitWidth(shift.shape.element_type());
  return is_known && x[0].low >= 0 && x[0].high < 0x1p53 ? std::ldexp(1.0, static_cast<int>(x[1].low)) : 0;
}

}  // namespace

std::optional<MaskedBits> MaskedBitsOf(std::span<const Reals> x) {
  const bool is_second = x[1].low == x[1].high;
  const Reals &known = x[is_second ? 1 : 0], &open = x[is_second ? 0 : 1];
  const double largest = std::max(known.high, open.high);
  if (known.low != known.high || std::min(known.low, open.low) < 0 || largest >= 0x1p53) return std::nullopt;
  const auto low = static_cast<std::uint64_t>(open.low), high = static_cast<std::uint64_t>(open.high),
             mask = static_cast<std::uint64_t>(known.low);
  return MaskedBits{known.low, Masked(low, high, mask), Masked(low, high, ~mask)};
}

Reals ExclusiveOr(const HloInstruction& instruction, std::span<const Reals> x) {
  const std::optional<MaskedBits> bits = MaskedBitsOf(x);
  if (!bits) return AnyOf(instruction.shape.element_type());
  const auto& [mask, shared, others] = *bits;
  return {mask + others.low - shared.high, mask + others.high - shared.low, false};
}

Reals TimesPowerOfTwo(const HloInstruction& shift, std::span<const Reals> x) {
  const double factor = FactorOfShift(shift, x);
  const PrimitiveType type = shift.shape.element_type();
  return factor == 0 ? AnyOf(type) : Wrapped(type, {x[0].low * factor, x[0].high * factor, false});
}

Reals ByPowerOfTwo(const HloInstruction& shift, std::span<const Reals> x) {
  const double factor = FactorOfShift(shift, x);
  if (factor == 0) return AnyOf(shift.shape.element_type());
  return {std::floor(x[0].low / factor), std::floor(x[0].high / factor), false};
}

namespace {

// True if all elements have the same bits.
bool IsUniform(const Literal& array) {
  const std::int64_t bytes = StorageBytes(array.element_type()), rest = array.byte_size() - bytes;
  return rest >= 0 && std::memcmp(array.data(), array.data() + bytes, rest) == 0;
}

// Evaluates an element-wise op and returns its value as numbers. Evaluates one element if all are the same, as are the
// ends of operands of which nothing is known.
Literal EndsOf(const HloInstruction& instruction, std::vector<Literal> operands, PrimitiveType type,
               SetEvaluation& evaluation) {
  const bool is_uniform =
      instruction.op->evaluation.kernel != nullptr && std::ranges::all_of(operands, IsUniform) && !operands.empty();
  if (is_uniform) {
    for (Literal& operand : operands) {
      Literal one(ShapeUtil::MakeScalarShape(operand.element_type()));
      std::memcpy(one.mutable_data(), operand.data(), one.byte_size());
      operand = std::move(one);
    }
  }
  const InstructionWithTypes copy(instruction, {}, type, is_uniform);
  return NumbersOf(evaluation.Evaluate(copy.instruction(), std::move(operands)));
}

// True if x + y, or x - y, may be a sum of two infinities of different signs.
bool MayMeetInfinities(const Reals& x, const Reals& y, int sign) {
  const double high = sign > 0 ? y.high : -y.low, low = sign > 0 ? y.low : -y.high;
  return (x.high == INFINITY && low == -INFINITY) || (x.low == -INFINITY && high == INFINITY);
}

// Facts about the operands of component i of an element-wise result.
struct OperandsAt {
  bool is_open = false, may_be_nan = false, must_be_nan = false;
};

OperandsAt ReadOperands(std::span<const ElementReader> readers, std::int64_t i, int components) {
  OperandsAt all;
  for (const ElementReader& reader : readers) {
    const Reals x = reader.At(i);
    all.is_open |= reader.IsOpen(i / components);
    all.may_be_nan |= x.may_be_nan;
    all.must_be_nan |= x.IsEmpty();
  }
  return all;
}

// Returns the numbers between the ends of an image. A NaN end is outside of the domain: the set includes numbers for
// which the op is undefined, or beyond the type.
Reals BetweenEnds(const OpAcceptance& acceptance, PrimitiveType type, Reals ends) {
  const auto [low, high] = acceptance.Fact<FunctionRange>();
  if (std::isnan(ends.low) || std::isnan(ends.high)) ends = {low, high, true};
  if (!IsInexactType(type)) return Wrapped(type, ends);
  const bool rounds = acceptance.rule != Acceptance::kExact || acceptance.folded != Acceptance::kExact;
  return rounds ? Outward(ends) : ends;
}

// Returns a function that reads component i. One element counts as all of them.
auto ReaderOf(const Literal& numbers) {
  const std::int64_t components = ComponentCount(numbers.element_type());
  return [all = ComponentsIn(numbers), components, is_single = numbers.element_count() == 1](std::int64_t i) {
    return all[is_single ? i % components : i];
  };
}

}  // namespace

ElementSet ImageOfEnds(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                       SetEvaluation& evaluation, std::span<const int> signs) {
  const PrimitiveType type = value.element_type();
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  // Sums, differences and changes of the sign, part by part.
  const bool is_parted =
      IsComplexType(type) && (acceptance.Has(Trait::kAddsTerms) || acceptance.Has(Trait::kKeepsTerms));
  if (IsComplexType(type) && !is_parted) return Anything(value, &instruction).open;
  const PrimitiveType ends = TypeOfEnds(instruction.operand(0).shape.element_type());
  std::vector<ElementReader> readers;
  readers.reserve(operands.size());
  const bool is_sum = signs.size() == 2 && acceptance.folded != Acceptance::kExact;
  for (const ValueSet& operand : operands) readers.emplace_back(operand, is_sum);
  const auto evaluate = [&](bool upper) {
    std::vector<Literal> arguments;
    for (std::size_t k = 0; k < readers.size(); ++k) {
      const int sign = signs[std::min(k, signs.size() - 1)];
      arguments.push_back(As(ends, (sign > 0) == upper ? readers[k].Highs() : readers[k].Lows()));
    }
    return EndsOf(instruction, std::move(arguments), ends, evaluation);
  };
  const Literal lows = evaluate(false), highs = evaluate(true);
  const int components = is_parted ? 2 : 1;
  const auto low = ReaderOf(lows), high = ReaderOf(highs);
  const auto image_at = [&](std::int64_t i, OperandsAt all) {
    if (all.must_be_nan) return Reals::Nan();
    if (acceptance.Has(Trait::kAddsTerms))
      all.may_be_nan |= MayMeetInfinities(readers[0].At(i), readers[1].At(i), signs[1]);
    return BetweenEnds(acceptance, type, {low(i), high(i), all.may_be_nan});
  };
  ElementWriter writer(value);
  ParallelFor(value.element_count(), kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin * components; i < end * components; ++i) {
      const OperandsAt all = ReadOperands(readers, i, components);
      if (all.is_open) writer.Set(i, image_at(i, all));
    }
  });
  return writer.Take();
}

ValueSet ForwardsOperand(const HloInstruction&, std::span<const ValueSet> operands, SetEvaluation&) {
  return operands[0];
}

}  // namespace assay
