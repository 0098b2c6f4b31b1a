#include "interpreter/acceptance/sets/open_folds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/implementation_defined.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/freedom_widening.h"
#include "interpreter/acceptance/sets/other_orders.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/numerics/convert.h"

namespace assay {
namespace {

// Returns the reducer of a fold with an initial value for each folded array; null for other instructions.
const HloComputation* ReducerOf(const HloInstruction& fold, std::span<const ValueSet> operands) {
  const std::vector<HloComputation*> called = fold.CalledComputations();
  const std::size_t count = operands.size() / 2;
  const OpAcceptance& acceptance = AcceptanceOf(fold);
  // The carry of a scan counts once.
  if (!acceptance.Has(Trait::kFolds) || acceptance.Fact<FoldFacts>().has_fixed_order != nullptr) return nullptr;
  if (called.size() != 1 || operands.size() % 2 != 0) return nullptr;
  if (called[0]->Parameters().size() != operands.size()) return nullptr;
  const auto is_scalar = [](const ValueSet& set) { return !set.is_tuple && set.value.shape().IsScalar(); };
  const bool has_starts = count > 0 && std::ranges::all_of(operands.subspan(count), is_scalar) &&
                          std::ranges::none_of(operands.first(count), is_scalar);
  return has_starts ? called[0] : nullptr;
}

Literal Applied(const HloComputation& reducer, std::vector<Literal> arguments, SetEvaluation& evaluation) {
  std::vector<ValueSet> sets;
  for (Literal& argument : arguments) sets.push_back(ValueSet::Of(std::move(argument)));
  return ValueOf(evaluation.Call(reducer, std::move(sets)));
}

// The largest number of reducer calls that try numbers of initial values.
constexpr std::int64_t kMostRepetitions = 1 << 16;

// Returns the largest number of further initial values that count as lawful, which the specification does not bound:
// the number of elements, but at least 1024, because a device may start more partial results than it has elements. The
// 1024 do not apply if every reduction has at most one element.
std::int64_t MostStarts(const HloInstruction& fold, const Shape& operand) {
  constexpr std::int64_t kMostLanes = 1024;
  const Shape& result = fold.shape.IsTuple() ? fold.shape.tuple_shapes(0) : fold.shape;
  const std::int64_t elements = ShapeUtil::ElementsIn(operand);
  const bool has_partial_results = result.rank() == operand.rank() || elements > ShapeUtil::ElementsIn(result);
  return has_partial_results ? std::max(elements, kMostLanes) : elements;
}

Literal ElementAt(const Literal& array, std::int64_t offset) {
  Literal element(ShapeUtil::MakeScalarShape(array.element_type()));
  const int bytes = StorageBytes(array.element_type());
  std::memcpy(element.mutable_data(), array.data() + offset * bytes, bytes);
  return element;
}

Literal Scalar(PrimitiveType type, std::int64_t number) {
  Literal value(ShapeUtil::MakeShape(type, {}));
  Convert(S64, reinterpret_cast<const std::byte*>(&number), type, value.mutable_data(), 1);
  return value;
}

// True if the order of a fold by the reducer matters: it does not commute on a few numbers or, for integers, which do
// not round, is not associative on them. An op of integers that commutes is associative. Reducers of several arrays or
// of predicates are not tried: false. OpenOtherOrders tries those that do not round on the operands.
bool IsOrdered(const HloComputation& reducer, SetEvaluation& evaluation) {
  const auto parameters = reducer.Parameters();
  if (parameters.size() != 2) return false;
  const PrimitiveType type = parameters[0]->shape.element_type();
  const bool has_one_type = parameters[1]->shape.element_type() == type && reducer.root->shape.element_type() == type;
  if (!has_one_type || type == PRED) return false;
  const auto applied = [&](const Literal& a, const Literal& b) { return Applied(reducer, {a, b}, evaluation); };
  const bool is_one_op = FoldedOpOf(reducer) != nullptr;
  constexpr std::int64_t kTriples[][3] = {{2, 3, 7}, {1, 2, 4}, {4, 1, 2}};
  return std::ranges::any_of(kTriples, [&](const auto& numbers) {
    const Literal a = Scalar(type, numbers[0]), b = Scalar(type, numbers[1]), c = Scalar(type, numbers[2]);
    if (!applied(a, b).BitwiseEqual(applied(b, a))) return true;
    return !is_one_op && IsIntegralType(type) && !applied(applied(a, b), c).BitwiseEqual(applied(a, applied(b, c)));
  });
}

// True for an addition: no other op both adds its operands and increases with each of them.
bool Adds(const Op* op) {
  if (op == nullptr) return false;
  const OpAcceptance& acceptance = AcceptanceOf(*op);
  return acceptance.Has(Trait::kAddsTerms) && acceptance.Has(Trait::kIsIncreasing);
}

// Widens every result by up to `times` more initial values.
void AddStarts(const Literal& start, double times, ValueSet& result) {
  const ElementReader reader(result);
  ElementWriter writer(result.value);
  const PrimitiveType type = result.value.element_type();
  const Reals any = AnyOf(type);
  const double more = times * NumberAt(start, 0);
  for (std::int64_t i = 0; i < result.value.element_count(); ++i) {
    const Reals x = reader.At(i);
    Reals wider = Hull(x, {x.low + more, x.high + more, x.may_be_nan});
    if (IsInexactType(type)) {
      const double slack = UnitRoundoff(type) * (times + 2) * std::max(std::fabs(wider.low), std::fabs(wider.high));
      wider = {more < 0 ? wider.low - slack : wider.low, more > 0 ? wider.high + slack : wider.high, x.may_be_nan};
      if (!std::isfinite(slack)) wider = x.low == x.high && std::isfinite(more) ? x : Reals();
    } else if (wider.low < any.low || wider.high >= any.high + 1) {
      wider = any;
    }
    writer.Set(i, wider);
  }
  result.open = writer.Take();
}

void MarkSpecGap(ValueSet& results) {
  results.freedoms |= kSpecGapBit;
  for (ValueSet& element : results.elements) element.freedoms |= kSpecGapBit;
}

// Opens all results: some order or some number of initial values may give any value.
void OpenAll(const HloInstruction& fold, ValueSet& results) {
  const std::uint32_t freedoms = results.freedoms;
  results = Anything(ValueOf(results), &fold);
  results.freedoms = freedoms;
  MarkSpecGap(results);
}

// True if arrays that are folded together differ in their sizes at run time: no text says which elements count.
bool DifferInSizes(std::span<const ValueSet> arrays) {
  const Literal& first = arrays[0].value;
  return std::ranges::any_of(arrays, [&](const ValueSet& array) {
    if (!first.has_dynamic_sizes() && !array.value.has_dynamic_sizes()) return false;
    for (std::int64_t d = 0; d < first.shape().rank(); ++d) {
      if (array.value.dynamic_size(d) != first.dynamic_size(d)) return true;
    }
    return false;
  });
}

// Opens the elements of an array for which `is_other_at` holds to all numbers of `any_at`.
void OpenElementsWhere(const HloInstruction& instruction, const ElementTest& is_other_at,
                       const std::function<Reals(std::int64_t)>& any_at, std::uint32_t freedom, ValueSet& results) {
  const std::int64_t count = results.value.element_count();
  std::int64_t first = 0;
  while (first < count && !is_other_at(first)) ++first;
  if (first == count) return;
  const ElementReader reader(results);
  ElementWriter writer(results.value);
  const int components = ComponentCount(results.value.element_type());
  for (std::int64_t i = 0; i < count; ++i) {
    const bool is_other = i == first || (i > first && is_other_at(i));
    if (!is_other && !reader.IsOpen(i)) continue;
    const Reals any = is_other ? any_at(i) : Reals();
    for (std::int64_t c = i * components; c < (i + 1) * components; ++c) {
      writer.Set(c, is_other ? any : reader.At(c));
    }
  }
  results.open = writer.Take();
  results.widest = &instruction;
  results.freedoms |= freedom;
}

std::function<Reals(std::int64_t)> Always(const Reals& any) {
  return [=](std::int64_t) { return any; };
}

void OpenWhereOther(const HloInstruction& instruction, const Literal& other, ValueSet& results) {
  for (std::size_t i = 0; i < results.elements.size(); ++i) {
    OpenWhereOther(instruction, other.elements()[i], results.elements[i]);
    results.freedoms |= results.elements[i].freedoms & kReadingBit;
  }
  if (results.is_tuple) return;
  const auto is_other = [&](std::int64_t i) { return !SameElement(results.value, other, i); };
  OpenElementsWhere(instruction, is_other, Always(AnyOf(results.value.element_type())), kReadingBit, results);
}

// Allows only these numbers of each element that has some.
ValueTest InOneOf(std::map<std::int64_t, std::vector<double>> numbers) {
  return [numbers = std::move(numbers)](const Literal& got, std::int64_t element) {
    const auto only = numbers.find(element);
    return only == numbers.end() || std::ranges::find(only->second, NumberAt(got, element)) != only->second.end();
  };
}

void Allow(ValueTest allows, ValueSet& results) {
  OpenElements open = *results.open;
  open.allows = std::move(allows);
  results.open = std::make_shared<const OpenElements>(std::move(open));
}

// Opens the elements that differ if the operands are folded in another order, or all. For reducers that do not round.
void OpenOtherOrders(const HloInstruction& fold, const HloComputation& reducer, std::span<const ValueSet> operands,
                     const ReadOtherwise& read, SetEvaluation& evaluation, bool opens_all, ValueSet& results) {
  const std::size_t count = operands.size() / 2;
  std::vector<Literal> values;
  for (const ValueSet& operand : operands) values.push_back(ValueOf(operand));
  std::vector<Literal> others;
  AnyOtherOrder(fold, values, [&](std::vector<Literal> reordered) {
    if (!opens_all) others.push_back(read(fold.op->evaluation.evaluate, std::move(reordered)));
    return opens_all;
  });
  const NumbersInAnyOrder numbers = InAnyOrder(fold, reducer, operands, evaluation);
  for (std::size_t k = 0; k < count; ++k) {
    ValueSet& leaf = results.is_tuple ? results.elements[k] : results;
    const auto is_other = [&](std::int64_t i) {
      return opens_all || std::ranges::any_of(others, [&](const Literal& other) {
               return !SameElement(leaf.value, results.is_tuple ? other.elements()[k] : other, i);
             });
    };
    std::map<std::int64_t, std::vector<double>> only;
    const auto any_at = [&](std::int64_t i) {
      OpenNumbers open = numbers(k, i);
      if (!open.only.empty()) only.emplace(i, std::move(open.only));
      return open.reals;
    };
    OpenElementsWhere(fold, is_other, any_at, kSpecGapBit, leaf);
    if (!only.empty()) Allow(InOneOf(std::move(only)), leaf);
    results.freedoms |= leaf.freedoms & kSpecGapBit;
  }
}

void OpenImplementationDefined(const JudgedInstruction& judged, std::span<const Literal> operands, std::size_t leaf,
                               ValueSet& results) {
  for (std::size_t i = 0; i < results.elements.size(); ++i) {
    OpenImplementationDefined(judged, operands, i, results.elements[i]);
    results.freedoms |= results.elements[i].freedoms & kReadingBit;
  }
  if (results.is_tuple || !results.value.shape().IsArray()) return;
  const ElementTest is_open = ImplementationDefined(judged, operands, leaf, results.value);
  const Reals any = AnyOf(results.value.element_type());
  if (is_open) OpenElementsWhere(judged.instruction, is_open, Always(any), kReadingBit, results);
}

// Keeps only the lawful values of these elements.
void Restrict(const HloInstruction& instruction, std::span<const Literal> operands, std::size_t leaf,
              ValueSet& results) {
  for (std::size_t i = 0; i < results.elements.size(); ++i) Restrict(instruction, operands, i, results.elements[i]);
  if (results.open == nullptr) return;
  Allow(AcceptanceOf(instruction).gap.allows(instruction, operands, results.value, leaf), results);
}

}  // namespace

void OpenReadings(const JudgedInstruction& judged, std::span<const ValueSet> operands, const ReadOtherwise& read,
                  SetEvaluation& evaluation, ValueSet& results) {
  const HloInstruction& instruction = judged.instruction;
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  const std::span<const EvaluateFunction> others = OtherReadingsOf(instruction);
  std::vector<EvaluateFunction> readings(others.begin(), others.end());
  if (acceptance.gap.in_opposite_order != nullptr) readings.insert(readings.begin(), acceptance.gap.in_opposite_order);
  const auto values = [&] {
    std::vector<Literal> all;
    for (const ValueSet& operand : operands) all.push_back(ValueOf(operand));
    return all;
  };
  const bool may_be_open = acceptance.gap.implementation_defined != nullptr ||
                           acceptance.gap.breaks_assumption != nullptr || judged.arithmetic.overflows_in_any_way;
  if (may_be_open) OpenImplementationDefined(judged, values(), 0, results);
  if (acceptance.gap.in_opposite_order != nullptr && Overwrites(instruction)) {
    // The image holds the values of every order. On the operands' own values it is open where these differ.
    std::vector<ValueSet> decided;
    for (Literal& value : values()) decided.push_back(ValueSet::Of(std::move(value)));
    if (acceptance.image(instruction, decided, results.value, evaluation) != nullptr) results.freedoms |= kReadingBit;
    return;
  }
  for (const EvaluateFunction reading : readings) OpenWhereOther(instruction, read(reading, values()), results);
  if (acceptance.gap.in_opposite_order != nullptr && FoldsInSteps(judged)) {
    AnyOtherOrder(instruction, values(), [&](std::vector<Literal> reordered) {
      OpenWhereOther(instruction, read(instruction.op->evaluation.evaluate, std::move(reordered)), results);
      return false;
    });
  }
  if (acceptance.gap.allows != nullptr && std::ranges::all_of(operands, &ValueSet::IsDecided)) {
    Restrict(instruction, values(), 0, results);
  }
}

bool OrderMatters(const HloInstruction& fold) {
  return AcceptanceOf(fold).Has(Trait::kFolds) &&
         std::ranges::any_of(fold.CalledComputations(), [](const HloComputation* called) {
           const Op* op = FoldedOpOf(*called);
           return op != nullptr && AcceptanceOf(*op).Has(Trait::kOrderMatters);
         });
}

bool HasOpenOrder(const HloInstruction& fold) {
  return OrderMatters(fold) && !AcceptanceOf(fold).Fact<FoldFacts>().IsInOneOrder(fold);
}

void OpenFold(const JudgedInstruction& judged, std::span<const ValueSet> operands, const ReadOtherwise& read,
              SetEvaluation& evaluation, ValueSet& results) {
  const HloInstruction& fold = judged.instruction;
  if (HasOpenOrder(fold)) return OpenAll(fold, results);
  const HloComputation* reducer = ReducerOf(fold, operands);
  if (reducer == nullptr) return;
  const std::size_t count = operands.size() / 2;
  if (DifferInSizes(operands.first(count))) return OpenAll(fold, results);
  std::vector<Literal> starts, twice;
  for (const ValueSet& start : operands.subspan(count)) starts.push_back(start.value);
  twice = starts;
  twice.insert(twice.end(), starts.begin(), starts.end());
  const Literal once = count == 1 ? starts[0] : Literal::MakeTuple(starts);
  const bool is_idempotent = Applied(*reducer, std::move(twice), evaluation).BitwiseEqual(once);
  const bool is_ordered = IsOrdered(*reducer, evaluation);
  const bool has_order = judged.rule.acceptance == Acceptance::kExact && FoldedOpOf(*reducer) == nullptr;
  const bool selects = has_order && count == 1 && SelectsFromArray(*reducer, 0);
  if (has_order && (selects || !is_ordered)) {
    OpenOtherOrders(fold, *reducer, operands, read, evaluation, is_ordered, results);
  }
  if (is_idempotent && (selects || !is_ordered)) return;
  if (Adds(evaluation.FoldedOp(fold)) && count == 1 && !is_ordered && !IsComplexType(results.value.element_type())) {
    AddStarts(starts[0], static_cast<double>(MostStarts(fold, operands[0].value.shape())), results);
    MarkSpecGap(results);
  } else {
    OpenAll(fold, results);
  }
}

RepeatedStarts::RepeatedStarts(const HloInstruction& fold, std::span<const Literal> operands)
    : operands_(operands), steps_left_(kMostRepetitions) {
  const std::vector<HloComputation*> called = fold.CalledComputations();
  const bool is_simple = called.size() == 1 && operands.size() == 2 && operands[0].shape().IsArray();
  if (!is_simple || IsComplexType(operands[0].element_type())) return;
  const Op* op = FoldedOpOf(*called[0]);
  if (op == nullptr || (IsInexactType(operands[0].element_type()) && !Adds(op))) return;
  op_ = op;
  most_ = MostStarts(fold, operands[0].shape());
  if (IsInexactType(operands[0].element_type())) return;
  reducer_.emplace(fold, *called[0]);
  const auto applied = [&](std::int64_t x, std::int64_t y) {
    const PrimitiveType type = operands[0].element_type();
    return (*reducer_)({Scalar(type, x), Scalar(type, y)});
  };
  const std::optional<Literal> forward = applied(2, 3), backward = applied(3, 2);
  if (!forward || !backward || !forward->BitwiseEqual(*backward)) op_ = nullptr;
}

bool RepeatedStarts::Explain(const Literal& value, const Literal& got, std::int64_t offset) {
  if (op_ == nullptr) return true;
  return reducer_ ? ExplainIntegers(value, got, offset) : ExplainSum(NumberAt(value, offset), NumberAt(got, offset));
}

bool RepeatedStarts::ExplainIntegers(const Literal& value, const Literal& got, std::int64_t offset) {
  const Literal first = ElementAt(value, offset), wanted = ElementAt(got, offset);
  Literal with_more = first;
  for (std::int64_t times = 0; times < most_; ++times) {
    if (--steps_left_ < 0) return true;
    std::optional<Literal> next = (*reducer_)({with_more, operands_[1]});
    if (!next || next->BitwiseEqual(wanted)) return true;
    if (next->BitwiseEqual(with_more) || next->BitwiseEqual(first)) return false;  // all further values repeat
    with_more = *std::move(next);
  }
  return false;
}

bool RepeatedStarts::ExplainSum(double value, double got) const {
  const PrimitiveType type = operands_[0].element_type();
  const double start = NumberAt(operands_[1], 0);
  const auto most = static_cast<double>(most_);
  const double times = std::round((got - value) / start);
  if (!(times >= 1) || times > most) return false;
  double magnitude = times * std::fabs(start);
  const Literal numbers = NumbersOf(operands_[0]);
  for (const double x : numbers.values<double>()) magnitude += std::fabs(x);
  const double slack = (most + times + 2) * UnitRoundoff(type) * magnitude;
  return std::fabs(got - (value + times * start)) <= slack;
}

}  // namespace assay
