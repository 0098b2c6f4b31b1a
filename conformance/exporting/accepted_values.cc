#include "conformance/exporting/accepted_values.h"

#include <algorithm>
#include <array>

#include "conformance/exporting/result_judge.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/statistics/sums/sum_samples.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// A result with more components is decided only if no component needs bisection, which bounds the time.
constexpr std::size_t kMostIntervals = 4096;

// The whole results that are drawn to compare the ranges with the judge. The first two are as biased as the ranges
// allow.
using Draw = ComponentSearch::Draw;
constexpr std::array kWholeDraws = {Draw::kLowest, Draw::kHighest, Draw::kInside, Draw::kInside,
                                    Draw::kInside, Draw::kInside,  Draw::kInside, Draw::kAnywhere};

class Search {
 public:
  Search(ResultJudge& judge, const Literal& want) : judge_(judge), want_(want) {
    const std::vector<const Literal*> arrays = ArraysIn(want);
    std::size_t first = 0;
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      const int parts = ComponentCount(arrays[a]->element_type());
      const PrimitiveType type = ComplexComponentType(arrays[a]->element_type());
      for (std::int64_t i = 0; i < arrays[a]->element_count() * parts; ++i) {
        components_.push_back({a, i, static_cast<int>(i % parts), first + static_cast<std::size_t>(i / parts),
                               ComponentSearch(type, ComponentBits(*arrays[a], i), random_)});
      }
      first += static_cast<std::size_t>(arrays[a]->element_count());
    }
  }

  // Adds the numbers of another lawful result to the landmarks: bisection would miss a lawful number between unlawful
  // ones.
  void AddLandmarks(const Literal& result) {
    const std::vector<const Literal*> arrays = ArraysIn(result);
    for (Component& component : components_) {
      component.search.AddLandmark(ComponentBits(*arrays[component.array], component.number));
    }
  }

  // Returns the reason why ranges cannot express the judge's verdicts; an empty text if they can.
  std::string Run() {
    for (int part = 0; part < 2; ++part) {
      const auto nan = [](ComponentSearch& search) { return search.Nan(); };
      Probe(part, nan, &ComponentSearch::TakeNan);
      const auto next = [](ComponentSearch& search) { return search.Next(); };
      bool has_landmarks = true;
      while (Probe(part, next, &ComponentSearch::Take)) {
        const bool had_landmarks = std::exchange(has_landmarks, HasLandmarks(part));
        if (!had_landmarks && components_.size() > kMostIntervals) return "more than 4096 numbers, some with ranges";
      }
    }
    if (judge_.needs_own_values()) return "intermediate values of the backend decide";
    for (const Draw draw : kWholeDraws) {
      if (!IsAsPredicted(draw)) return "the elements are judged together";
    }
    return "";
  }

  std::vector<std::vector<AcceptedRange>> Ranges() const {
    const std::vector<const Literal*> arrays = ArraysIn(want_);
    std::vector<std::vector<AcceptedRange>> ranges(arrays.size());
    for (const Component& component : components_) {
      const int parts = ComponentCount(arrays[component.array]->element_type());
      component.search.AppendRanges(component.number / parts, component.part, ranges[component.array]);
    }
    return ranges;
  }

 private:
  struct Component {
    std::size_t array;
    std::int64_t number;  // in the array
    int part;
    std::size_t element;  // in the result
    ComponentSearch search;
  };

  // Judges one result in which each component of the part has the number that `choose` returns. Returns false if no
  // component has such a number.
  template <class Choose>
  bool Probe(int part, const Choose& choose, void (ComponentSearch::*take)(Verdict)) {
    Literal got = want_;
    const std::vector<Literal*> arrays = MutableArraysIn(got);
    std::vector<Component*> probed;
    for (Component& component : components_) {
      if (component.part != part) continue;
      const std::optional<std::uint64_t> bits = choose(component.search);
      if (!bits) continue;
      SetComponentBits(*arrays[component.array], component.number, *bits);
      probed.push_back(&component);
    }
    if (probed.empty()) return false;
    const std::vector<Verdict> verdicts = judge_.Judge(got);
    for (Component* component : probed) (component->search.*take)(verdicts[component->element]);
    return true;
  }

  bool HasLandmarks(int part) const {
    return std::ranges::any_of(components_, [=](const Component& component) {
      return component.part == part && component.search.has_landmarks();
    });
  }

  // True if the judge's verdict on a drawn result is the worst verdict of its numbers.
  bool IsAsPredicted(Draw draw) {
    Literal got = want_;
    const std::vector<Literal*> arrays = MutableArraysIn(got);
    Verdict predicted = Verdict::kExact;
    // With kAnywhere one number is drawn anywhere, and the others inside the ranges.
    const std::size_t outlier = draw == Draw::kAnywhere ? random_() % std::max<std::size_t>(1, components_.size()) : 0;
    for (std::size_t i = 0; i < components_.size(); ++i) {
      const Component& component = components_[i];
      const Draw own = draw == Draw::kAnywhere && i != outlier ? Draw::kInside : draw;
      const std::uint64_t bits = component.search.Random(own, random_);
      SetComponentBits(*arrays[component.array], component.number, bits);
      predicted = std::max(predicted, component.search.At(bits));
    }
    return judge_.JudgeWhole(got) == predicted;
  }

  ResultJudge& judge_;
  const Literal& want_;
  std::mt19937_64 random_{0};
  std::vector<Component> components_;
};

// Adds the results on flushed operands as landmarks: with the subnormal numbers of each operand replaced by zeros, then
// with those of all operands.
void AddFlushedResults(const HloModule& module, const DeviceValues& arguments, const EvaluationLimits& limits,
                       Search& search) {
  const std::size_t count = arguments.size() == 0 ? 0 : arguments[0].size();
  for (std::size_t only = 0; only <= count; ++only) {
    DeviceValues flushed = arguments;
    bool is_changed = false;
    for (std::vector<Literal>& of_device : flushed) {
      for (std::size_t i = 0; i < count; ++i) {
        if (only < count && i != only) continue;
        Literal zeros = WithSubnormalsFlushed(of_device[i]);
        is_changed |= !zeros.BitwiseEqual(of_device[i]);
        of_device[i] = std::move(zeros);
      }
    }
    if (!is_changed) continue;
    const Result<InstructionValues> values = EvaluateRoot(module, flushed, limits);
    if (values) search.AddLandmarks(values->want);
  }
}

// Returns the reason if the rule judges a result as a whole; otherwise an empty text.
std::string ReasonOfRule(const HloInstruction& root, std::span<const Literal> operands, const Profile& profile) {
  const HloInstruction instruction = AtOnce(root);
  const JudgedInstruction judged = {instruction, operands, profile, RuleOf(instruction, profile)};
  switch (judged.rule.acceptance) {
    case Acceptance::kUnordered:
      return "any order of rows that the comparator does not distinguish";
    case Acceptance::kStatistical:
      return "a distribution of random numbers";
    case Acceptance::kProperties:
      return "the properties of a factorization or a solution";
    case Acceptance::kTarget:
      return "the rule of a custom call's target";
    case Acceptance::kSum:
      return MayBeNarrow(judged, JudgedType(instruction)) ? "partial sums of narrow types, judged together" : "";
    default:
      return "";
  }
}

}  // namespace

Result<AcceptedValues> FindAcceptedValues(const HloModule& module, const DeviceValues& arguments,
                                          const InstructionValues& reference, const Profile& profile,
                                          const EvaluationLimits& limits) {
  return WithoutThrowing([&]() -> Result<AcceptedValues> {
    AcceptedValues accepted;
    const std::vector<Literal> operands = Flat(reference.operands);
    accepted.undecided = ReasonOfRule(*module.entry->root, operands, profile);
    if (!accepted.undecided.empty()) return accepted;
    ResultJudge judge(module, arguments, reference, profile, limits);
    Search search(judge, reference.want);
    if (profile.Allows(Freedom::kFlush)) AddFlushedResults(module, arguments, limits, search);
    accepted.undecided = search.Run();
    if (accepted.undecided.empty()) accepted.arrays = search.Ranges();
    return accepted;
  });
}

}  // namespace assay
