// Convolutions as products of matrices: rows are the positions of the window over images of the batch, columns the
// output features of a group, and terms the cells of the window with the input features of the group.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/kernels/product.h"
#include "backends/cuda/kernels/windows.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

class ConvolutionText {
 public:
  // The root of the computation is a convolution.
  explicit ConvolutionText(const HloComputation& fused);

  const HloComputation& fused() const { return fused_; }
  const HloInstruction& root() const { return root_; }
  const HloInstruction& input() const { return input_; }
  const HloInstruction& kernel() const { return kernel_; }
  const WindowText& window() const { return text_; }
  std::int64_t groups() const { return groups_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return outputs_; }
  std::int64_t terms() const { return terms_; }

  // Whether terms that follow each other do so in the input, columns in the kernel, and columns in the result.
  bool HasFeaturesInside() const { return features_inside_ && features_ > 1; }
  bool HasColumnsInside() const { return labels_.kernel_output_feature_dimension == kernel_.shape.rank() - 1; }
  bool HasOutputsInside() const { return labels_.output_feature_dimension == root_.shape.rank() - 1; }
  // Whether the rows and terms of the only group are those of the input as it lies in memory, each read once; and
  // whether its rows and columns are those of the result.
  bool IsInputMatrix() const;
  bool IsOutputMatrix() const;

  // The element of the input under term k of row i; `condition` is what must hold if there is to be one, or empty.
  IndexText InputAt(Body& body, const std::string& group, const std::string& i, const std::string& k,
                    std::string& condition) const;
  IndexText KernelAt(Body& body, const std::string& group, const std::string& j, const std::string& k) const;
  // Where row i and column j lie in the result; and the group, the row and the column of an element.
  std::string OutputAt(Body& body, const std::string& group, const std::string& i, const std::string& j) const;
  std::vector<std::string> PlacesAt(Body& body, const std::string& place) const;

 private:
  std::vector<std::string> RowAt(Body& body, const std::string& i) const;
  std::vector<std::string> TermAt(Body& body, const std::string& k) const;

  const HloComputation& fused_;
  const HloInstruction &root_, &input_, &kernel_;
  const ConvolutionDimensionNumbers& labels_;
  const Window window_;
  const WindowText text_;
  const std::int64_t feature_groups_, groups_, features_, outputs_, images_;
  const std::vector<std::int64_t> positions_;
  const std::int64_t rows_, terms_;
  const bool features_inside_;
};

// That of the forward convolution: dgrad has the kernel reversed.
Window ForwardWindow(const HloInstruction& convolution);
WindowText WindowTextOf(const Window& window, const HloInstruction& convolution);

// The launches of a convolution with enough work for a library's product: the terms of all rows, in slabs, are gathered
// into a matrix that it reads. `product` is that of the convolution without it, which stays as what computes the result
// where the kernel has infinities that lie on padding. Nothing for other convolutions.
std::optional<KernelProgram::OfLibrary> ConvolutionByLibrary(const ConvolutionText& text, const Product& product);

}  // namespace assay::cuda
