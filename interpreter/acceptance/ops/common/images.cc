#include "interpreter/acceptance/ops/common/images.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

bool IsOpen(const ValueSet& set) { return set.open != nullptr || set.as_term != nullptr; }

// Returns the interval between the least and the largest element of the data, for every element of the result.
ElementSet HullOfAll(std::span<const ValueSet> operands, const Literal& value, bool (*is_data)(std::size_t)) {
  const int components = ComponentCount(value.element_type());
  Reals hull[2] = {Reals::Nan(), Reals::Nan()};
  for (Reals& part : hull) part.may_be_nan = false;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!is_data(k)) continue;
    const ElementReader reader(operands[k]);
    const std::int64_t count = operands[k].value.element_count() * components;
    for (std::int64_t i = 0; i < count; ++i) hull[i % components] = Hull(hull[i % components], reader.At(i));
  }
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count() * components; ++i) writer.Set(i, hull[i % components]);
  return writer.Take();
}

bool IsAny(std::size_t) { return true; }

// Returns the states of a moved array. All elements of a set without open ones are decided.
Literal StateOf(const ValueSet& set) {
  if (set.open) return set.open->state;
  return Literal(ShapeUtil::ChangeElementType(set.value.shape(), U8));
}

PrimitiveType TypeOfEnds(PrimitiveType type) { return type == PRED ? PRED : NumberType(type); }

const double* ComponentsOf(const Literal& numbers) { return reinterpret_cast<const double*>(numbers.data()); }

// Converts numbers to elements of another type.
Literal As(PrimitiveType type, const Literal& numbers) {
  if (type != PRED) return numbers;
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(numbers.shape(), PRED));
  auto out = result.mutable_values<std::uint8_t>();
  for (std::int64_t i = 0; i < numbers.element_count(); ++i) out[i] = numbers.values<double>()[i] != 0 ? 1 : 0;
  return result;
}

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
    if (!is_data(i) && IsOpen(operands[i])) return HullOfAll(operands, value, is_data);
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
  elements.low = moved(numbers, [](const ValueSet& set) { return ElementReader(set).Lows(); });
  elements.high = moved(numbers, [](const ValueSet& set) { return ElementReader(set).Highs(); });
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

Reals Wrapped(PrimitiveType type, const Reals& x) {
  const Reals any = AnyOf(type), wide = OutwardBeyondDoubles(type, x);
  return wide.low < any.low || wide.high >= any.high + 1 ? any : wide;
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
  if (std::isnan(ends.low) || std::isnan(ends.high)) ends = {acceptance.range.low, acceptance.range.high, true};
  if (!IsInexactType(type)) return Wrapped(type, ends);
  const bool rounds = acceptance.rule != Acceptance::kExact || acceptance.folded != Acceptance::kExact;
  return rounds ? Outward(ends) : ends;
}

// Returns a function that reads component i. One element counts as all of them.
auto ReaderOf(const Literal& numbers) {
  const std::int64_t components = ComponentCount(numbers.element_type());
  return [all = ComponentsOf(numbers), components, is_single = numbers.element_count() == 1](std::int64_t i) {
    return all[is_single ? i % components : i];
  };
}

}  // namespace

ElementSet ImageOfEnds(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                       SetEvaluation& evaluation, std::span<const int> signs) {
  const PrimitiveType type = value.element_type();
  const bool is_parted = IsComplexType(type) && operands.size() == 2;  // sums and differences, part by part
  if (IsComplexType(type) && !is_parted) return Anything(value, &instruction).open;
  const PrimitiveType ends = TypeOfEnds(instruction.operand(0).shape.element_type());
  std::vector<ElementReader> readers;
  readers.reserve(operands.size());
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
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
    if (acceptance.adds_terms) all.may_be_nan |= MayMeetInfinities(readers[0].At(i), readers[1].At(i), signs[1]);
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

namespace {

// Folds the operands after replacing the inexact ones, except one that only chooses among the terms; nothing if the
// evaluation in f64 is not possible.
std::optional<Literal> FoldOf(const HloInstruction& instruction, std::span<const ValueSet> operands,
                              SetEvaluation& evaluation, const std::function<Literal(const ValueSet&)>& term) {
  std::vector<Literal> arguments;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_term = IsInexactType(operands[i].value.element_type()) &&
                         static_cast<int>(i) != AcceptanceOf(instruction).compared_operand;
    arguments.push_back(is_term ? term(operands[i]) : operands[i].value);
  }
  return evaluation.EvaluateInF64(instruction, std::move(arguments));
}

// Returns ones, with NaN in place of the elements for which `is_nan` holds.
Literal NanMarks(const ValueSet& operand, bool (*is_nan)(const ElementReader&, std::int64_t)) {
  Literal marks = NumbersOf(operand.value);
  const ElementReader reader(operand, true);
  auto out = marks.mutable_values<double>();
  for (std::int64_t i = 0; i < marks.element_count(); ++i) out[i] = is_nan(reader, i) ? NAN : 1;
  return marks;
}

// True if an open operand decides which elements are folded.
bool IsPlacedOpenly(const HloInstruction& instruction, std::span<const ValueSet> operands) {
  const int compared = AcceptanceOf(instruction).compared_operand;
  if (compared >= 0 && IsOpen(operands[compared])) return true;
  return std::ranges::any_of(operands, [](const ValueSet& operand) {
    return !IsInexactType(operand.value.element_type()) && IsOpen(operand);
  });
}

}  // namespace

bool Overwrites(const HloInstruction& fold) {
  if (!AcceptanceOf(fold).folds || fold.CalledComputations().size() != 1) return false;
  const HloInstruction& root = *fold.CalledComputations()[0]->root;
  return root.op->role == OpRole::kParameter && root.parameter_number == 1 && fold.shape.IsArray();
}

ElementSet FoldImage(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                     SetEvaluation& evaluation) {
  if (!value.shape().IsArray()) return nullptr;
  const Op* op = evaluation.FoldedOp(instruction);
  const bool is_real = IsFloatingPointType(value.element_type());
  if (op == nullptr || !AcceptanceOf(*op).is_increasing || !is_real) return Anything(value, &instruction).open;
  if (IsPlacedOpenly(instruction, operands)) return Anything(value, &instruction).open;
  const auto fold = [&](const std::function<Literal(const ValueSet&)>& term) {
    return FoldOf(instruction, operands, evaluation, term);
  };
  const auto lows = fold([](const ValueSet& operand) { return ElementReader(operand, true).Lows(); });
  const auto highs = fold([](const ValueSet& operand) { return ElementReader(operand, true).Highs(); });
  if (!lows || !highs) return Anything(value, &instruction).open;
  const auto marks = [&](bool (*is_nan)(const ElementReader&, std::int64_t)) {
    return fold([=](const ValueSet& operand) { return NanMarks(operand, is_nan); });
  };
  // The results that must be NaN, those that may be, and those that depend on open elements.
  const auto must = marks([](const ElementReader& reader, std::int64_t i) { return reader.At(i).IsEmpty(); });
  const auto may = marks([](const ElementReader& reader, std::int64_t i) { return reader.At(i).may_be_nan; });
  const auto open = marks([](const ElementReader& reader, std::int64_t i) { return reader.IsOpen(i); });
  if (!must || !may || !open) return Anything(value, &instruction).open;
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const double low = lows->values<double>()[i], high = highs->values<double>()[i];
    const bool may_be_nan = std::isnan(may->values<double>()[i]);
    if (std::isnan(must->values<double>()[i])) {
      writer.Set(i, Reals::Nan());
    } else if (std::isnan(low) || std::isnan(high)) {
      writer.Set(i, Reals());
    } else if (std::isnan(open->values<double>()[i])) {  // though its ends may round to one number
      writer.Set(i, Outward({low, high, may_be_nan}));
    }
  }
  return writer.Take();
}

ValueSet ForwardsOperand(const HloInstruction&, std::span<const ValueSet> operands, SetEvaluation&) {
  return operands[0];
}

}  // namespace assay
