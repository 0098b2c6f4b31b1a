// The attributes of a convolution that need reading, for its definition, its kernels and its terms.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

const ConvolutionDimensionNumbers& DimLabels(const HloInstruction& convolution);

// Returns the window, with the reversal that the convolution_kind implies. XLA's pass ConvKindAssignment assigns the
// kind dgrad to a convolution whose kernel is reversed in every spatial dimension, and removes the reversal. The other
// kinds imply none.
Window WindowOfKind(const HloInstruction& convolution);

}  // namespace assay
