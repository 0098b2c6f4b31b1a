// The structures of attributes as messages. A list of the members of each structure and their fields drives both
// reading and writing.
#pragma once

#include <string>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/buffer_aliases.h"
#include "interpreter/hlo/sparsity_text.h"
#include "interpreter/proto/message.h"
#include "interpreter/types/result.h"

namespace assay::proto {

// A member of a structure, an integer, a bool or a list of integers, and its field.
template <class Struct>
struct Member {
  constexpr Member(const Field& f, std::int64_t Struct::*m) : field(&f), integer(m) {}
  constexpr Member(const Field& f, bool Struct::*m) : field(&f), flag(m) {}
  constexpr Member(const Field& f, std::vector<std::int64_t> Struct::*m) : field(&f), list(m) {}

  const Field* field;
  std::int64_t Struct::*integer = nullptr;
  bool Struct::*flag = nullptr;
  std::vector<std::int64_t> Struct::*list = nullptr;
};

struct SourceTargetPair {
  std::int64_t source = 0;
  std::int64_t target = 0;
};

template <class Struct>
inline constexpr int kMembers = 0;
template <>
inline constexpr Member<WindowDimension> kMembers<WindowDimension>[] = {
    {fields::WindowDimension::size, &WindowDimension::size},
    {fields::WindowDimension::stride, &WindowDimension::stride},
    {fields::WindowDimension::padding_low, &WindowDimension::padding_low},
    {fields::WindowDimension::padding_high, &WindowDimension::padding_high},
    {fields::WindowDimension::window_dilation, &WindowDimension::window_dilation},
    {fields::WindowDimension::base_dilation, &WindowDimension::base_dilation},
    {fields::WindowDimension::window_reversal, &WindowDimension::window_reversal}};
namespace padding = fields::PaddingConfig_PaddingConfigDimension;
template <>
inline constexpr Member<PaddingConfigDimension> kMembers<PaddingConfigDimension>[] = {
    {padding::edge_padding_low, &PaddingConfigDimension::edge_padding_low},
    {padding::edge_padding_high, &PaddingConfigDimension::edge_padding_high},
    {padding::interior_padding, &PaddingConfigDimension::interior_padding}};
namespace slice = fields::HloInstructionProto_SliceDimensions;
template <>
inline constexpr Member<SliceDimension> kMembers<SliceDimension>[] = {{slice::start, &SliceDimension::start},
                                                                      {slice::limit, &SliceDimension::limit},
                                                                      {slice::stride, &SliceDimension::stride}};
namespace aliasing = fields::OutputOperandAliasing;
template <>
inline constexpr Member<OutputOperandAlias> kMembers<OutputOperandAlias>[] = {
    {aliasing::output_shape_index, &OutputOperandAlias::output_index},
    {aliasing::operand_index, &OutputOperandAlias::operand},
    {aliasing::operand_shape_index, &OutputOperandAlias::operand_index}};
namespace alias = fields::HloInputOutputAliasProto_AliasEntryProto;
template <>
inline constexpr Member<BufferAlias> kMembers<BufferAlias>[] = {{alias::output_shape_index, &BufferAlias::output},
                                                                {alias::parameter_number, &BufferAlias::parameter},
                                                                {alias::parameter_shape_index, &BufferAlias::index},
                                                                {alias::kind, &BufferAlias::kind}};
namespace donor = fields::HloBufferDonorProto_BufferDonorEntryProto;
template <>
inline constexpr Member<ParameterBuffer> kMembers<ParameterBuffer>[] = {
    {donor::parameter_number, &ParameterBuffer::parameter}, {donor::parameter_shape_index, &ParameterBuffer::index}};
namespace convolution = fields::ConvolutionDimensionNumbers;
template <>
inline constexpr Member<ConvolutionDimensionNumbers> kMembers<ConvolutionDimensionNumbers>[] = {
    {convolution::input_batch_dimension, &ConvolutionDimensionNumbers::input_batch_dimension},
    {convolution::input_feature_dimension, &ConvolutionDimensionNumbers::input_feature_dimension},
    {convolution::input_spatial_dimensions, &ConvolutionDimensionNumbers::input_spatial_dimensions},
    {convolution::kernel_input_feature_dimension, &ConvolutionDimensionNumbers::kernel_input_feature_dimension},
    {convolution::kernel_output_feature_dimension, &ConvolutionDimensionNumbers::kernel_output_feature_dimension},
    {convolution::kernel_spatial_dimensions, &ConvolutionDimensionNumbers::kernel_spatial_dimensions},
    {convolution::output_batch_dimension, &ConvolutionDimensionNumbers::output_batch_dimension},
    {convolution::output_feature_dimension, &ConvolutionDimensionNumbers::output_feature_dimension},
    {convolution::output_spatial_dimensions, &ConvolutionDimensionNumbers::output_spatial_dimensions}};
template <>
inline constexpr Member<SourceTargetPair> kMembers<SourceTargetPair>[] = {
    {fields::SourceTarget::source, &SourceTargetPair::source},
    {fields::SourceTarget::target, &SourceTargetPair::target}};
namespace sparsity = fields::SparsityConfig_TensorSparsityConfig;
template <>
inline constexpr Member<TensorSparsity> kMembers<TensorSparsity>[] = {{sparsity::num_non_zero, &TensorSparsity::kept},
                                                                      {sparsity::block_size, &TensorSparsity::block},
                                                                      {sparsity::dimension, &TensorSparsity::dimension},
                                                                      {sparsity::stride, &TensorSparsity::stride},
                                                                      {sparsity::idx, &TensorSparsity::index}};

template <class Struct>
Struct ReadMembers(const Message& message) {
  Struct value;
  for (const Member<Struct>& member : kMembers<Struct>) {
    if (member.integer != nullptr) value.*member.integer = message.Integer(*member.field);
    if (member.flag != nullptr) value.*member.flag = message.Bool(*member.field);
    if (member.list != nullptr) value.*member.list = message.Integers(*member.field);
  }
  return value;
}

template <class Struct>
MessageWriter WriteMembers(const Struct& value) {
  MessageWriter message;
  for (const Member<Struct>& member : kMembers<Struct>) {
    if (member.integer != nullptr) message.Integer(*member.field, value.*member.integer);
    if (member.flag != nullptr) message.Integer(*member.field, value.*member.flag ? 1 : 0);
    if (member.list != nullptr) message.Integers(*member.field, value.*member.list);
  }
  return message;
}

// Reads and writes the messages of a repeated field as structures.
template <class List>
List ReadList(const Message& message, const Field& field) {
  List list;
  for (const std::string_view bytes : message.Texts(field)) {
    list.push_back(ReadMembers<typename List::value_type>(Message(bytes)));
  }
  return list;
}
template <class List>
void WriteList(const List& list, const Field& field, MessageWriter& message) {
  for (const auto& value : list) message.Sub(field, WriteMembers(value));
}

// Fails (kParse) for numbers that dim_labels cannot express.
Result<ConvolutionDimensionNumbers> ReadDimensionNumbers(const Message& message);

// Returns the text of sparsity_config={...}; empty for a message without a side.
std::string ReadSparsity(const Message& message);
MessageWriter WriteSparsity(const std::string& text);

}  // namespace assay::proto
