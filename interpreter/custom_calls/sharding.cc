#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/common/legality.h"

namespace assay {
namespace {

Status CheckIdentity(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckCount(call, 1));
  return CheckSameShape(call, "the result", call.shape, "the operand", call.operand(0).shape);
}

// Fails unless operand and result have compatible shapes. The shape of the whole array and that of one partition differ
// as soon as a dimension is partitioned. A call with a known mesh and sharding was replaced by ordinary instructions
// (interpreter/hlo/shard_maps.h).
Status CheckOnePartition(const HloInstruction& call) {
  if (call.operands.size() == 1 && ShapeUtil::Compatible(call.shape, call.operand(0).shape)) return {};
  Error error = IllegalInstruction(
      call, fmt::format("{} needs the mesh and the shardings of its module: take the text of lower(...).as_text(), or "
                        "what XLA dumps as module_*.before_optimizations.txt",
                        call.String("custom_call_target")));
  error.code = ErrorCode::kUnsupported;
  return error;
}

Literal Operand(const HloInstruction&, std::span<Literal> operands, Evaluation&) { return std::move(operands[0]); }

const CustomCallTarget kShardingTargets[] = {
    {
        .names = {"Sharding", "xla.sdy.FuncResultSharding", "xla.sdy.PropagationBarrier", "annotate_device_placement",
                  "LayoutConstraint", "MoveToDevice", "MoveToHost"},
        .meaning = "The operand: the call only says where or how it is to be stored.",
        .check = CheckIdentity,
        .evaluate = Operand,
        .sees_run_time_sizes = true,
    },
    {
        .names = {"SPMDFullToShardShape", "SPMDShardToFullShape", "xla.sdy.GlobalToLocalShape",
                  "xla.sdy.LocalToGlobalShape"},
        .meaning = "The tile of a whole array that a partition has, or the whole made of the tiles of all partitions.",
        .check = CheckOnePartition,
        .evaluate = Operand,
        .sees_run_time_sizes = true,
    },
};

}  // namespace

const TargetFamily targets_sharding = kShardingTargets;

}  // namespace assay
