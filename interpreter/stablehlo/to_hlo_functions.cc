// Transforms, matrix factorizations, batch normalization and random numbers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {

Status LowerBatchNorm(const Lowering& lowering) {
  ASSAY_TRY(const double epsilon, lowering.attributes().Float("epsilon", 0));
  ASSAY_TRY(const std::int64_t feature_index, lowering.attributes().RequiredInteger("feature_index"));
  ASSAY_TRY(HloInstruction * instruction, lowering.AddResult());
  instruction->Set("epsilon", epsilon);
  instruction->Set("feature_index", feature_index);
  return {};
}

Status LowerCholesky(const Lowering& lowering) {
  ASSAY_TRY(const bool is_lower, lowering.attributes().Bool("lower"));
  ASSAY_TRY(HloInstruction * cholesky, lowering.AddResult());
  if (is_lower) cholesky->Set("lower", true);
  return {};
}

Status LowerFft(const Lowering& lowering) {
  ASSAY_TRY(std::string type, lowering.attributes().Word("fft_type"));
  ASSAY_TRY(Int64List length, lowering.attributes().RequiredIntegers("fft_length"));
  ASSAY_TRY(HloInstruction * fft, lowering.AddResult());
  fft->Set("fft_type", std::move(type));
  fft->Set("fft_length", std::move(length));
  return {};
}

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
  rng->Set("distribution", distribution == "UNIFORM" ? "rng_uniform" : "rng_normal");
  return {};
}

Status LowerRngBitGenerator(const Lowering& lowering) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> kAlgorithms = {
      {{"DEFAULT", "rng_default"}, {"THREE_FRY", "rng_three_fry"}, {"PHILOX", "rng_philox"}}};
  ASSAY_TRY(const std::string algorithm, lowering.attributes().Word("rng_algorithm"));
  const auto* const known = std::ranges::find(kAlgorithms, algorithm, &std::pair<std::string_view, const char*>::first);
  if (known == kAlgorithms.end()) {
    return lowering.Illegal(fmt::format("rng_algorithm must be DEFAULT, THREE_FRY or PHILOX, found {}", algorithm));
  }
  ASSAY_TRY(HloInstruction * generator, lowering.AddResult());
  generator->Set("algorithm", known->second);
  return {};
}

Status LowerTriangularSolve(const Lowering& lowering) {
  ASSAY_TRY(const bool left_side, lowering.attributes().Bool("left_side"));
  ASSAY_TRY(const bool is_lower, lowering.attributes().Bool("lower"));
  ASSAY_TRY(const bool unit_diagonal, lowering.attributes().Bool("unit_diagonal"));
  ASSAY_TRY(std::string transpose, lowering.attributes().Word("transpose_a"));
  ASSAY_TRY(HloInstruction * solve, lowering.AddResult());
  if (left_side) solve->Set("left_side", true);
  if (is_lower) solve->Set("lower", true);
  if (unit_diagonal) solve->Set("unit_diagonal", true);
  if (!transpose.empty()) solve->Set("transpose_a", std::move(transpose));
  return {};
}

}  // namespace assay::stablehlo
