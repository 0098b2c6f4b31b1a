#include "conformance/tracing/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "conformance/judging/computation_values.h"
#include "conformance/tracing/feeding_elements.h"
#include "conformance/tracing/named_ops.h"
#include "conformance/tracing/own_work.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/parts.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

constexpr std::size_t kOperandsShown = 6;
// The most terms of one result that are examined, a second's work; its further elements count as passed on.
constexpr std::int64_t kMostTerms = std::int64_t{1} << 26;

// Calls visit(place of its first element, leaf, number of the leaf) for each floating or complex array of a value.
void ForEachFloatLeaf(const Literal& value, const std::function<void(const Place&, const Literal&, std::size_t)>& visit,
                      Place place = {}) {
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    Place part = place;
    part.tuple_index.push_back(static_cast<std::int64_t>(i));
    ForEachFloatLeaf(value.elements()[i], visit, std::move(part));
  }
  const bool has_elements = value.shape().IsArray() && value.promise() == nullptr;
  if (!has_elements || !IsInexactType(value.element_type())) return;
  visit(place, value, place.tuple_index.empty() ? 0 : static_cast<std::size_t>(place.tuple_index.back()));
}

// True if an element of an array, or a part of a complex element, satisfies a test of numbers of its part's type.
using NumberTest = bool (*)(FloatEvent, PrimitiveType, double);
bool HoldsAt(NumberTest test, FloatEvent event, const Literal& array, std::int64_t offset) {
  const int parts = ComponentCount(array.element_type());
  for (int part = 0; part < parts; ++part) {
    const RealElement element = ComponentAt(array, offset * parts + part);
    if (test(event, element.type, RealValue(element))) return true;
  }
  return false;
}

// Returns the offsets of the elements that hold a number of the event, in order.
std::vector<std::int64_t> ElementsWith(FloatEvent event, const Literal& array) {
  const std::vector<double> numbers = LoadParts(array);
  const int parts = ComponentCount(array.element_type());
  const PrimitiveType type = ComplexComponentType(array.element_type());
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto offset = static_cast<std::int64_t>(i) / parts;
    if (!MayBeResultOf(event, type, numbers[i])) continue;
    if (offsets.empty() || offsets.back() != offset) offsets.push_back(offset);
  }
  return offsets;
}

bool HoldsAnywhere(FloatEvent event, const Literal& value) {
  bool holds = false;
  ForEachFloatLeaf(value, [&](const Place&, const Literal& leaf, std::size_t) {
    for (std::int64_t i = 0; !holds && i < leaf.element_count(); ++i) holds = HoldsAt(Brings, event, leaf, i);
  });
  return holds;
}

// Decides which elements of one array of a result make an event.
class MadeElements {
 public:
  // `number` is that of the array in the result.
  MadeElements(const Execution& execution, const Literal& leaf, std::size_t number)
      : execution_(execution), leaf_(leaf), number_(number) {}

  std::vector<std::int64_t> Find(const TracedEvent& event) {
    if (event.event == FloatEvent::kCancellation) return FindCancelled(event.bits);
    std::vector<std::int64_t> made = ElementsWith(event.event, leaf_);
    if (made.empty()) return made;
    const auto brings = [&](const Literal& operand) { return HoldsAnywhere(event.event, operand); };
    const bool may_be_brought = std::ranges::any_of(execution_.operands, brings);
    if (may_be_brought && !feeding().AreKnown()) return {};
    if (!may_be_brought && event.event != FloatEvent::kOverflow) return made;
    made.resize(std::min(made.size(), MostExamined()));
    std::erase_if(made, [&](std::int64_t offset) { return !IsMadeAt(offset, event.event); });
    return made;
  }

  // Found when it is first read: the terms of a scatter are lists.
  const FeedingElements& feeding() {
    if (!feeding_) feeding_.emplace(*execution_.instruction, execution_.operands, number_, leaf_.element_count());
    return *feeding_;
  }

 private:
  // The elements of a result that are examined by their terms: a product may have many of each.
  std::size_t MostExamined() {
    return static_cast<std::size_t>(kMostTerms / std::max<std::int64_t>(1, feeding().LargestCount()));
  }

  std::vector<std::int64_t> FindCancelled(int bits) {
    std::vector<std::int64_t> made;
    if (!feeding().AreSummed()) return made;
    const int parts = ComponentCount(leaf_.element_type());
    const std::int64_t end = std::min(leaf_.element_count(), static_cast<std::int64_t>(MostExamined()));
    for (std::int64_t offset = 0; offset < end; ++offset) {
      CheckLimits();
      for (int part = 0; part < parts; ++part) {
        const std::optional<FeedingElements::Sum> sum = feeding_->SumAt(offset, part);
        if (!sum || !sum->Cancels(bits)) continue;
        made.push_back(offset);
        break;
      }
    }
    return made;
  }

  bool IsMadeAt(std::int64_t offset, FloatEvent event) const {
    const bool is_overflow = event == FloatEvent::kOverflow;
    if (!feeding_->AreKnown()) return !is_overflow || HasInfinities();
    CheckLimits();
    const std::vector<OperandElement> elements = feeding_->Of(offset);
    const auto brings = [&](const OperandElement& element) {
      const Literal& operand = execution_.operands[element.operand];
      return IsInexactType(operand.element_type()) && HoldsAt(Brings, event, operand, element.offset);
    };
    return std::ranges::none_of(elements, brings) && (!is_overflow || IsTooLarge(elements));
  }

  bool HasInfinities() const { return FloatFormatOf(ComplexComponentType(leaf_.element_type())).has_infinity; }

  // True if the result of finite operands is not a pole of a function. In a type without infinities the result is a
  // NaN, which tells an overflow from an invalid operation for sums and conversions only, or the largest number.
  bool IsTooLarge(const std::vector<OperandElement>& elements) const {
    std::vector<double> numbers;
    for (const OperandElement& element : elements) {
      const Literal& operand = execution_.operands[element.operand];
      if (!IsFloatingPointType(operand.element_type())) continue;
      numbers.push_back(RealValue(ComponentAt(operand, element.offset)));
    }
    if (feeding_->AreElementwise() && IsPole(*execution_.instruction->op, numbers)) return false;
    if (HasInfinities() || feeding_->AreSummed()) return true;
    const OpAcceptance& acceptance = AcceptanceOf(*execution_.instruction);
    return acceptance.Has(Trait::kConverts) && !numbers.empty() && Overflows(leaf_.element_type(), numbers[0]);
  }

  const Execution& execution_;
  const Literal& leaf_;
  const std::size_t number_;
  std::optional<FeedingElements> feeding_;
};

// Returns "x[0,3]", or "x" for a scalar.
std::string NameOfElement(const std::string& name, const Literal& array, std::int64_t offset) {
  if (array.shape().rank() == 0) return name;
  const std::string element = ElementName({{}, offset}, array);
  return name + element.substr(element.find('['));
}

// Orders operand elements by how much they tell: numbers that are not finite, then large ones.
double Tells(const Literal& array, std::int64_t offset) {
  if (!IsInexactType(array.element_type())) return -1;
  const double number = RealValue(ComponentAt(array, offset * ComponentCount(array.element_type())));
  return std::isfinite(number) ? std::fabs(number) : INFINITY;
}

void AddOperands(const Execution& execution, const FeedingElements& feeding, EventFinding& finding) {
  if (!feeding.AreKnown()) return;
  std::vector<OperandElement> elements = feeding.Of(finding.place.offset);
  finding.operand_count = std::ssize(elements);
  if (elements.size() > kOperandsShown) {
    std::ranges::stable_sort(elements, std::greater<>(), [&](const OperandElement& element) {
      return Tells(execution.operands[element.operand], element.offset);
    });
    elements.resize(kOperandsShown);
  }
  for (const auto& [operand, offset] : elements) {
    const Literal& array = execution.operands[operand];
    finding.operands.push_back(
        {NameOfElement(execution.instruction->operand(static_cast<std::int64_t>(operand)).name, array, offset),
         DescribeElement(array, offset)});
  }
}

void AddSum(const FeedingElements& feeding, EventFinding& finding) {
  for (int part = 0; part < 2; ++part) {
    const std::optional<FeedingElements::Sum> sum = feeding.SumAt(finding.place.offset, part);
    if (!sum) return;
    finding.largest_term = sum->largest;
    finding.exact_sum = sum->sum;
    if (sum->Cancels(finding.event.bits)) return;
  }
}

class Tracer {
 public:
  Tracer(const HloModule& module, std::span<const TracedEvent> events, EventTrace& trace)
      : module_(module), events_(events), trace_(trace), work_(module, [this](Execution one) { Take(one); }) {}

  Status Run(const DeviceValues& arguments, const EvaluationLimits& limits) {
    Begin(arguments);
    EvaluationOptions evaluation;
    evaluation.limits = limits;
    evaluation.on_execution = [this](const ExecutedInstruction& executed) { work_.Observe(executed); };
    ASSAY_TRY(const Literal output, EvaluateTogether(module_, arguments, evaluation));
    work_.End();
    ForEachFloatLeaf(output, [&](const Place&, const Literal& leaf, std::size_t) {
      trace_.result_elements += leaf.element_count();
      for (std::size_t i = 0; i < events_.size(); ++i) {
        trace_.in_results[i] += std::ssize(ElementsWith(events_[i].event, leaf));
      }
    });
    trace_.executed = work_.executed();
    ++run_;
    return {};
  }

 private:
  void Begin(const DeviceValues& arguments) {
    run_begin_ = work_.executed();
    for (std::size_t device = 0; device < arguments.size(); ++device) {
      const auto number = static_cast<std::int64_t>(device);
      const DeviceId id = {number / module_.num_partitions, number % module_.num_partitions};
      for (const HloInstruction* parameter : module_.entry->Parameters()) {
        AddSource(*parameter, arguments[number][parameter->parameter_number], id);
      }
    }
    // A constant may be the result itself.
    for (const HloInstruction* instruction : LiveInstructions(*module_.entry)) AddConstant(*instruction, {});
  }

  void Take(const Execution& execution) {
    for (const HloInstruction* operand : execution.instruction->operands) AddConstant(*operand, execution.device);
    if (execution.comes_from_outside) return AddSource(*execution.instruction, execution.result, execution.device);
    ForEachFloatLeaf(execution.result, [&](const Place& place, const Literal& leaf, std::size_t number) {
      MadeElements elements(execution, leaf, number);
      for (const TracedEvent& event : events_) {
        const std::vector<std::int64_t> made = elements.Find(event);
        if (!made.empty()) AddFinding(execution, event, place, leaf, elements.feeding(), made);
      }
    });
  }

  void AddFinding(const Execution& execution, TracedEvent event, Place place, const Literal& leaf,
                  const FeedingElements& feeding, const std::vector<std::int64_t>& made) {
    const auto [known, is_new] =
        found_.insert({{execution.instruction, event.event}, {trace_.findings.size(), execution.index}});
    if (!is_new) {
      auto& [finding, last] = known->second;
      // Several arrays of one result count once.
      if (last != execution.index) ++trace_.findings[finding].executions;
      last = execution.index;
      return;
    }
    place.offset = made.front();
    EventFinding& finding = trace_.findings.emplace_back();
    finding.event = event;
    finding.instruction = execution.instruction;
    finding.run = run_;
    finding.index = execution.index - run_begin_;
    finding.device = execution.device;
    finding.calls = execution.calls;
    finding.place = place;
    finding.element = ElementName(place, leaf);
    finding.value = DescribeElement(leaf, place.offset);
    finding.elements = std::ssize(made);
    finding.of = leaf.element_count();
    finding.executions = 1;
    AddOperands(execution, feeding, finding);
    if (event.event == FloatEvent::kCancellation) AddSum(feeding, finding);
  }

  // Adds an instruction if it is a constant that was not seen before.
  void AddConstant(const HloInstruction& instruction, DeviceId device) {
    if (instruction.op->role != OpRole::kConstant || !constants_.insert(&instruction).second) return;
    AddSource(instruction, *instruction.literal, device);
  }

  void AddSource(const HloInstruction& instruction, const Literal& value, DeviceId device) {
    for (const TracedEvent& event : events_) {
      // A finite number that overflows or cancels does so in an instruction.
      if (event.event == FloatEvent::kOverflow || event.event == FloatEvent::kCancellation) continue;
      ForEachFloatLeaf(value, [&](const Place& place, const Literal& leaf, std::size_t) {
        const std::vector<std::int64_t> held = ElementsWith(event.event, leaf);
        if (held.empty() || !sources_.insert({&instruction, event.event}).second) return;
        Place first = place;
        first.offset = held.front();
        trace_.sources.push_back({event, &instruction, run_, device, ElementName(first, leaf),
                                  DescribeElement(leaf, first.offset), std::ssize(held)});
      });
    }
  }

  using InstructionEvent = std::pair<const HloInstruction*, FloatEvent>;

  const HloModule& module_;
  const std::span<const TracedEvent> events_;
  EventTrace& trace_;
  OwnWork work_;
  std::int64_t run_ = 0;
  std::int64_t run_begin_ = 0;
  // The number of the finding, and the index of the last execution that makes the event.
  std::map<InstructionEvent, std::pair<std::size_t, std::int64_t>> found_;
  std::set<InstructionEvent> sources_;
  std::set<const HloInstruction*> constants_;
};

}  // namespace

std::optional<SourcePlace> PlaceOf(const EventFinding& finding) {
  std::optional<SourcePlace> place = SourcePlaceOf(*finding.instruction);
  for (std::size_t i = finding.calls.size(); i > 0 && !place; --i) place = SourcePlaceOf(*finding.calls[i - 1].caller);
  return place;
}

Result<EventTrace> TraceModule(const HloModule& module, std::span<const DeviceValues> runs,
                               std::span<const TracedEvent> events, const EvaluationLimits& limits) {
  EventTrace trace;
  trace.in_results.resize(events.size());
  Tracer tracer(module, events, trace);
  for (const DeviceValues& arguments : runs) ASSAY_CHECK_OK(tracer.Run(arguments, limits));
  // A collective is judged once all devices have executed it, after instructions that follow it on some of them.
  std::ranges::stable_sort(trace.findings, {}, [](const EventFinding& one) { return std::pair(one.run, one.index); });
  return trace;
}

}  // namespace assay
