// Freedoms of a profile that are about values, whatever the op: flushed subnormal numbers, signs of zero, numbers that
// are not finite; and what the specification leaves open: the order of updates, and a second reading of its words.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/acceptance/rule.h"

namespace assay {

class Freedoms {
 public:
  // Both must outlive this.
  Freedoms(const JudgedInstruction& judged, AcceptanceRule& rule) : judged_(judged), rule_(rule) {}

  // What an element that is not exact comes to: by the rule itself, or else by the first freedom that admits it.
  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place);
  // The whole result: by the rule, or else as one of flushed operands.
  void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement);
  // What is accepted besides, a freedom a line.
  std::vector<std::string> Explain(const Literal& want, const Place& place);

 private:
  ElementVerdict JudgeFlushed(const Literal& want, const Literal& got, const Place& place);
  // `got` where zeros of an element stand for the subnormal numbers of their sign nearest to the wanted parts.
  const Literal& Unflushed(const Literal& want, const Literal& got, std::int64_t offset);
  // A zero that is one of the operands' zeros, of an op that returns one of its operands.
  bool IsOtherZero(const Literal& want, const Literal& got, const Place& place);
  // What says that the instruction, or the fold by one op that it is, may choose among zeros.
  std::string_view SourceOfEitherZero() const;
  bool IsOrderOpen(const Literal& want, const Place& place);
  // By the other reading of the specification, if there is one.
  ElementVerdict JudgeOtherwise(const Literal& got, const Place& place);
  bool HasOperandsThatAreNotFinite();
  // The instruction with operands whose subnormal numbers are zeros.
  struct Flushed {
    std::vector<Literal> operands;
    Literal want;
    JudgedInstruction judged;
    std::unique_ptr<AcceptanceRule> rule;
  };
  // Null if that cannot be evaluated.
  const Flushed* WithFlushedOperands();
  // The instruction evaluated by the other reading.
  struct Otherwise {
    explicit Otherwise(const JudgedInstruction& judged);
    Op op;
    HloInstruction instruction;
    JudgedInstruction judged;
    Result<Literal> want;
    std::unique_ptr<AcceptanceRule> rule;
  };
  // Null if there is none, or it cannot be evaluated.
  const Otherwise* OtherReading();

  const JudgedInstruction& judged_;
  AcceptanceRule& rule_;
  // A copy of a leaf in which one element, at unflushed_at_, is another one.
  Literal unflushed_;
  const std::byte* unflushed_of_ = nullptr;
  std::int64_t unflushed_at_ = 0;
  bool has_flushed_ = false;
  std::unique_ptr<Flushed> flushed_;
  std::optional<Result<Literal>> opposite_;
  std::unique_ptr<Otherwise> otherwise_;
  bool is_otherwise_ = false;  // some element is that of the other reading
  std::optional<bool> has_operands_that_are_not_finite_;
};

}  // namespace assay
