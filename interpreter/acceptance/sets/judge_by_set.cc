// Judges a result by its set (program_sets.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/record_element.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/sets/set_width.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// An interval that contains zero proves nothing if half its width exceeds this share of the array's largest number.
constexpr double kWide = 0x1p-8;

constexpr std::string_view kOpenReading =
    "the specification leaves the value open: an order of updates, a window in part, padding that meets infinity, a "
    "division of integers, or rng_default";

std::string NamesOf(std::uint32_t freedoms) {
  std::vector<std::string> names;
  for (const Freedom freedom : AllFreedoms()) {
    if ((freedoms & BitOf(freedom)) == 0) continue;
    std::string name(RecordOf(freedom).name);
    std::ranges::replace(name, '_', ' ');
    names.push_back(std::move(name));
  }
  if ((freedoms & kApproximationBit) != 0) names.emplace_back("approximation");
  if ((freedoms & kUndecidedBit) != 0) names.emplace_back("an undecided choice");
  return JoinText(names, ", ");
}

// Returns the set as the host sees it: every array is dense, with its run-time sizes.
ValueSet OnHost(const ValueSet& set) {
  ValueSet result = set;
  const auto dense = [&](Literal part) {
    for (std::int64_t d = 0; d < part.shape().rank(); ++d) part.set_dynamic_size(d, set.value.dynamic_size(d));
    return ToHost(std::move(part));
  };
  if (set.open) {
    result.open = std::make_shared<const OpenElements>(
        OpenElements{dense(set.open->low), dense(set.open->high), dense(set.open->state)});
  }
  result.value = ToHost(set.value);
  return result;
}

bool HasFreedom(const ValueSet& set, std::uint32_t freedoms) {
  return (set.freedoms & freedoms) != 0 ||
         std::ranges::any_of(set.elements, [=](const ValueSet& element) { return HasFreedom(element, freedoms); });
}

class SetJudge {
 public:
  explicit SetJudge(const ElementObserver& observer) : observer_(observer) {}

  void JudgeElements(const ValueSet& tuple, const Literal& got, const Place& place) {
    for (std::size_t i = 0; i < tuple.elements.size(); ++i) {
      Place part = place;
      part.tuple_index.push_back(static_cast<std::int64_t>(i));
      Judge(tuple.elements[i], got.elements()[i], std::move(part));
    }
  }

  void Judge(const ValueSet& set, const Literal& got, Place place) {
    if (!set.is_tuple && set.value.has_dynamic_sizes()) return Judge(OnHost(set), got, std::move(place));
    if (set.is_tuple) return JudgeElements(set, got, place);
    const Literal& want = set.value;
    if (HasOtherSizes(want.shape(), got.shape(), judgement_)) return;
    if (want.BitwiseEqual(got)) {
      judgement_.elements += want.element_count();
      return;
    }
    const ElementReader reader(set);
    const Reasons reasons(set);
    const double scale = ScaleOf(set);
    // Each interval that excludes a value has its own message. All of them share one tally.
    Finding finding;
    RecordLeaf(want, got, place, judgement_, /*are_failures_one=*/true, [&](const Place& at) {
      finding = JudgeElement(set, reasons, reader, got, at.offset, scale);
      const std::string_view reason = finding.fault.empty() ? finding.reason : finding.fault;
      if (observer_) observer_(at, finding.verdict, reason);
      return ElementVerdict{finding.verdict, reason, finding.share};
    });
  }

  Judgement Take() { return std::move(judgement_); }

  // The reasons that all elements of a set share.
  struct Reasons {
    explicit Reasons(const ValueSet& set)
        : freedoms(NamesOf(set.freedoms)),
          width(Because(set, "the set is too wide to prove anything")),
          rounding(Because(set, "rounding decides it")) {}

    const std::string freedoms, width, rounding;
  };

  struct Finding {
    Verdict verdict = Verdict::kExact;
    std::string_view reason;
    double share = 0;
    std::string fault = {};  // replaces the reason
  };

  static Finding JudgeElement(const ValueSet& set, const Reasons& reasons, const ElementReader& reader,
                              const Literal& got, std::int64_t offset, double scale) {
    if (!reader.IsOpen(offset)) return {Verdict::kFail, "nothing may round on the way: one value is right"};
    if (set.open->allows && !set.open->allows(got, offset)) return {Verdict::kFail, "it is none of the open values"};
    const int components = ComponentCount(got.element_type());
    Finding worst = {Verdict::kLegal, reasons.freedoms};
    for (int c = 0; c < components; ++c) {
      const std::int64_t i = offset * components + c;
      const Reals lawful = reader.At(i), ends = WithoutZero(lawful);
      const double x = NumberAt(got, i);
      if (!lawful.Contains(x)) {
        if (lawful.IsEmpty()) return {Verdict::kFail, "every lawful evaluation gives NaN"};
        return {Verdict::kFail, "", 0,
                fmt::format("every lawful evaluation {}lies in [{:.9g}, {:.9g}]", lawful.gap > 0 ? "is zero or " : "",
                            ends.low, ends.high)};
      }
      const bool is_unbounded = std::isinf(lawful.low) && std::isinf(lawful.high);
      // The result of a choice among several numbers may be far from the others.
      const bool is_chosen = (set.freedoms & kUndecidedBit) != 0;
      const bool is_wide = (is_chosen || ends.ContainsZero()) && (ends.high - ends.low) / 2 > kWide * scale;
      const bool says_nothing = IsInexactType(got.element_type()) ? is_unbounded || is_wide : false;
      if (says_nothing) {
        worst = {Verdict::kWeak, reasons.width};
      } else if (worst.verdict == Verdict::kLegal && lawful.high > lawful.low) {
        const double want = NumberAt(set.value, i);
        const double reach = x > want ? lawful.high - want : want - lawful.low;
        worst.share = std::max(worst.share, reach > 0 ? std::fabs(x - want) / reach : 0);
      }
    }
    if ((set.freedoms & kSpecGapBit) != 0) return {Verdict::kSpecGap, kOpenFold, worst.share};
    if ((set.freedoms & kReadingBit) != 0) return {Verdict::kSpecGap, kOpenReading, worst.share};
    if (!IsInexactType(got.element_type()) && worst.verdict == Verdict::kLegal) {
      const Reals any = AnyOf(got.element_type()), lawful = reader.At(offset);
      const bool is_chosen = (set.freedoms & kUndecidedBit) != 0 && lawful.high - lawful.low > 1;
      if (is_chosen || (lawful.low <= any.low && lawful.high >= any.high)) {
        worst = {Verdict::kWeak, reasons.rounding};
      }
    }
    return worst;
  }

  static std::string Because(const ValueSet& set, std::string_view what) {
    if (set.widest == nullptr) return std::string(what);
    return fmt::format("{}: {} (line {}) widened it", what, set.widest->name, set.widest->location.line);
  }

 private:
  const ElementObserver& observer_;
  Judgement judgement_;
};

// Adds a tally. All failures share one tally, as in RecordElement.
void AddTally(const Tally& tally, std::vector<Tally>& tallies) {
  const auto known = std::ranges::find_if(tallies, [&](const Tally& other) {
    return other.verdict == tally.verdict && (other.reason == tally.reason || tally.verdict == Verdict::kFail);
  });
  if (known == tallies.end()) {
    tallies.push_back(tally);
  } else {
    known->elements += tally.elements;
  }
}

}  // namespace

Judgement JudgeBySet(const ValueSet& set, const Literal& got, const ElementObserver& observer) {
  SetJudge judge(observer);
  judge.Judge(set, got, {});
  return judge.Take();
}

Judgement JudgementOfTuple(std::span<const Judgement> elements) {
  Judgement all;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Judgement& own = elements[i];
    all.elements += own.elements;
    all.not_exact += own.not_exact;
    for (const Tally& tally : own.tallies) AddTally(tally, all.tallies);
    const auto rank = [](const Judgement& judged) {
      return std::tuple(judged.verdict, judged.worst.share, judged.worst.steps);
    };
    if (own.verdict == Verdict::kExact || rank(own) <= rank(all)) continue;
    all.verdict = own.verdict;
    all.reason = own.reason;
    all.worst = own.worst;
    if (own.not_exact == 0) continue;  // the sizes differ, so no element is the worst
    all.worst.tuple_index.insert(all.worst.tuple_index.begin(), static_cast<std::int64_t>(i));
    constexpr std::string_view kElement = "element ";
    all.worst.name.insert(kElement.size(), fmt::format("({})", i));
  }
  return all;
}

struct ElementJudge::Facts {
  explicit Facts(const ValueSet& set) : leaf(set), reasons(set), reader(set), scale(ScaleOf(set)) {}

  const ValueSet& leaf;
  const SetJudge::Reasons reasons;
  const ElementReader reader;
  const double scale;
};

ElementJudge::ElementJudge(const ValueSet& leaf) : facts_(std::make_unique<const Facts>(leaf)) {}

ElementJudge::~ElementJudge() = default;

ElementVerdict ElementJudge::Judge(const Literal& got, std::int64_t offset) const {
  const SetJudge::Finding finding =
      SetJudge::JudgeElement(facts_->leaf, facts_->reasons, facts_->reader, got, offset, facts_->scale);
  return {finding.verdict,
          finding.fault.empty() ? finding.reason : "no lawful evaluation of the steps gives this value", finding.share};
}

bool IsExplainedBy(std::uint32_t freedom, const ValueSet& leaf, const Literal& got, std::int64_t offset) {
  return (leaf.freedoms & freedom) != 0 &&
         SetJudge::JudgeElement(leaf, SetJudge::Reasons(leaf), ElementReader(leaf), got, offset, 0).verdict ==
             Verdict::kSpecGap;
}

bool TakesTwoInstructions(const ValueSet& set) {
  return HasFreedom(set, kSeveralBit | BitsWith(&FreedomWidening::takes_several_instructions));
}

bool MayDifferAgain(const ValueSet& set) { return HasFreedom(set, BitsWith(&FreedomWidening::differs_between_uses)); }

}  // namespace assay
