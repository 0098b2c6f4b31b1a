#include "interpreter/acceptance/statistics/samples/flushed_values.h"

#include <cstring>
#include <utility>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/hlo/op.h"

namespace assay {

void FlushConstants(const JudgedInstruction& judged, Literal& result) {
  if (!judged.arithmetic.flushes_subnormals) return;
  std::vector<Literal> operands(judged.operands.begin(), judged.operands.end());
  bool is_flushed = false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (judged.instruction.operands[i]->op->role != OpRole::kConstant) continue;
    operands[i] = WithSubnormalsFlushed(operands[i]);
    is_flushed |= !operands[i].BitwiseEqual(judged.operands[i]);
  }
  if (!is_flushed) return;
  if (auto flushed = EvaluateAlone(judged.instruction, std::move(operands))) result = *std::move(flushed);
}

void FlushReciprocals(const JudgedInstruction& judged, Literal& result) {
  if (!IsQuotient(judged)) return;
  const int bytes = StorageBytes(result.element_type());
  const std::vector<double> divisors = NumbersIn(judged.operands[1]);
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    if (HasSubnormalReciprocal(result.element_type(), divisors[i]))
      std::memset(result.mutable_data() + i * bytes, 0, bytes);
  }
}

}  // namespace assay
