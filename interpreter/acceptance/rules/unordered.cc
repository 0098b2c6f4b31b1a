// unordered: rows in any order that the comparator cannot tell from a sorted one.
#include <algorithm>
#include <cstring>

#include "interpreter/acceptance/rule.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// The rows along the sorted dimension, each as the bytes of all operands' elements, in a canonical order.
std::vector<std::vector<std::string>> RowsOf(std::span<const Literal> values, std::int64_t dimension) {
  const Dimensions& dimensions = values[0].shape().dimensions();
  const std::int64_t length = dimensions[dimension];
  const std::int64_t inner = Product(std::span(dimensions).subspan(dimension + 1));
  const std::int64_t outer = Product(std::span(dimensions).first(dimension));
  std::vector<std::vector<std::string>> slices(outer * inner);
  for (std::int64_t slice = 0; slice < outer * inner; ++slice) {
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t offset = (slice / inner * length + i) * inner + slice % inner;
      std::string row;
      for (const Literal& value : values) {
        const int bytes = StorageBytes(value.element_type());
        row.append(reinterpret_cast<const char*>(value.data()) + offset * bytes, bytes);
      }
      slices[slice].push_back(std::move(row));
    }
    std::ranges::sort(slices[slice]);
  }
  return slices;
}

class UnorderedRule : public AcceptanceRule {
 public:
  explicit UnorderedRule(const JudgedInstruction& judged)
      : judged_(judged), order_(judged.instruction.op->acceptance.row_order(judged.instruction)) {}

  ElementVerdict Judge(const Literal&, const Literal&, const Place&) override {
    return {Verdict::kFail, "the result is no legal order of its operands"};
  }

  std::vector<std::string> Explain(const Literal&, const Place&) override {
    if (order_.is_stable) return {"unordered: the sort is stable, so there is one result"};
    return {
        "unordered: the rows must be a permutation of the operands' rows that a stable sort by the comparator "
        "leaves as it is; rows that it cannot tell apart may swap"};
  }

  void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement) override {
    if (judgement.verdict != Verdict::kFail) return;
    const std::string_view fault = FaultOf(got);
    judgement.verdict = fault.empty() ? Verdict::kLegal : Verdict::kFail;
    judgement.reason = fault.empty() ? "tie" : fault;
    if (fault == kWrongOrder && !IsOrdered(want)) {
      judgement.verdict = Verdict::kSpecGap;
      judgement.reason = "the comparator is no order of these rows";
    }
  }

 private:
  static constexpr std::string_view kWrongOrder = "neighbours are in the wrong order";

  // Whether the comparator orders the rows: where it does, sorting them from the opposite end gives the same real keys.
  // LT of numbers among which is a NaN does not.
  bool IsOrdered(const Literal& want) const {
    std::vector<Literal> rows = want.shape().IsTuple() ? want.elements() : std::vector<Literal>{want};
    const std::vector<Literal> sorted = rows;
    for (Literal& row : rows) row = Reversed(row, order_.dimension);
    const HloInstruction* piece[] = {&judged_.instruction};
    const Result<Literal> again = Evaluate(*ExtractInstructions(piece), rows);
    if (!again) return false;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (!IsCompared(static_cast<std::int64_t>(i)) || !IsReal(sorted[i].element_type())) continue;
      const Literal& other = sorted.size() == 1 && !again->shape().IsTuple() ? *again : again->elements()[i];
      if (!HasSameNumbers(sorted[i], other)) return false;
    }
    return true;
  }

  // Whether the comparator looks at an operand: its parameters 2i and 2i + 1 are rows of operand i.
  bool IsCompared(std::int64_t operand) const {
    const auto uses = [&](const HloInstruction* input) {
      return input->op->role == OpRole::kParameter && input->parameter_number / 2 == operand;
    };
    return std::ranges::any_of(order_.comparator->instructions, [&](const auto& instruction) {
      return std::ranges::any_of(instruction->operands, uses);
    });
  }

  static Literal Reversed(const Literal& value, std::int64_t dimension) {
    const Dimensions& dimensions = value.shape().dimensions();
    const std::int64_t length = dimensions[dimension];
    const std::int64_t inner =
        Product(std::span(dimensions).subspan(dimension + 1)) * StorageBytes(value.element_type());
    Literal result = value;
    std::byte* out = result.mutable_data();
    for (std::int64_t i = 0; inner > 0 && i < value.byte_size() / inner; ++i) {
      const std::int64_t from = i / length * length + (length - 1 - i % length);
      std::memcpy(out + i * inner, value.data() + from * inner, inner);
    }
    return result;
  }

  // Equal but for the signs of zeros.
  static bool HasSameNumbers(const Literal& a, const Literal& b) {
    for (std::int64_t i = 0; i < a.element_count() * ComponentsOf(a.element_type()); ++i) {
      const RealElement x = ComponentAt(a, i), y = ComponentAt(b, i);
      if (x.bits != y.bits && !(IsZero(x) && IsZero(y)) && !(IsNan(x) && IsNan(y))) return false;
    }
    return true;
  }

  std::string_view FaultOf(const Literal& got) const {
    const std::vector<Literal> results = got.shape().IsTuple() ? got.elements() : std::vector<Literal>{got};
    if (RowsOf(judged_.operands, order_.dimension) != RowsOf(results, order_.dimension)) {
      return "the result is no permutation of the operands";
    }
    if (order_.is_stable) return "a stable order has one result";
    const HloInstruction* piece[] = {&judged_.instruction};
    const Result<Literal> again = Evaluate(*ExtractInstructions(piece), results);
    return again && again->BitwiseEqual(got) ? "" : kWrongOrder;
  }

  const JudgedInstruction& judged_;
  const RowOrder order_;
};

}  // namespace

const Rule rule_unordered = {
    .name = "unordered",
    .make = MakeJudge<UnorderedRule>,
    .disturb = LeaveAlone,
    .noise = "order of ties",
};

}  // namespace assay
