#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/common/promised_indices.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Selects every element if the program promises sorted indices that are not. Implements
// SpecificationGap::implementation_defined.
ElementTest SlicesAtUnsorted(const HloInstruction& gather, std::span<const Literal> operands, std::size_t) {
  return AllUnless(!gather.Bool("indices_are_sorted") ||
                   AreSorted(operands[1], IndexingOfGather(gather), operands[0].shape().rank()));
}

}  // namespace

const OpAcceptance acceptance_gather = {.op = &op_gather,
                                        .gap = {.implementation_defined = SlicesAtUnsorted},
                                        .image = MovesOperands<0>,
                                        .traits = Trait::kKeepsTerms,
                                        .selectors = 0b10};

}  // namespace assay
