#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// True for every element if the backend chooses the generator. Implements OpAcceptance::is_implementation_defined.
bool HasDefaultAlgorithm(const HloInstruction& generator, std::span<const Literal>, std::size_t, std::int64_t) {
  return generator.String("algorithm") == "rng_default";
}

}  // namespace

const OpAcceptance acceptance_rng_bit_generator = {.op = &op_rng_bit_generator,
                                                   .is_implementation_defined = HasDefaultAlgorithm};

}  // namespace assay
