#include "backends/cuda/kernels/convolution.h"

#include "backends/cuda/kernels/kind.h"
#include "interpreter/hlo/convolution_attributes.h"

namespace assay::cuda {
namespace {

bool TakesConvolution(const HloInstruction& convolution) {
  const Window window = WindowOfKind(convolution);
  const WindowText text = WindowTextOf(window, convolution);
  return convolution.operands.size() == 2 && !convolution.Has("sparsity_config") &&
         !convolution.Has("block_scaling_config") && text.Fits();
}
bool TakesExactConvolution(const HloInstruction& convolution) {
  return TakesConvolution(convolution) && IsProductOfNumbers(convolution);
}

KernelProgram MakeConvolutionProgram(const HloComputation& fused, bool is_exact) {
  const ConvolutionText text(fused);
  const HloInstruction &input = text.input(), &kernel = text.kernel();
  Product product{.fused = fused,
                  .arithmetic = ProductArithmetic(input.shape.element_type(), kernel.shape.element_type(),
                                                  text.root().shape.element_type(), is_exact),
                  .batch = text.groups(),
                  .m = text.rows(),
                  .n = text.columns(),
                  .k = text.terms(),
                  .lhs = {},
                  .rhs = {},
                  .is_wide = text.window().IsWide(),
                  .has_zero = true};
  product.lhs.is_inner = text.HasFeaturesInside();
  product.rhs.is_inner = !text.HasColumnsInside();
  const auto number = [&](const HloInstruction& operand, const std::string& element) {
    return product.arithmetic.Number(operand.shape.element_type(), element);
  };
  product.lhs.number = [&](Body& body, ElementEmitter& emitter, const std::string& b, const std::string& i,
                           const std::string& k) {
    std::string condition;
    return number(input, emitter.Element(input, text.InputAt(body, b, i, k, condition)));
  };
  product.lhs.inside = [&](Body& body, ElementEmitter&, const std::string& b, const std::string& i,
                           const std::string& k) {
    std::string condition;
    text.InputAt(body, b, i, k, condition);
    return condition;
  };
  if (!text.window().MayBeOutside()) product.lhs.inside = nullptr;
  product.rhs.number = [&](Body& body, ElementEmitter& emitter, const std::string& b, const std::string& j,
                           const std::string& k) {
    return number(kernel, emitter.Element(kernel, text.KernelAt(body, b, j, k)));
  };
  product.place = [&](Body& body, const std::string& b, const std::string& i, const std::string& j) {
    return text.OutputAt(body, b, i, j);
  };
  product.places_of = [&](Body& body, const std::string& place) { return text.PlacesAt(body, place); };
  KernelProgram program = ProgramOf(product);
  if (!is_exact) program.of_library = ConvolutionByLibrary(text, product);
  return program;
}

KernelProgram MakeConvolution(const HloComputation& fused) { return MakeConvolutionProgram(fused, /*is_exact=*/false); }
KernelProgram MakeExactConvolution(const HloComputation& fused) {
  return MakeConvolutionProgram(fused, /*is_exact=*/true);
}

}  // namespace

const KernelKind kConvolutionKind = {.name = "convolution",
                                     .takes = TakesConvolution,
                                     .reads_elements = ReadsAll,
                                     .reads_again = ReadsAll,
                                     .is_exact = IsProductOfIntegers,
                                     .make = MakeConvolution};

const KernelKind kExactConvolutionKind = {.name = "exact convolution",
                                          .ops = [] { return std::vector<std::string_view>{"convolution"}; },
                                          .takes = TakesExactConvolution,
                                          .reads_elements = ReadsAll,
                                          .reads_again = ReadsAll,
                                          .is_exact = IsAlwaysExact,
                                          .make = MakeExactConvolution};

}  // namespace assay::cuda
