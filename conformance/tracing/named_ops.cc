#include "conformance/tracing/named_ops.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace assay {
namespace {

// An operand at which a function is infinite.
struct Pole {
  std::string_view op;
  std::size_t operand;
  double value;
};

constexpr Pole kPoles[] = {
    {"atanh", 0, -1},        {"atanh", 0, 1}, {"divide", 1, 0}, {"log", 0, 0},
    {"log-plus-one", 0, -1}, {"power", 0, 0}, {"rsqrt", 0, 0},
};

}  // namespace

int SignOfSecondTerm(const Op& op) { return op.name == "add" ? 1 : op.name == "subtract" ? -1 : 0; }

bool IsPole(const Op& op, std::span<const double> operands) {
  return std::ranges::any_of(kPoles, [&](const Pole& pole) {
    return pole.op == op.name && pole.operand < operands.size() && operands[pole.operand] == pole.value;
  });
}

bool IsLoop(const HloInstruction& instruction) { return instruction.op->name == "while"; }

}  // namespace assay
