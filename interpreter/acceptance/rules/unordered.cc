// unordered: rows in any order that the comparator cannot tell from a sorted one.
#include <algorithm>

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
  explicit UnorderedRule(const JudgedInstruction& judged) : judged_(judged) {}

  ElementVerdict Judge(const Literal&, const Literal&, const Place&) override {
    return {Verdict::kFail, "the result is no legal order of its operands"};
  }

  std::vector<std::string> Explain(const Literal&, const Place&) override {
    if (judged_.instruction.Bool("is_stable")) return {"unordered: the sort is stable, so there is one result"};
    return {
        "unordered: the rows must be a permutation of the operands' rows that a stable sort by the comparator "
        "leaves as it is; rows that it cannot tell apart may swap"};
  }

  void JudgeWhole(const Literal&, const Literal& got, Judgement& judgement) override {
    if (judgement.verdict != Verdict::kFail) return;
    const std::string_view fault = FaultOf(got);
    judgement.verdict = fault.empty() ? Verdict::kLegal : Verdict::kFail;
    judgement.reason = fault.empty() ? "tie" : fault;
  }

 private:
  std::string_view FaultOf(const Literal& got) const {
    const HloInstruction& sort = judged_.instruction;
    const std::vector<Literal> results = got.shape().IsTuple() ? got.elements() : std::vector<Literal>{got};
    const std::int64_t dimension = sort.Int64s("dimensions")[0];
    if (RowsOf(judged_.operands, dimension) != RowsOf(results, dimension)) {
      return "the result is no permutation of the operands";
    }
    if (sort.Bool("is_stable")) return "a stable order has one result";
    const HloInstruction* piece[] = {&sort};
    const Result<Literal> again = Evaluate(*ExtractInstructions(piece), results);
    return again && again->BitwiseEqual(got) ? "" : "neighbours are in the wrong order";
  }

  const JudgedInstruction& judged_;
};

}  // namespace

std::unique_ptr<AcceptanceRule> MakeUnorderedRule(const JudgedInstruction& judged) {
  return std::make_unique<UnorderedRule>(judged);
}

}  // namespace assay
