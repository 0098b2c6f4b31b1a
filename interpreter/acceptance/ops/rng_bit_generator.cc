#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// True for the bits and the state of rng_default, whose algorithm is the backend's (XLA, Operation Semantics:
// RngBitGenerator; StableHLO: DEFAULT is implementation-defined). Implements OpAcceptance::is_implementation_defined.
bool IsOfDefaultAlgorithm(const HloInstruction& generator, std::span<const Literal>, std::size_t, std::int64_t) {
  return generator.String("algorithm") == "rng_default";
}

}  // namespace

const OpAcceptance acceptance_rng_bit_generator = {.op = &op_rng_bit_generator,
                                                   .is_implementation_defined = IsOfDefaultAlgorithm};

}  // namespace assay
