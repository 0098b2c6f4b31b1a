#include "interpreter/hlo/convolution_attributes.h"

namespace assay {

const ConvolutionDimensionNumbers& DimLabels(const HloInstruction& convolution) {
  return *convolution.Find<ConvolutionDimensionNumbers>("dim_labels");
}

Window WindowOfKind(const HloInstruction& convolution) {
  Window window = convolution.window();
  if (convolution.String("convolution_kind") != "dgrad") return window;
  for (WindowDimension& dimension : window.dimensions) dimension.window_reversal = !dimension.window_reversal;
  return window;
}

}  // namespace assay
