#include "interpreter/acceptance/statistics/samples/decisions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/disturbance.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/acceptance/statistics/samples/deciding_instructions.h"
#include "interpreter/acceptance/statistics/samples/sampled_run.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// The operands of a decision move by this many times the largest error of runs, in random directions. A lawful result
// hardly ever has twice that error, so a decision that is open changes in every fourth attempt or so.
constexpr double kTimesFarther = 8;
// The same for functions with poles, which are steep only next to them.
constexpr double kTimesFartherFromPoles = 3;
constexpr int kAttempts = 16, kSmallAttempts = 6;  // the latter move less far: next to a limit they show further values
// A real result is open if it moves so many times farther than its margin would be.
constexpr double kSteep = 4;
// In place of a margin: the number is a zero, and its sign is open.
constexpr double kSignOfZero = -1;
// The largest number of operands' elements of all decisions of a run.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 22;

double TimesFarther(const HloInstruction& instruction) {
  return IsSmoothButForPoles(instruction) ? kTimesFartherFromPoles : kTimesFarther;
}

// Returns the distances of an operand's numbers by which a decision must be safe: zeros if all runs have the same
// numbers, unless these may vary though no run shows it; infinities where one is not finite in some runs only.
std::vector<double> MarginsOf(const std::vector<double>& numbers, std::span<const std::vector<double>> others,
                              PrimitiveType type, double times, bool may_vary) {
  std::vector<double> margins(numbers.size(), 0);
  for (const std::vector<double>& other : others) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (other[i] == numbers[i] || (std::isnan(other[i]) && std::isnan(numbers[i]))) continue;
      const double error = std::fabs(other[i] - numbers[i]);
      margins[i] = std::isnan(error) ? INFINITY : std::max(margins[i], error);
    }
  }
  const bool is_shown = std::ranges::any_of(margins, [](double margin) { return margin != 0; });
  if (!is_shown && !may_vary) return margins;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool has_unit = std::isfinite(numbers[i]) && (is_shown || numbers[i] != 0);
    margins[i] = times * std::max(margins[i], has_unit ? UnitInTheLastPlace(type, numbers[i]) : 0);
  }
  return margins;
}

// Returns the instruction whose result an operand is, moved or not.
const HloInstruction& ProducerOf(const HloInstruction& operand) {
  const HloInstruction* producer = &operand;
  while (producer->operands.size() == 1 && AcceptanceOf(*producer).Has(Trait::kKeepsTerms))
    producer = producer->operands[0];
  return *producer;
}

bool IsComputed(const HloInstruction& operand) {
  const OpRole role = ProducerOf(operand).op->role;
  return role != OpRole::kConstant && role != OpRole::kParameter;
}

// True for a result that may be finite where it is infinite: one of few digits, or whose partial results overflow in
// one order and not in another.
bool MayBeFinite(const HloInstruction& operand, PrimitiveType type) {
  const HloInstruction& producer = ProducerOf(operand);
  return IsComputed(operand) &&
         (BitWidth(type) <= 16 || AddsProducts(producer) || AcceptanceOf(producer).Has(Trait::kFolds));
}

// A narrow number may be compared before it is rounded, also with itself after that.
void OpenRoundings(const std::vector<double>& numbers, PrimitiveType type, std::vector<double>& margins) {
  if (BitWidth(type) > 16) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool is_rounded = numbers[i] != 0 && std::isfinite(numbers[i]);
    if (is_rounded) margins[i] = std::max(margins[i], UnitInTheLastPlace(type, numbers[i]));
  }
}

// A zero may have either sign.
void OpenSignsOfZeros(const std::vector<double>& numbers, std::vector<double>& margins) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0 && margins[i] == 0) margins[i] = kSignOfZero;
  }
}

// A subnormal number may become a zero.
void OpenSubnormals(const std::vector<double>& numbers, PrimitiveType type, std::vector<double>& margins) {
  if (!MayBeFlushed(type)) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double size = std::fabs(numbers[i]);
    if (size > 0 && size < LeastNormal(type)) margins[i] = std::max(margins[i], size);
  }
}

}  // namespace

std::optional<Literal> Margins::Moved(std::size_t number, const DecidedBy& decided, std::uint64_t& stream, double share,
                                      Directions directions) const {
  if (number >= decisions_.size() || !decisions_[number].decided.IsSame(decided)) return std::nullopt;
  const std::vector<std::vector<double>>& margins = decisions_[number].of_operands;
  if (std::ranges::all_of(margins, &std::vector<double>::empty)) return std::nullopt;
  std::vector<Literal> numbers = MovedNumbers(decisions_[number], decided, stream, share, directions);
  if (numbers.empty()) return std::nullopt;
  std::optional<std::vector<Literal>> moved = decided.ArgumentsOn(std::move(numbers));
  if (!moved) return std::nullopt;
  const HloInstruction& instruction = *decided.instruction;
  if (directions != Directions::kRandom || !ComparesReals(instruction)) {
    return EvaluateAlone(instruction, *std::move(moved));
  }
  const std::optional<std::vector<Literal>> given = decided.ArgumentsOn(decided.operands);
  return given ? Compared(instruction, *given, *moved, stream) : std::nullopt;
}

// Returns the numbers of a decision, each moved; none if they are not those of the margins.
std::vector<Literal> Margins::MovedNumbers(const OfDecision& decision, const DecidedBy& decided, std::uint64_t& stream,
                                           double share, Directions directions) const {
  const std::vector<std::vector<double>>& margins = decision.of_operands;
  const bool may_jump_at_zero = !HasCuts(*decided.instruction) && !ComparesReals(*decided.instruction);
  std::vector<Literal> moved = decided.operands;
  const bool is_random = directions == Directions::kRandom;
  const auto is_head = [&] { return is_random && SplitMix(stream += kSplitMixStep) % 2 == 0; };
  for (std::size_t i = 0; i < margins.size() && i < moved.size(); ++i) {
    const bool is_up = (i == 0) == (directions == Directions::kFirstUp);
    if (margins[i].empty()) continue;
    std::vector<double> numbers = NumbersIn(moved[i]);
    if (numbers.size() != margins[i].size()) return {};
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double end = numbers[k] + ((is_random ? is_head() : is_up) ? share : -share) * margins[i][k];
      // After another decision the margin is not this number's: a sum of zeros has no error.
      const bool stays = numbers[k] == 0 && is_head();
      const bool is_zero = may_jump_at_zero && numbers[k] * end < 0 && is_head();
      if (margins[i][k] == kSignOfZero) {
        numbers[k] = std::copysign(0.0, end);
      } else if (!stays && std::isfinite(numbers[k] + margins[i][k])) {
        numbers[k] = is_zero ? 0 : end;
      }
    }
    StoreReals(ComplexComponentType(moved[i].element_type()), numbers.data(), moved[i].mutable_data(),
               std::ssize(numbers));
  }
  return moved;
}

bool Margins::IsOpen(std::size_t decision, std::size_t element) const {
  return std::ranges::any_of(
      open_, [=](const OpenElement& open) { return open.decision == decision && open.element == element; });
}

void Decisions::Apply(const HloInstruction& instruction, std::span<const Literal> operands, const Profile& profile,
                      Literal& result) {
  const Keep keep = repeated_ == nullptr ? keep_ : repeated_->keep_;
  if (keep_ == Keep::kOperands) numbers_of_.See(instruction, operands, result, profile);
  if (!Decides(instruction, operands) || (keep == Keep::kResults && IsSmoothButForPoles(instruction))) return;
  DecidedBy decided = numbers_of_.Of(instruction, operands);
  if (margins_ != nullptr) {
    if (auto moved = margins_->Moved(made_.size(), decided, stream_)) result = *std::move(moved);
  }
  for (const Margins::OpenElement* open : changed_) {
    if (open->decision != made_.size() || open->other->shape() != result.shape()) continue;
    CopyElement(*open->other, HasSteps(instruction), open->element, result);
  }
  if (repeated_ == nullptr || keep_ == Keep::kOperands) Record(std::move(decided), result);
  if (repeated_ == nullptr) return;
  if (next_ == repeated_->made_.size() || repeated_->made_[next_].instruction != &instruction) return;
  const Literal& made = repeated_->made_[next_++].result;
  if (!AcceptanceOf(instruction).Has(Trait::kKeepsBits)) Repeat(made, HasSteps(instruction), result);
}

void Decisions::Record(DecidedBy decided, const Literal& result) {
  Made& made = made_.emplace_back(Made{{decided.instruction, decided.functions, decided.sources, {}}, result});
  if (keep_ == Keep::kResults) return;
  for (Literal& operand : decided.operands) {
    numbers_ += operand.element_count();
    if (numbers_ <= kMostNumbers) made.operands.push_back(std::move(operand));
  }
}

Margins Decisions::MarginsTo(std::span<const Decisions> others) const {
  Margins margins;
  if (numbers_ > kMostNumbers || !std::ranges::all_of(made_, [this](const Made& made) { return CanTell(made); })) {
    margins.open_elements_.reset();
    return margins;
  }
  for (std::size_t number = 0; number < made_.size(); ++number) {
    const std::int64_t before = *margins.open_elements_;
    margins.decisions_.push_back(MarginsTo(others, number, *margins.open_elements_));
    margins.is_listed_ &= *margins.open_elements_ == before;
    // Runs do not take all bits that a number may have.
    const auto& of_operands = margins.decisions_.back().of_operands;
    if (ChangesType(*made_[number].instruction) && !std::ranges::all_of(of_operands, &std::vector<double>::empty)) {
      margins.open_elements_.reset();
      return margins;
    }
    FindOpen(others, number, margins);
  }
  return margins;
}

bool Decisions::CanTell(const Made& made) const {
  const bool gives_nan = IsSmoothButForPoles(*made.instruction) || HasSteps(*made.instruction);
  for (std::size_t i = 0; i < made.operands.size(); ++i) {
    if (!IsRealArray(made.operands[i])) continue;
    const PrimitiveType type = ComplexComponentType(made.operands[i].element_type());
    const bool may_be_finite = MayBeFinite(*made.sources[i], type);
    // In a type of few digits, a number that may be flushed moves no farther than by other errors.
    const double least = BitWidth(type) < 16 && MayBeFlushed(type) ? LeastNormal(type) : 0;
    const auto is_unknown = [=](double x) {
      return (std::isnan(x) && !gives_nan) || (may_be_finite && std::isinf(x)) || (x != 0 && std::fabs(x) < least);
    };
    if (std::ranges::any_of(NumbersIn(made.operands[i]), is_unknown)) return false;
  }
  return true;
}

bool Decisions::Changes(std::size_t number) const {
  return std::ranges::count(changed_, number, &Margins::OpenElement::decision) != 0;
}

bool Decisions::OpenOthers(const Margins& margins) const {
  if (made_.size() != margins.count()) return true;
  std::uint64_t stream = 0;
  for (std::size_t number = 0; number < made_.size(); ++number) {
    const Made& made = made_[number];
    for (int attempt = 0; attempt < kAttempts && !Changes(number); ++attempt) {
      const std::optional<Literal> moved = margins.Moved(number, made, stream);
      if (!moved) break;
      if (moved->shape() != made.result.shape()) return true;
      const std::vector<bool> open = Different(made.result, *moved, HasSteps(*made.instruction));
      for (std::size_t i = 0; i < open.size(); ++i) {
        if (open[i] && !margins.IsOpen(number, i)) return true;
      }
    }
  }
  return false;
}

// Adds the elements of a decision to `open` if its operands differ by more than errors of real numbers.
Margins::OfDecision Decisions::MarginsTo(std::span<const Decisions> others, std::size_t number,
                                         std::int64_t& open) const {
  const Made& made = made_[number];
  std::vector<std::vector<double>> margins(made.operands.size());
  for (std::size_t i = 0; i < made.operands.size(); ++i) {
    const Literal& value = made.operands[i];
    std::vector<std::vector<double>> of_others;
    for (const Decisions& other : others) {
      if (!other.HasMade(number, made)) continue;
      const std::vector<Literal>& operands = other.made_[number].operands;
      if (i >= operands.size() || operands[i].shape() != value.shape()) continue;
      if (IsRealArray(value)) {
        of_others.push_back(NumbersIn(operands[i]));
      } else if (!operands[i].BitwiseEqual(value)) {
        open += value.element_count();
      }
    }
    if (!IsRealArray(value)) continue;
    const std::vector<double> numbers = NumbersIn(value);
    const PrimitiveType type = ComplexComponentType(value.element_type());
    // The bits of a number show an error in its last place. A function of one number may err in few of the runs.
    const HloInstruction& operand = *made.sources[i];
    const bool may_vary = (ChangesType(*made.instruction) && IsComputed(operand)) ||
                          AcceptanceOf(ProducerOf(operand)).rule == Acceptance::kUlp;
    margins[i] = MarginsOf(numbers, of_others, type, TimesFarther(*made.instruction), may_vary);
    if (ComparesReals(*made.instruction) && IsComputed(operand)) OpenRoundings(numbers, type, margins[i]);
    OpenSignsOfZeros(numbers, margins[i]);
    OpenSubnormals(numbers, type, margins[i]);
    if (std::ranges::all_of(margins[i], [](double margin) { return margin == 0; })) margins[i].clear();
    if (std::ranges::any_of(margins[i], [](double margin) { return std::isinf(margin); })) {
      open += value.element_count();
    }
  }
  return {{made.instruction, made.functions, made.sources}, std::move(margins)};
}

// Returns how far a real result may move if the operands' errors only grow as those of a smooth function. The errors of
// two operands of a run may cancel, as in e / sum(e): they are moved apart as well, by one error, not by their margins.
std::vector<double> Decisions::SmoothErrors(std::span<const Decisions> others, std::size_t number,
                                            const Margins& margins) const {
  constexpr double kMost = 0.25;  // a result that one error moves farther is next to a pole
  const Made& made = made_[number];
  const std::vector<double> exact = RealsIn(made.result);
  std::vector<double> errors(exact.size(), 0);
  const auto see = [&](const Literal& result, double most) {
    const std::vector<double> reals = RealsIn(result);
    for (std::size_t i = 0; i < errors.size() && i < reals.size(); ++i) {
      const double error = std::fabs(reals[i] - exact[i]);
      if (std::isinf(most) || error <= most * std::fabs(exact[i])) errors[i] = std::max(errors[i], error);
    }
  };
  for (const Decisions& other : others)
    if (other.HasMade(number, made)) see(other.made_[number].result, INFINITY);
  const double times = TimesFarther(*made.instruction);
  const bool is_smooth = IsSmoothButForPoles(*made.instruction);
  std::uint64_t stream = number;
  for (int attempt = 0; attempt < kAttempts && is_smooth; ++attempt) {
    if (auto moved = margins.Moved(number, made, stream, 1 / times)) see(*moved, kMost);
  }
  const PrimitiveType type = is_smooth ? ComplexComponentType(made.result.element_type()) : F32;
  const double least = is_smooth ? LeastNormal(type) : 0, infinity = InfinityOf(type);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = std::min(kSteep * times * std::max({errors[i], 0x1p-20 * std::fabs(exact[i]), least}), infinity);
    if (is_smooth && IsOfZeros(made.operands, i)) errors[i] = 0;  // the runs' results jump, too
  }
  return errors;
}

// Moves the operands of a decision. Numbers that are compared move apart first: at random, those of a pair seldom do.
std::optional<Literal> Decisions::Attempt(int attempt, std::size_t number, const Margins& margins,
                                          std::uint64_t& stream) const {
  const Made& made = made_[number];
  const double share = attempt < kAttempts ? 1 : attempt % 2 == 0 ? 0.5 : 0.125;
  auto directions = Margins::Directions::kRandom;
  if (attempt < 2 && ComparesReals(*made.instruction)) {
    directions = attempt == 0 ? Margins::Directions::kFirstUp : Margins::Directions::kFirstDown;
  }
  return margins.Moved(number, made, stream, share, directions);
}

// Adds the elements of a decision that change if its operands move by their margins.
void Decisions::FindOpen(std::span<const Decisions> others, std::size_t number, Margins& margins) const {
  const Made& made = made_[number];
  const std::vector<double> exact = RealsIn(made.result), errors = SmoothErrors(others, number, margins);
  ChangedElements open;
  std::vector<Literal> results = {made.result};
  std::uint64_t stream = number;
  const bool has_steps = HasSteps(*made.instruction), has_one_result = HasOneFactorization(*made.instruction);
  for (int attempt = 0; attempt < kAttempts + kSmallAttempts; ++attempt) {
    const std::optional<Literal> moved = Attempt(attempt, number, margins, stream);
    if (!moved) break;
    if (moved->shape() != made.result.shape()) {  // the sizes at run time are open
      *margins.open_elements_ += Margins::kFewOpen + 1;
      margins.is_listed_ = false;
      return;
    }
    std::vector<bool> changed = Different(made.result, *moved, has_steps);
    const std::vector<double> reals = RealsIn(*moved);
    // The one result of a factorization jumps only where its integers do: pivots, or whether there is a factor.
    const bool is_smooth = has_one_result && std::ranges::find(changed, true) == changed.end();
    for (std::size_t i = 0; i < errors.size() && !has_steps && !is_smooth; ++i) {
      const bool is_equal = reals[i] == exact[i] || (std::isnan(reals[i]) && std::isnan(exact[i]));
      changed.push_back(!is_equal && !(std::fabs(reals[i] - exact[i]) <= errors[i]));
    }
    const auto other = std::make_shared<const Literal>(*moved);
    for (std::size_t i = 0; i < changed.size(); ++i) {
      if (changed[i]) open.Add(i, other, has_steps);
    }
    results.push_back(*moved);
  }
  // An element with three values, such as floor of a number with a large error, may have many.
  const auto count = std::ssize(open.results());
  const bool has_many_values = count > 0 && MostValues(results, has_steps) > 2;
  *margins.open_elements_ += has_many_values ? std::max(count, Margins::kFewOpen + 1) : count;
  margins.is_listed_ &= margins.open_.size() + open.results().size() <= Margins::kMostListed;
  if (!margins.is_listed_) return;
  for (const auto& [element, others] : open.results()) {
    for (const auto& other : others) margins.open_.push_back({number, element, other, has_many_values});
  }
}

}  // namespace assay
