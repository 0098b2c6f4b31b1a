// Fast transforms in doubles and double words with an error bound. MPFR computes the results that it leaves undecided.
#include <vector>

#include "interpreter/kernels/common/fourier_blocks.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/parts.h"
#include "interpreter/ops/common/fourier_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal EvaluateFft(const HloInstruction& fft, std::span<Literal> operands, Evaluation&) {
  CheckRunTimeLengths(fft);
  Literal result = Literal::Uninitialized(fft.shape);
  if (result.element_count() == 0) return result;
  const std::span<const std::int64_t> lengths = fft.Int64s("fft_length");
  const FourierBlocks blocks(fft.String("fft_type"), {lengths.begin(), lengths.end()}, fft.shape.element_type());
  blocks.Transform(LoadParts(operands[0]), result.mutable_data());
  return result;
}

}  // namespace

const OpKernel kernel_fft = {.op = &op_fft, .evaluate = EvaluateFft};

}  // namespace assay
