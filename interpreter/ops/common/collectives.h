// What collectives compute, for the op itself and for its asynchronous start.
#pragma once

#include <span>
#include <vector>

#include "interpreter/hlo/device.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// The devices of the running device's group, in the group's order; empty when it is in none. Throws EvaluationError
// where a group names a device that does not run.
std::vector<DeviceId> ParticipantsOf(const HloInstruction& collective, const Device& device);

using CollectiveBody = Literal (*)(const HloInstruction&, std::span<Literal> operands, Evaluation&);

Literal EvaluateAllReduce(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation);
Literal EvaluateAllGather(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation);
Literal EvaluateCollectivePermute(const HloInstruction& instruction, std::span<Literal> operands,
                                  Evaluation& evaluation);

// The folds of operand i of all participants, for each i.
std::vector<Literal> FoldContributions(const ScalarFunction& reducer, std::span<const std::vector<Literal>> brought);

// The participant whose operand i counts: the first, or the one that has_dynamic_root's operand of the first names.
std::size_t RootOf(const HloInstruction& instruction, std::span<const std::vector<Literal>> brought, std::size_t i);

// A whole of this shape is made of as many shards as the group has devices. Throws EvaluationError.
void CheckShardCount(const HloInstruction& instruction, const Shape& whole, const Shape& shard, std::size_t devices);
// An array's shape, or that of a tuple's first element.
const Shape& ElementOrSelf(const Shape& shape);

// One array or a tuple of several.
Literal Joined(std::vector<Literal> arrays);

// The body as a flow of its own: its result, promised.
Literal StartCollective(const HloInstruction& instruction, const Shape& result, std::span<Literal> operands,
                        Evaluation& evaluation, CollectiveBody body);
// "X-start" whose result is (operands, results, contexts...): the element in the middle is promised.
Literal StartCollectiveTuple(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                             CollectiveBody body);
// "X-done" of such a tuple.
Literal EvaluateDone(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation);

}  // namespace assay
