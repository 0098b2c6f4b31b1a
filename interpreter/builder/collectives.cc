#include "interpreter/builder/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "interpreter/builder/add_instruction.h"
#include "interpreter/builder/data_movement.h"
#include "interpreter/builder/elementwise.h"

namespace assay::xla {
namespace {

std::vector<OpAttribute> Participants(const std::vector<ReplicaGroup>& groups,
                                      const std::optional<ChannelHandle>& channel, bool constrains_layout = false,
                                      std::optional<bool> use_global_device_ids = std::nullopt) {
  ReplicaGroups replica_groups;
  for (const ReplicaGroup& group : groups) replica_groups.groups.push_back(group.replica_ids);
  std::vector<OpAttribute> attributes = {{"replica_groups", std::move(replica_groups)}};
  if (channel) attributes.emplace_back("channel_id", channel->handle);
  if (constrains_layout) attributes.emplace_back("constrain_layout", true);
  if (use_global_device_ids) attributes.emplace_back("use_global_device_ids", *use_global_device_ids);
  return attributes;
}

// Returns the elements of a tuple, which are the operands of a collective, or the array itself.
std::vector<XlaOp> Elements(XlaOp operand) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr || !shape->IsTuple()) return {operand};
  std::vector<XlaOp> elements;
  for (std::size_t i = 0; i < shape->tuple_shapes().size(); ++i) elements.push_back(GetTupleElement(operand, i));
  return elements;
}

// Adds a collective of the elements of `operand`. Its result is a tuple if the operand is, even for a tuple of one
// array.
XlaOp AddOfElements(std::string_view op, XlaOp operand, std::vector<OpAttribute> attributes,
                    std::optional<Shape> result) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return AddInstruction(op, {operand});
  const bool is_tuple_of_one = shape->IsTuple() && shape->tuple_shapes().size() == 1;
  if (is_tuple_of_one && result && result->IsTuple() && result->tuple_shapes().size() == 1) {
    result = result->tuple_shapes(0);
  }
  const XlaOp collective =
      AddInstruction(operand.builder(), op, Elements(operand), std::move(attributes), std::move(result));
  return is_tuple_of_one ? Tuple(operand.builder(), {collective}) : collective;
}

// Returns the shape of an array, or of the arrays in a tuple, with the size of a dimension and the layout changed.
template <class Resize>
Shape Resized(XlaOp operand, std::int64_t dimension, const std::optional<Layout>& layout, Resize resize) {
  Shape result = FindShape(operand) == nullptr ? Shape() : *FindShape(operand);
  const auto change = [&](Shape& array) {
    const bool has_dimension = dimension >= 0 && dimension < array.rank();
    if (has_dimension) array.set_dimensions(dimension, resize(array.dimensions(dimension)));
    if (layout) array.set_layout(*layout);
  };
  if (result.IsTuple()) {
    std::ranges::for_each(result.mutable_tuple_shapes(), change);
  } else {
    change(result);
  }
  return result;
}

// Returns the size of the dimension, in an array or in an array of a tuple, if that many shards do not divide it.
std::optional<std::int64_t> UnevenSize(XlaOp operand, std::int64_t dimension, std::int64_t shard_count) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return std::nullopt;
  const std::vector<Shape> arrays = shape->IsTuple() ? shape->tuple_shapes() : std::vector{*shape};
  for (const Shape& array : arrays) {
    const bool has_dimension = dimension >= 0 && dimension < array.rank();
    if (has_dimension && array.dimensions(dimension) % shard_count != 0) return array.dimensions(dimension);
  }
  return std::nullopt;
}

Status CheckSplit(XlaOp operand, std::int64_t split_dimension, std::int64_t concat_dimension, std::int64_t split_count,
                  const std::vector<ReplicaGroup>& groups, const std::optional<ChannelHandle>& channel_id) {
  const Shape& shape = *FindShape(operand);
  const std::int64_t participants =
      channel_id ? operand.builder()->num_partitions() : operand.builder()->replica_count();
  const auto illegal = [](std::string message) { return Error{ErrorCode::kIllegal, std::move(message)}; };
  if (!shape.IsArray()) return illegal("the operand must be an array");
  for (const std::int64_t d : {split_dimension, concat_dimension}) {
    if (d < 0 || d >= shape.rank()) return illegal(fmt::format("there is no dimension {}", d));
  }
  constexpr std::int64_t kMostBlocks = 1 << 20;
  if (split_count <= 0 || split_count > kMostBlocks || shape.dimensions(split_dimension) % split_count != 0) {
    return illegal(fmt::format("dimension {} cannot be split into {} blocks", split_dimension, split_count));
  }
  for (const ReplicaGroup& group : groups) {
    const auto size = static_cast<std::int64_t>(group.replica_ids.size());
    if (size != split_count) return illegal(fmt::format("a group of {} takes {} blocks", size, split_count));
  }
  // A count of 1 is that of a builder without SetDeviceCounts: the verifier then checks the groups.
  if (groups.empty() && participants != 1 && split_count != participants) {
    return illegal(fmt::format("without replica_groups, split_count must be the number of devices, {}, found {}",
                               participants, split_count));
  }
  return {};
}

// Returns the groups; without any, one group of as many devices as there are blocks. The group is explicit, so that the
// verifier detects a different number of devices in whichever module calls the operation.
std::vector<ReplicaGroup> GroupsOf(std::int64_t split_count, const std::vector<ReplicaGroup>& replica_groups) {
  return replica_groups.empty() ? std::vector<ReplicaGroup>{{AllDimensions(split_count)}} : replica_groups;
}

}  // namespace

XlaOp ReplicaId(XlaBuilder* builder) { return AddInstruction(builder, "replica-id", {}); }
XlaOp PartitionId(XlaBuilder* builder) { return AddInstruction(builder, "partition-id", {}); }

XlaOp AllGather(XlaOp operand, std::int64_t all_gather_dimension, std::int64_t shard_count,
                const std::vector<ReplicaGroup>& replica_groups, const std::optional<ChannelHandle>& channel_id,
                const std::optional<Layout>& layout, std::optional<bool> use_global_device_ids) {
  std::vector<OpAttribute> attributes =
      Participants(replica_groups, channel_id, layout.has_value(), use_global_device_ids);
  attributes.emplace_back("dimensions", Int64List{all_gather_dimension});
  const auto gathered = [&](std::int64_t size) { return SizeTimes(size, shard_count); };
  return AddOfElements("all-gather", operand, std::move(attributes),
                       Resized(operand, all_gather_dimension, layout, gathered));
}

XlaOp AllReduce(XlaOp operand, const XlaComputation& computation, const std::vector<ReplicaGroup>& replica_groups,
                const std::optional<ChannelHandle>& channel_id, const std::optional<Shape>& shape_with_layout,
                std::optional<bool> use_global_device_ids) {
  std::vector<OpAttribute> attributes =
      Participants(replica_groups, channel_id, shape_with_layout.has_value(), use_global_device_ids);
  attributes.emplace_back("to_apply", computation);
  return AddOfElements("all-reduce", operand, std::move(attributes), shape_with_layout);
}

XlaOp CrossReplicaSum(XlaOp operand, const std::vector<ReplicaGroup>& replica_groups) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return AddInstruction("all-reduce", {operand});
  const bool is_tuple = shape->IsTuple() && !shape->tuple_shapes().empty();
  const PrimitiveType type = (is_tuple ? shape->tuple_shapes(0) : *shape).element_type();
  XlaBuilder adder("sum");
  const Shape scalar = ShapeUtil::MakeScalarShape(type);
  const XlaOp x = Parameter(&adder, 0, scalar, "x");
  const XlaOp y = Parameter(&adder, 1, scalar, "y");
  type == PRED ? Or(x, y) : Add(x, y);
  const Result<XlaComputation> sum = adder.Build();
  if (!sum) return ReportIllegal("all-reduce", {operand}, "only arrays and tuples of arrays can be summed");
  return AllReduce(operand, *sum, replica_groups);
}

XlaOp ReduceScatter(XlaOp operand, const XlaComputation& computation, std::int64_t scatter_dimension,
                    std::int64_t shard_count, const std::vector<ReplicaGroup>& replica_groups,
                    const std::optional<ChannelHandle>& channel_id, const std::optional<Layout>& layout,
                    std::optional<bool> use_global_device_ids) {
  if (shard_count <= 0) return ReportIllegal("reduce-scatter", {operand}, "shard_count must be positive");
  if (const std::optional<std::int64_t> size = UnevenSize(operand, scatter_dimension, shard_count)) {
    return ReportIllegal(
        "reduce-scatter", {operand},
        fmt::format("dimension {} of size {} cannot be split into {} shards", scatter_dimension, *size, shard_count));
  }
  std::vector<OpAttribute> attributes =
      Participants(replica_groups, channel_id, layout.has_value(), use_global_device_ids);
  attributes.emplace_back("dimensions", Int64List{scatter_dimension});
  attributes.emplace_back("to_apply", computation);
  const auto scattered = [&](std::int64_t size) { return size / shard_count; };
  return AddOfElements("reduce-scatter", operand, std::move(attributes),
                       Resized(operand, scatter_dimension, layout, scattered));
}

// The instruction splits and joins along split_dimension; its blocks then move to concat_dimension.
XlaOp AllToAll(XlaOp operand, std::int64_t split_dimension, std::int64_t concat_dimension, std::int64_t split_count,
               const std::vector<ReplicaGroup>& replica_groups, const std::optional<Layout>& layout,
               const std::optional<ChannelHandle>& channel_id) {
  if (layout) {
    return AllToAllTuple(operand, split_dimension, concat_dimension, split_count, replica_groups, layout, channel_id);
  }
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return AddInstruction("all-to-all", {operand});
  const Status legal = CheckSplit(operand, split_dimension, concat_dimension, split_count, replica_groups, channel_id);
  if (!legal) return ReportIllegal("all-to-all", {operand}, legal.error().message);
  std::vector<OpAttribute> attributes = Participants(GroupsOf(split_count, replica_groups), channel_id);
  attributes.emplace_back("dimensions", Int64List{split_dimension});
  const XlaOp exchanged = AddInstruction("all-to-all", {operand}, std::move(attributes), *shape);
  if (split_dimension == concat_dimension) return exchanged;
  Int64List blocks = shape->dimensions(), joined = shape->dimensions(), permutation;
  blocks[split_dimension] /= split_count;
  blocks.insert(blocks.begin() + split_dimension, split_count);
  joined[split_dimension] /= split_count;
  joined[concat_dimension] = SizeTimes(joined[concat_dimension], split_count);
  for (std::int64_t d = 0; d < shape->rank(); ++d) {
    if (d == concat_dimension) permutation.push_back(split_dimension);
    permutation.push_back(d < split_dimension ? d : d + 1);
  }
  return Reshape(Transpose(Reshape(exchanged, blocks), permutation), joined);
}

XlaOp AllToAllTuple(const std::vector<XlaOp>& operands, const std::vector<ReplicaGroup>& replica_groups,
                    const std::optional<Layout>& layout, const std::optional<ChannelHandle>& channel_id) {
  std::optional<Shape> shape;
  if (layout) {
    std::vector<Shape> shapes;
    for (const XlaOp operand : operands) shapes.push_back(Resized(operand, -1, layout, std::identity()));
    shape = ShapeUtil::MakeTupleShape(std::move(shapes));
  }
  return AddInstruction("all-to-all", operands, Participants(replica_groups, channel_id, layout.has_value()),
                        std::move(shape));
}

XlaOp AllToAllTuple(XlaOp operand, std::int64_t split_dimension, std::int64_t concat_dimension,
                    std::int64_t split_count, const std::vector<ReplicaGroup>& replica_groups,
                    const std::optional<Layout>& layout, const std::optional<ChannelHandle>& channel_id) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return AddInstruction("all-to-all", {operand});
  const Status legal = CheckSplit(operand, split_dimension, concat_dimension, split_count, replica_groups, channel_id);
  if (!legal) return ReportIllegal("all-to-all", {operand}, legal.error().message);
  const std::int64_t size = shape->dimensions(split_dimension) / split_count;
  std::vector<XlaOp> blocks;
  for (std::int64_t i = 0; i < split_count; ++i) {
    blocks.push_back(SliceInDim(operand, i * size, (i + 1) * size, 1, split_dimension));
  }
  const XlaOp exchanged = AllToAllTuple(blocks, GroupsOf(split_count, replica_groups), layout, channel_id);
  return Concatenate(Elements(exchanged), concat_dimension);
}

XlaOp RaggedAllToAll(XlaOp input, XlaOp input_offsets, XlaOp send_sizes, XlaOp output, XlaOp output_offsets,
                     XlaOp recv_sizes, const std::vector<ReplicaGroup>& replica_groups,
                     const std::optional<ChannelHandle>& channel_id) {
  return AddInstruction("ragged-all-to-all", {input, output, input_offsets, send_sizes, output_offsets, recv_sizes},
                        Participants(replica_groups, channel_id));
}

XlaOp CollectiveBroadcast(XlaOp operand, const std::vector<ReplicaGroup>& replica_groups,
                          const std::optional<ChannelHandle>& channel_id) {
  return AddInstruction("collective-broadcast", {operand}, Participants(replica_groups, channel_id));
}

XlaOp CollectivePermute(XlaOp operand, const std::vector<std::pair<std::int64_t, std::int64_t>>& source_target_pairs,
                        const std::optional<ChannelHandle>& channel_id) {
  std::vector<Int64List> pairs;
  for (const auto& [source, target] : source_target_pairs) pairs.push_back({source, target});
  std::vector<OpAttribute> attributes = {{"source_target_pairs", std::move(pairs)}};
  if (channel_id) attributes.emplace_back("channel_id", channel_id->handle);
  return AddInstruction("collective-permute", {operand}, std::move(attributes));
}

}  // namespace assay::xla
