// Collectives that fold whole arrays, sums along one axis among them, and copy runs of elements.
#include "interpreter/kernels/common/collective_steps.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

constexpr OpKernel kCollectiveKernels[] = {
    {.op = &op_all_gather, .evaluate = EvaluateCollective<AllGather, kFastSteps>},
    {.op = &op_all_gather_start, .evaluate = EvaluateStart<AllGather, kFastSteps>},
    {.op = &op_all_reduce, .evaluate = EvaluateCollective<AllReduce, kFastSteps>},
    {.op = &op_all_reduce_start, .evaluate = EvaluatePending<AllReduce, kFastSteps>},
    {.op = &op_all_to_all, .evaluate = EvaluateCollective<AllToAll, kFastSteps>},
    {.op = &op_collective_permute, .evaluate = EvaluateCollective<CollectivePermute, kFastSteps>},
    {.op = &op_collective_permute_start, .evaluate = EvaluateStart<CollectivePermute, kFastSteps>},
    {.op = &op_collective_reduce, .evaluate = EvaluateCollective<CollectiveReduce, kFastSteps>},
    {.op = &op_ragged_all_to_all, .evaluate = EvaluateCollective<RaggedAllToAll, kFastSteps>},
    {.op = &op_reduce_scatter, .evaluate = EvaluateCollective<ReduceScatter, kFastSteps>},
};

}  // namespace

std::span<const OpKernel> CollectiveKernels() { return kCollectiveKernels; }

}  // namespace assay
