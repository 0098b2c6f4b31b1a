#include "interpreter/proto/structures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "interpreter/hlo/sparsity_text.h"
#include "interpreter/proto/members.h"
#include "interpreter/types/join_text.h"

namespace assay::proto {
namespace {

const std::vector<Member<WindowDimension>>& WindowMembers() {
  namespace field = fields::WindowDimension;
  using Dimension = WindowDimension;
  static const std::vector<Member<Dimension>> members = {{field::size, &Dimension::size},
                                                         {field::stride, &Dimension::stride},
                                                         {field::padding_low, &Dimension::padding_low},
                                                         {field::padding_high, &Dimension::padding_high},
                                                         {field::window_dilation, &Dimension::window_dilation},
                                                         {field::base_dilation, &Dimension::base_dilation},
                                                         {field::window_reversal, &Dimension::window_reversal}};
  return members;
}

const std::vector<Member<PaddingConfigDimension>>& PaddingMembers() {
  namespace field = fields::PaddingConfig_PaddingConfigDimension;
  using Dimension = PaddingConfigDimension;
  static const std::vector<Member<Dimension>> members = {{field::edge_padding_low, &Dimension::edge_padding_low},
                                                         {field::edge_padding_high, &Dimension::edge_padding_high},
                                                         {field::interior_padding, &Dimension::interior_padding}};
  return members;
}

const std::vector<Member<SliceDimension>>& SliceMembers() {
  namespace field = fields::HloInstructionProto_SliceDimensions;
  static const std::vector<Member<SliceDimension>> members = {{field::start, &SliceDimension::start},
                                                              {field::limit, &SliceDimension::limit},
                                                              {field::stride, &SliceDimension::stride}};
  return members;
}

const std::vector<Member<OutputOperandAlias>>& AliasMembers() {
  namespace field = fields::OutputOperandAliasing;
  using Alias = OutputOperandAlias;
  static const std::vector<Member<Alias>> members = {{field::output_shape_index, &Alias::output_index},
                                                     {field::operand_index, &Alias::operand},
                                                     {field::operand_shape_index, &Alias::operand_index}};
  return members;
}

const std::vector<Member<ConvolutionDimensionNumbers>>& NumberMembers() {
  namespace field = fields::ConvolutionDimensionNumbers;
  using Numbers = ConvolutionDimensionNumbers;
  static const std::vector<Member<Numbers>> members = {
      {field::input_batch_dimension, &Numbers::input_batch_dimension},
      {field::input_feature_dimension, &Numbers::input_feature_dimension},
      {field::input_spatial_dimensions, &Numbers::input_spatial_dimensions},
      {field::kernel_input_feature_dimension, &Numbers::kernel_input_feature_dimension},
      {field::kernel_output_feature_dimension, &Numbers::kernel_output_feature_dimension},
      {field::kernel_spatial_dimensions, &Numbers::kernel_spatial_dimensions},
      {field::output_batch_dimension, &Numbers::output_batch_dimension},
      {field::output_feature_dimension, &Numbers::output_feature_dimension},
      {field::output_spatial_dimensions, &Numbers::output_spatial_dimensions}};
  return members;
}

struct SourceTargetPair {
  std::int64_t source = 0;
  std::int64_t target = 0;
};

const std::vector<Member<SourceTargetPair>>& PairMembers() {
  static const std::vector<Member<SourceTargetPair>> members = {
      {fields::SourceTarget::source, &SourceTargetPair::source},
      {fields::SourceTarget::target, &SourceTargetPair::target}};
  return members;
}

const std::vector<Member<TensorSparsity>>& SparsityMembers() {
  namespace field = fields::SparsityConfig_TensorSparsityConfig;
  static const std::vector<Member<TensorSparsity>> members = {{field::num_non_zero, &TensorSparsity::kept},
                                                              {field::block_size, &TensorSparsity::block},
                                                              {field::dimension, &TensorSparsity::dimension},
                                                              {field::stride, &TensorSparsity::stride},
                                                              {field::idx, &TensorSparsity::index}};
  return members;
}

// True if dim_labels can express the dimension numbers of one operand or of the result: one letter or digit for each
// dimension.
bool AreLabels(std::int64_t first, std::int64_t second, const Int64List& spatial) {
  constexpr std::int64_t kMostPlaces = 100;
  Int64List all = spatial;
  all.insert(all.end(), {first, second});
  std::ranges::sort(all);
  return all.front() >= 0 && all.back() < kMostPlaces && std::ranges::adjacent_find(all) == all.end();
}

}  // namespace

Window ReadWindow(const Message& message) {
  using Dimensions = std::vector<WindowDimension>;
  return {ReadList<Dimensions>(message, fields::Window::dimensions, WindowMembers())};
}

MessageWriter WriteWindow(const Window& window) {
  MessageWriter message;
  WriteList(window.dimensions, fields::Window::dimensions, WindowMembers(), message);
  return message;
}

PaddingConfig ReadPadding(const Message& message) {
  return ReadList<PaddingConfig>(message, fields::PaddingConfig::dimensions, PaddingMembers());
}

MessageWriter WritePadding(const PaddingConfig& padding) {
  MessageWriter message;
  WriteList(padding, fields::PaddingConfig::dimensions, PaddingMembers(), message);
  return message;
}

SliceConfig ReadSlice(const Message& instruction) {
  return ReadList<SliceConfig>(instruction, fields::HloInstructionProto::slice_dimensions, SliceMembers());
}

void WriteSlice(const SliceConfig& slice, MessageWriter& instruction) {
  WriteList(slice, fields::HloInstructionProto::slice_dimensions, SliceMembers(), instruction);
}

std::vector<OutputOperandAlias> ReadAliases(const Message& instruction) {
  using Aliases = std::vector<OutputOperandAlias>;
  return ReadList<Aliases>(instruction, fields::HloInstructionProto::output_operand_aliasing, AliasMembers());
}

void WriteAliases(const std::vector<OutputOperandAlias>& aliases, MessageWriter& instruction) {
  WriteList(aliases, fields::HloInstructionProto::output_operand_aliasing, AliasMembers(), instruction);
}

std::vector<Int64List> ReadPairs(const Message& instruction) {
  std::vector<Int64List> lists;
  for (const std::string_view bytes : instruction.Texts(fields::HloInstructionProto::source_target_pairs)) {
    const SourceTargetPair pair = ReadMembers(Message(bytes), PairMembers());
    lists.push_back({pair.source, pair.target});
  }
  return lists;
}

void WritePairs(const std::vector<Int64List>& pairs, MessageWriter& instruction) {
  for (const Int64List& pair : pairs) {
    const SourceTargetPair members = {pair.empty() ? 0 : pair.front(), pair.empty() ? 0 : pair.back()};
    instruction.Sub(fields::HloInstructionProto::source_target_pairs, WriteMembers(members, PairMembers()));
  }
}

Result<ConvolutionDimensionNumbers> ReadDimensionNumbers(const Message& message) {
  ConvolutionDimensionNumbers numbers = ReadMembers(message, NumberMembers());
  constexpr std::size_t kMostSpatial = 10;  // digits
  const std::size_t spatial = numbers.input_spatial_dimensions.size();
  if (spatial > kMostSpatial || numbers.kernel_spatial_dimensions.size() != spatial ||
      numbers.output_spatial_dimensions.size() != spatial) {
    return Error{ErrorCode::kParse,
                 fmt::format("input, kernel and output must have the same number of spatial dimensions, at most {}; "
                             "found {}, {} and {}",
                             kMostSpatial, spatial, numbers.kernel_spatial_dimensions.size(),
                             numbers.output_spatial_dimensions.size())};
  }
  if (AreLabels(numbers.input_batch_dimension, numbers.input_feature_dimension, numbers.input_spatial_dimensions) &&
      AreLabels(numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension,
                numbers.kernel_spatial_dimensions) &&
      AreLabels(numbers.output_batch_dimension, numbers.output_feature_dimension, numbers.output_spatial_dimensions)) {
    return numbers;
  }
  return Error{ErrorCode::kParse, "the numbers of dimensions of a convolution must be different and not negative"};
}

MessageWriter WriteDimensionNumbers(const ConvolutionDimensionNumbers& numbers) {
  return WriteMembers(numbers, NumberMembers());
}

std::string ReadSparsity(const Message& message) {
  const auto side = [&](const Field& field) -> std::optional<TensorSparsity> {
    if (!message.Has(field)) return std::nullopt;
    return ReadMembers(message.Sub(field), SparsityMembers());
  };
  const SparsityConfig sparsity = {side(fields::SparsityConfig::lhs), side(fields::SparsityConfig::rhs)};
  return sparsity.lhs || sparsity.rhs ? ToText(sparsity) : std::string();
}

MessageWriter WriteSparsity(const std::string& text) {
  MessageWriter message;
  const SparsityConfig sparsity = SparsityOfText(text);
  if (sparsity.lhs) message.Sub(fields::SparsityConfig::lhs, WriteMembers(*sparsity.lhs, SparsityMembers()));
  if (sparsity.rhs) message.Sub(fields::SparsityConfig::rhs, WriteMembers(*sparsity.rhs, SparsityMembers()));
  return message;
}

}  // namespace assay::proto
