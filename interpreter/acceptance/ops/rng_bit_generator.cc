#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Selects every element if the backend chooses the generator. Implements SpecificationGap::implementation_defined.
ElementTest BitsOfDefaultAlgorithm(const HloInstruction& generator, std::span<const Literal>, std::size_t) {
  if (generator.String("algorithm") != "rng_default") return nullptr;
  return [](std::int64_t) { return true; };
}

}  // namespace

const OpAcceptance acceptance_rng_bit_generator = {.op = &op_rng_bit_generator,
                                                   .gap = {.implementation_defined = BitsOfDefaultAlgorithm},
                                                   .traits = Trait::kDrawsBits};

}  // namespace assay
