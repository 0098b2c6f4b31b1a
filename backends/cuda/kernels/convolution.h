// Convolutions as matrix products. Rows are the positions of the window over the images of the batch, columns the
// output features of a group, and terms the cells of the window with the group's input features.
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
  // The root of the computation must be a convolution.
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

  // True if consecutive terms are adjacent in the input, consecutive columns in the kernel, and consecutive columns in
  // the result.
  bool HasFeaturesInside() const { return features_inside_ && features_ > 1; }
  bool HasColumnsInside() const { return labels_.kernel_output_feature_dimension == kernel_.shape.rank() - 1; }
  bool HasOutputsInside() const { return labels_.output_feature_dimension == root_.shape.rank() - 1; }
  // IsInputMatrix is true if the input in memory is the matrix of rows by terms of the only group. IsOutputMatrix is
  // true if the result in memory is the matrix of rows by columns.
  bool IsInputMatrix() const;
  bool IsOutputMatrix() const;

  // Returns the element of the input under term k of row i. `condition` receives the condition for the element to
  // exist, or stays empty.
  IndexText InputAt(Body& body, const std::string& group, const std::string& i, const std::string& k,
                    std::string& condition) const;
  IndexText KernelAt(Body& body, const std::string& group, const std::string& j, const std::string& k) const;
  // OutputAt returns the place of row i and column j in the result. PlacesAt returns the group, the row and the column
  // of an element.
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

WindowText WindowTextOf(const Window& window, const HloInstruction& convolution);

// Returns the launches of a convolution with enough work for a library's product; nullopt for others. The terms of all
// rows are gathered, in slabs, into a matrix that the library reads. `product` computes the convolution without the
// library. It still runs if the kernel has infinities or NaNs, which padding must not touch.
std::optional<KernelProgram::OfLibrary> ConvolutionByLibrary(const ConvolutionText& text, const Product& product);

}  // namespace assay::cuda
