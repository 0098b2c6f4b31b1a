// Random numbers.
#include <fmt/format.h>

#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {

// Operand 2 holds the sizes of the result. HLO writes them in the instruction's shape instead.
Status LowerRng(const Lowering& lowering) {
  ASSAY_TRY(const std::string distribution, lowering.attributes().Word("rng_distribution"));
  if (distribution != "UNIFORM" && distribution != "NORMAL") {
    return lowering.Illegal(fmt::format("rng_distribution must be UNIFORM or NORMAL, found {}", distribution));
  }
  ASSAY_TRY(const Lowering sized, lowering.WithResultSizes(2));
  if (const Shape& sizes = lowering.operands[2]->shape; !sizes.IsArray() || sizes.rank() != 1) {
    return lowering.Illegal(fmt::format("operand 2 must be a list of sizes, found {}", sizes.ToStringWithoutLayout()));
  }
  ASSAY_CHECK_OK(CheckResultSizes(sized, 2));
  ASSAY_TRY(HloInstruction * rng, sized.AddResult("rng", sized.OperandsFrom(0, 2)));
  return SetPairs(lowering.attributes(), PairsOf("rng"), *rng);
}

Status LowerRngBitGenerator(const Lowering& lowering) {
  ASSAY_TRY(const std::string algorithm, lowering.attributes().Word("rng_algorithm"));
  if (algorithm != "DEFAULT" && algorithm != "THREE_FRY" && algorithm != "PHILOX") {
    return lowering.Illegal(fmt::format("rng_algorithm must be DEFAULT, THREE_FRY or PHILOX, found {}", algorithm));
  }
  return LowerDirectly(lowering);
}

}  // namespace assay::stablehlo
