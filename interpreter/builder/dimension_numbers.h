// The message types of the arguments of operations, with the field names of xla_data.proto. A repeated field is a list;
// add_ appends to it, as in the examples of XLA, Operation Semantics. ConvolutionDimensionNumbers, PaddingConfig and
// Window, which modules use directly, come from hlo/attributes.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/hlo/attributes.h"

namespace assay::xla {

struct DotDimensionNumbers {
  Int64List lhs_contracting_dimensions;
  Int64List rhs_contracting_dimensions;
  Int64List lhs_batch_dimensions;
  Int64List rhs_batch_dimensions;

  void add_lhs_contracting_dimensions(std::int64_t d) { lhs_contracting_dimensions.push_back(d); }
  void add_rhs_contracting_dimensions(std::int64_t d) { rhs_contracting_dimensions.push_back(d); }
  void add_lhs_batch_dimensions(std::int64_t d) { lhs_batch_dimensions.push_back(d); }
  void add_rhs_batch_dimensions(std::int64_t d) { rhs_batch_dimensions.push_back(d); }
};

struct RaggedDotDimensionNumbers {
  DotDimensionNumbers dot_dimension_numbers;
  Int64List lhs_ragged_dimensions;
  Int64List rhs_group_dimensions;

  void add_lhs_ragged_dimensions(std::int64_t d) { lhs_ragged_dimensions.push_back(d); }
  void add_rhs_group_dimensions(std::int64_t d) { rhs_group_dimensions.push_back(d); }
};

struct GatherDimensionNumbers {
  Int64List offset_dims;
  Int64List collapsed_slice_dims;
  Int64List start_index_map;
  std::int64_t index_vector_dim = 0;
  Int64List operand_batching_dims;
  Int64List start_indices_batching_dims;

  void add_offset_dims(std::int64_t d) { offset_dims.push_back(d); }
  void add_collapsed_slice_dims(std::int64_t d) { collapsed_slice_dims.push_back(d); }
  void add_start_index_map(std::int64_t d) { start_index_map.push_back(d); }
  void set_index_vector_dim(std::int64_t d) { index_vector_dim = d; }
  void add_operand_batching_dims(std::int64_t d) { operand_batching_dims.push_back(d); }
  void add_start_indices_batching_dims(std::int64_t d) { start_indices_batching_dims.push_back(d); }
};

struct ScatterDimensionNumbers {
  Int64List update_window_dims;
  Int64List inserted_window_dims;
  Int64List scatter_dims_to_operand_dims;
  std::int64_t index_vector_dim = 0;
  Int64List input_batching_dims;
  Int64List scatter_indices_batching_dims;

  void add_update_window_dims(std::int64_t d) { update_window_dims.push_back(d); }
  void add_inserted_window_dims(std::int64_t d) { inserted_window_dims.push_back(d); }
  void add_scatter_dims_to_operand_dims(std::int64_t d) { scatter_dims_to_operand_dims.push_back(d); }
  void set_index_vector_dim(std::int64_t d) { index_vector_dim = d; }
  void add_input_batching_dims(std::int64_t d) { input_batching_dims.push_back(d); }
  void add_scatter_indices_batching_dims(std::int64_t d) { scatter_indices_batching_dims.push_back(d); }
};

// The requested precision of the products of a dot or convolution. The reference is exact for any request.
struct PrecisionConfig {
  enum Precision { DEFAULT, HIGH, HIGHEST };
  std::vector<Precision> operand_precision;  // one per operand, or none
  std::string algorithm;                     // as in text, "dot_bf16_bf16_f32"; empty: unspecified

  void add_operand_precision(Precision precision) { operand_precision.push_back(precision); }
};

// The devices that take part in one run of a collective, in order.
struct ReplicaGroup {
  Int64List replica_ids;
  void add_replica_ids(std::int64_t id) { replica_ids.push_back(id); }
};

// The channel that the two ends of a transfer share.
struct ChannelHandle {
  enum ChannelType { CHANNEL_TYPE_INVALID, DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE };
  std::int64_t handle = 0;
  ChannelType type = CHANNEL_TYPE_INVALID;

  void set_handle(std::int64_t h) { handle = h; }
  void set_type(ChannelType t) { type = t; }
};

enum class FftType { FFT, IFFT, RFFT, IRFFT };

struct TriangularSolveOptions {
  enum Transpose { TRANSPOSE_INVALID, NO_TRANSPOSE, TRANSPOSE, ADJOINT };
};

enum RandomAlgorithm { RNG_DEFAULT, RNG_THREE_FRY, RNG_PHILOX };

}  // namespace assay::xla
