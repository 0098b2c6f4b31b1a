// The attributes of a convolution, read in one way by its definition and its kernel.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

const ConvolutionDimensionNumbers& DimLabels(const HloInstruction& convolution);

// The window, with the reversal that the convolution_kind adds: XLA's pass ConvKindAssignment gives the kind dgrad to a
// convolution whose kernel is reversed in every spatial dimension, and takes the reversal away. The other kinds add
// nothing.
Window WindowOfKind(const HloInstruction& convolution);

}  // namespace assay
