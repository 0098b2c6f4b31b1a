// Operations between devices. SetDeviceCounts of the builder says how many there are. No replica_groups: one group of
// all. A channel_id makes the ids of AllToAll, CollectivePermute and the like those of partitions; those of AllGather,
// AllReduce and ReduceScatter stay replicas, each with all of its partitions, or with use_global_device_ids are
// devices. A layout is that of the result, and kept.
#pragma once

#include <optional>

#include "interpreter/builder/builder.h"
#include "interpreter/builder/dimension_numbers.h"

namespace assay::xla {

XlaOp ReplicaId(XlaBuilder* builder);
XlaOp PartitionId(XlaBuilder* builder);

// The operands of a group's shard_count devices, joined along a dimension.
XlaOp AllGather(XlaOp operand, std::int64_t all_gather_dimension, std::int64_t shard_count,
                const std::vector<ReplicaGroup>& replica_groups = {},
                const std::optional<ChannelHandle>& channel_id = std::nullopt,
                const std::optional<Layout>& layout = std::nullopt,
                std::optional<bool> use_global_device_ids = std::nullopt);
// Of a tuple, element by element.
XlaOp AllReduce(XlaOp operand, const XlaComputation& computation, const std::vector<ReplicaGroup>& replica_groups = {},
                const std::optional<ChannelHandle>& channel_id = std::nullopt,
                const std::optional<Shape>& shape_with_layout = std::nullopt,
                std::optional<bool> use_global_device_ids = std::nullopt);
// AllReduce by addition, of preds by or.
XlaOp CrossReplicaSum(XlaOp operand, const std::vector<ReplicaGroup>& replica_groups = {});
// Of a tuple, element by element.
XlaOp ReduceScatter(XlaOp operand, const XlaComputation& computation, std::int64_t scatter_dimension,
                    std::int64_t shard_count, const std::vector<ReplicaGroup>& replica_groups = {},
                    const std::optional<ChannelHandle>& channel_id = std::nullopt,
                    const std::optional<Layout>& layout = std::nullopt,
                    std::optional<bool> use_global_device_ids = std::nullopt);
// Block i of the split_count along split_dimension goes to device i of the group; what comes is joined along
// concat_dimension. With a layout, by way of AllToAllTuple. No replica_groups: there must be split_count devices.
XlaOp AllToAll(XlaOp operand, std::int64_t split_dimension, std::int64_t concat_dimension, std::int64_t split_count,
               const std::vector<ReplicaGroup>& replica_groups = {}, const std::optional<Layout>& layout = std::nullopt,
               const std::optional<ChannelHandle>& channel_id = std::nullopt);
// Operand i goes to device i of the group.
XlaOp AllToAllTuple(const std::vector<XlaOp>& operands, const std::vector<ReplicaGroup>& replica_groups = {},
                    const std::optional<Layout>& layout = std::nullopt,
                    const std::optional<ChannelHandle>& channel_id = std::nullopt);
// AllToAll with the blocks as operands of their own.
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
