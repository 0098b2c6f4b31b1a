// unordered: rows in any order that the comparator does not distinguish from a sorted one.
#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <optional>

#include "interpreter/acceptance/called_function.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// The number of pairs of rows that are compared in all. Slices with more pairs are not compared pair by pair.
constexpr std::int64_t kMostPairs = 1 << 17;

constexpr std::string_view kBySignOfZero = "sign of zero";

// The bytes of one element of every operand.
using Row = std::string;
using Slice = std::vector<Row>;

// Returns the rows of every slice along the sorted dimension.
std::vector<Slice> SlicesOf(std::span<const Literal> values, std::int64_t dimension) {
  const Dimensions& dimensions = values[0].shape().dimensions();
  const std::int64_t length = dimensions[dimension];
  const std::int64_t inner = Product(std::span(dimensions).subspan(dimension + 1));
  const std::int64_t outer = Product(std::span(dimensions).first(dimension));
  std::vector<Slice> slices(outer * inner);
  LimitCheck check;
  for (std::int64_t slice = 0; slice < outer * inner; ++slice) {
    slices[slice].reserve(length);
    for (std::int64_t i = 0; i < length; ++i) {
      check();
      const std::int64_t offset = (slice / inner * length + i) * inner + slice % inner;
      Row row;
      for (const Literal& value : values) {
        const int bytes = StorageBytes(value.element_type());
        row.append(reinterpret_cast<const char*>(value.data()) + offset * bytes, bytes);
      }
      slices[slice].push_back(std::move(row));
    }
  }
  return slices;
}

bool IsPermutation(Slice a, Slice b) {
  LimitCheck check;
  const auto less = [&](const Row& x, const Row& y) {
    check();
    return x < y;
  };
  std::ranges::sort(a, less);
  std::ranges::sort(b, less);
  return a == b;
}

std::vector<Literal> ArraysOf(const Literal& value) {
  return value.shape().IsTuple() ? value.elements() : std::vector<Literal>{value};
}

// The order of rows by the comparator of a sort.
class Comparator {
 public:
  explicit Comparator(const HloInstruction& sort)
      : function_(sort, *AcceptanceOf(sort).Fact<RowOrderFunction>()(sort).comparator) {}

  // Returns nullopt if the comparator cannot be evaluated, for instance if operands and parameters have different
  // types. The comparator reads the numbers as the arithmetic may.
  std::optional<bool> ComesBefore(const Row& a, const Row& b, const LawfulArithmetic& arithmetic = {}) const {
    std::vector<Literal> arguments;
    std::size_t at = 0;
    for (const HloInstruction* parameter : function_.computation().Parameters()) {
      Literal& argument = arguments.emplace_back(parameter->shape);
      const int bytes = StorageBytes(parameter->shape.element_type());
      const bool is_first = parameter->parameter_number % 2 == 0;
      if (at + bytes > a.size()) return std::nullopt;
      std::memcpy(argument.mutable_data(), (is_first ? a : b).data() + at, bytes);
      if (arithmetic.flushes_subnormals) argument = WithSubnormalsFlushed(argument);
      if (arithmetic.ignores_zero_sign) argument = WithPositiveZeros(argument);
      if (!is_first) at += bytes;
    }
    const std::optional<Literal> answer = function_(std::move(arguments));
    if (at != a.size() || !answer) return std::nullopt;
    return answer->BoolAt(0);
  }

 private:
  const CalledFunction function_;
};

class UnorderedRule : public AcceptanceRule {
 public:
  explicit UnorderedRule(const JudgedInstruction& judged)
      : judged_(judged), order_(AcceptanceOf(judged.instruction).Fact<RowOrderFunction>()(judged.instruction)) {}

  ElementVerdict Judge(const Literal&, const Literal&, const Place&) override {
    return {Verdict::kFail, "the result is not a legal order of its operands"};
  }

  std::vector<std::string> Explain(const Literal&, const Place&) override {
    if (order_.is_stable) return {"unordered: the sort is stable, so there is one result"};
    return {
        "unordered: the rows must be a permutation of the operands' rows that a stable sort by the comparator "
        "leaves as it is; rows that it cannot tell apart may swap"};
  }

  void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement) override {
    if (judgement.verdict != Verdict::kFail) return;
    const std::vector<Slice> given = SlicesOf(judged_.operands, order_.dimension);
    const std::vector<Slice> operands =
        judged_.arithmetic.ignores_zero_sign ? SlicesOf(AsRead(judged_.operands), order_.dimension) : given;
    const std::vector<Slice> results = SlicesOf(AsRead(ArraysOf(got)), order_.dimension);
    // A stable sort of the result leaves it unchanged if it is legal: the one result, or one with ties in any order.
    std::vector<Slice> legal = SlicesOf(AsRead(ArraysOf(want)), order_.dimension);
    if (!order_.is_stable) {
      const std::optional<Literal> again = Sorted(ArraysOf(got));
      if (again) legal = SlicesOf(AsRead(ArraysOf(*again)), order_.dimension);
    }
    judgement.verdict = Verdict::kLegal;
    judgement.reason = order_.is_stable ? kBySignOfZero : "tie";
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!IsPermutation(operands[i], results[i])) {
        judgement.verdict = Verdict::kFail;
        judgement.reason = "the result is not a permutation of the operands";
        return;
      }
    }
    for (std::size_t i = 0; i < operands.size() && judgement.verdict != Verdict::kFail; ++i) {
      if (results[i] != legal[i]) JudgeSlice(given[i], operands[i], results[i], want, judgement);
    }
  }

 private:
  // Returns the arrays without the signs of zeros, if these are not significant.
  std::vector<Literal> AsRead(std::span<const Literal> arrays) const {
    std::vector<Literal> read(arrays.begin(), arrays.end());
    if (!judged_.arithmetic.ignores_zero_sign) return read;
    for (Literal& array : read) array = WithPositiveZeros(array);
    return read;
  }

  // Judges rows that a stable sort would change. `given` are the operands with the signs of zeros.
  void JudgeSlice(const Slice& given, const Slice& operands, const Slice& results, const Literal& want,
                  Judgement& judgement) {
    std::optional<bool> is_order;
    const std::int64_t pairs = std::ssize(operands) * std::ssize(operands);
    if (pairs <= pairs_left_) {
      pairs_left_ -= pairs;
      is_order = IsOrdered(operands);
    }
    if (!is_order && !has_order_) has_order_ = IsOrdered(want);
    if (!is_order.value_or(has_order_.value_or(false))) {
      judgement.verdict = Verdict::kSpecGap;
      judgement.reason = "the comparator does not order these rows";
    } else if (!IsInOrderAsRead(given, operands, results)) {
      judgement.verdict = Verdict::kFail;
      judgement.reason = order_.is_stable ? "a stable order has one result" : "neighbours are in the wrong order";
    } else if (judgement.verdict == Verdict::kLegal) {
      judgement.reason = given != operands ? kBySignOfZero : "flush";
    }
  }

  std::optional<Literal> Sorted(std::vector<Literal> operands) const {
    return EvaluateAlone(judged_.instruction, std::move(operands));
  }

  // True if the comparator is a strict weak order of the rows: if and only if, of any two rows, the one with fewer
  // predecessors precedes the other. No row is compared with itself.
  std::optional<bool> IsOrdered(const Slice& rows) {
    if (!comparator_) comparator_.emplace(judged_.instruction);
    const std::size_t n = rows.size();
    std::vector<bool> comes_before(n * n);
    std::vector<std::size_t> before(n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (a == b) continue;
        const std::optional<bool> answer = comparator_->ComesBefore(rows[a], rows[b]);
        if (!answer) return std::nullopt;
        comes_before[a * n + b] = *answer;
        before[b] += *answer ? 1 : 0;
      }
    }
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (a != b && comes_before[a * n + b] != (before[a] < before[b])) return false;
      }
    }
    return true;
  }

  // True if the rows are sorted for a comparator that may take subnormal keys as zeros, and -0 as 0: no row precedes
  // the one before it, and rows of a stable sort that it cannot tell apart keep their order, unless the signs of zeros
  // do. Equal rows count in the order of the operands.
  bool IsInOrderAsRead(const Slice& given, const Slice& operands, const Slice& results) {
    const LawfulArithmetic& arithmetic = judged_.arithmetic;
    if (!arithmetic.flushes_subnormals && !arithmetic.ignores_zero_sign) return false;
    if (!comparator_) comparator_.emplace(judged_.instruction);
    std::map<Row, std::deque<std::size_t>> places;
    for (std::size_t i = 0; i < operands.size(); ++i) places[operands[i]].push_back(i);
    std::size_t previous = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::deque<std::size_t>& of_row = places[results[i]];
      const std::size_t place = of_row.front();
      of_row.pop_front();
      if (i > 0) {
        const auto before = comparator_->ComesBefore(results[i - 1], results[i], arithmetic);
        const auto after = comparator_->ComesBefore(results[i], results[i - 1], arithmetic);
        const bool has_other_signs = (given[place] == operands[place]) != (given[previous] == operands[previous]);
        const bool is_swapped = order_.is_stable && place < previous && !has_other_signs;
        if (!before || !after || *after || (!*before && is_swapped)) return false;
      }
      previous = place;
    }
    return true;
  }

  // Tests the same as IsOrdered for many rows. The comparator is no order if sorting the rows from the opposite end
  // changes the keys, as LT does for numbers that include a NaN.
  bool IsOrdered(const Literal& want) const {
    std::vector<Literal> rows = ArraysOf(want);
    const std::vector<Literal> sorted = rows;
    for (Literal& row : rows) row = Reversed(row, order_.dimension);
    const std::optional<Literal> again = Sorted(rows);
    if (!again) return false;
    const std::vector<Literal> others = ArraysOf(*again);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (!IsCompared(static_cast<std::int64_t>(i)) || !IsInexactType(sorted[i].element_type())) continue;
      if (!HasSameNumbers(sorted[i], others[i])) return false;
    }
    return true;
  }

  // True if the comparator reads an operand: its parameters 2i and 2i + 1 are rows of operand i.
  bool IsCompared(std::int64_t operand) const {
    const auto uses = [&](const HloInstruction* input) {
      return input->op->role == OpRole::kParameter && input->parameter_number / 2 == operand;
    };
    return std::ranges::any_of(order_.comparator->instructions, [&](const auto& instruction) {
      return std::ranges::any_of(instruction->operands, uses);
    });
  }

  // True if the arrays are equal except for the signs of zeros and the bits of NaNs.
  static bool HasSameNumbers(const Literal& a, const Literal& b) {
    for (std::int64_t i = 0; i < a.element_count() * ComponentCount(a.element_type()); ++i) {
      const RealElement x = ComponentAt(a, i), y = ComponentAt(b, i);
      if (x.bits != y.bits && !(IsZero(x) && IsZero(y)) && !(IsNan(x) && IsNan(y))) return false;
    }
    return true;
  }

  const JudgedInstruction& judged_;
  const RowOrder order_;
  std::optional<Comparator> comparator_;
  std::optional<bool> has_order_;  // of many rows
  std::int64_t pairs_left_ = kMostPairs;
};

}  // namespace

const Rule rule_unordered = {
    .name = "unordered",
    .make = MakeJudge<UnorderedRule>,
    .disturb = LeaveAlone,
    .noise = "order of ties",
};

}  // namespace assay
