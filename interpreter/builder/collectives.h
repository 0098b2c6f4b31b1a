// Operations between devices, whose number SetDeviceCounts of the builder sets. Without replica_groups, all devices are
// one group. With a channel_id, the ids of AllToAll, CollectivePermute and the like are those of partitions; the ids of
// AllGather, AllReduce and ReduceScatter stay replicas, each with all of its partitions, or are devices with
// use_global_device_ids. A layout is that of the result.
#pragma once

#include <optional>

#include "interpreter/builder/builder.h"
#include "interpreter/builder/dimension_numbers.h"

namespace assay::xla {

XlaOp ReplicaId(XlaBuilder* builder);
XlaOp PartitionId(XlaBuilder* builder);

// Joins the operands of a group's shard_count devices along a dimension.
XlaOp AllGather(XlaOp operand, std::int64_t all_gather_dimension, std::int64_t shard_count,
                const std::vector<ReplicaGroup>& replica_groups = {},
                const std::optional<ChannelHandle>& channel_id = std::nullopt,
                const std::optional<Layout>& layout = std::nullopt,
                std::optional<bool> use_global_device_ids = std::nullopt);
// Reduces a tuple element by element.
XlaOp AllReduce(XlaOp operand, const XlaComputation& computation, const std::vector<ReplicaGroup>& replica_groups = {},
                const std::optional<ChannelHandle>& channel_id = std::nullopt,
                const std::optional<Shape>& shape_with_layout = std::nullopt,
                std::optional<bool> use_global_device_ids = std::nullopt);
// AllReduce by addition, or by `or` for preds.
XlaOp CrossReplicaSum(XlaOp operand, const std::vector<ReplicaGroup>& replica_groups = {});
// Reduces a tuple element by element.
XlaOp ReduceScatter(XlaOp operand, const XlaComputation& computation, std::int64_t scatter_dimension,
                    std::int64_t shard_count, const std::vector<ReplicaGroup>& replica_groups = {},
                    const std::optional<ChannelHandle>& channel_id = std::nullopt,
                    const std::optional<Layout>& layout = std::nullopt,
                    std::optional<bool> use_global_device_ids = std::nullopt);
// Sends block i of the split_count along split_dimension to device i of the group, and joins the received blocks along
// concat_dimension. With a layout, uses AllToAllTuple. Without replica_groups, there must be split_count devices.
XlaOp AllToAll(XlaOp operand, std::int64_t split_dimension, std::int64_t concat_dimension, std::int64_t split_count,
               const std::vector<ReplicaGroup>& replica_groups = {}, const std::optional<Layout>& layout = std::nullopt,
               const std::optional<ChannelHandle>& channel_id = std::nullopt);
// Sends operand i to device i of the group.
XlaOp AllToAllTuple(const std::vector<XlaOp>& operands, const std::vector<ReplicaGroup>& replica_groups = {},
                    const std::optional<Layout>& layout = std::nullopt,
                    const std::optional<ChannelHandle>& channel_id = std::nullopt);
// AllToAll with the blocks as separate operands.
XlaOp AllToAllTuple(XlaOp operand, std::int64_t split_dimension, std::int64_t concat_dimension,
                    std::int64_t split_count, const std::vector<ReplicaGroup>& replica_groups = {},
                    const std::optional<Layout>& layout = std::nullopt,
                    const std::optional<ChannelHandle>& channel_id = std::nullopt);
XlaOp RaggedAllToAll(XlaOp input, XlaOp input_offsets, XlaOp send_sizes, XlaOp output, XlaOp output_offsets,
                     XlaOp recv_sizes, const std::vector<ReplicaGroup>& replica_groups = {},
                     const std::optional<ChannelHandle>& channel_id = std::nullopt);
XlaOp CollectiveBroadcast(XlaOp operand, const std::vector<ReplicaGroup>& replica_groups,
                          const std::optional<ChannelHandle>& channel_id = std::nullopt);
XlaOp CollectivePermute(XlaOp operand, const std::vector<std::pair<std::int64_t, std::int64_t>>& source_target_pairs,
                        const std::optional<ChannelHandle>& channel_id = std::nullopt);

}  // namespace assay::xla
