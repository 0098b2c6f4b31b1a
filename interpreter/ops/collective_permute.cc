#include <algorithm>
#include <set>

#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

// Returns the first index of a window of these sizes, clamped into the array.
Index StartIndices(const Literal& starts, const Shape& array, const Int64List& sizes) {
  Index start;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::int64_t last = array.dimensions(static_cast<std::int64_t>(d)) - sizes[d];
    start.push_back(std::clamp<std::int64_t>(IntegerOf(At(starts.elements()[d], {})), 0, last));
  }
  return start;
}

// Returns the result of a device with the operands `own`. `from` holds the operands of its source; null: it has none.
Literal Received(const HloInstruction& permute, const std::vector<Literal>* from, const std::vector<Literal>& own,
                 const CollectiveSteps& steps) {
  if (permute.Has("slice_sizes")) {
    Literal result = own[1];
    if (from == nullptr) return result;
    const Literal& input = (*from)[0];
    const Int64List& sizes = permute.Find<std::vector<Int64List>>("slice_sizes")->front();
    steps.copy(input, StartIndices((*from)[2], input.shape(), sizes), result,
               StartIndices(own[3], result.shape(), sizes), sizes);
    return result;
  }
  if (from != nullptr) return Joined(*from);
  std::vector<Literal> zeros;
  for (const Literal& operand : own) zeros.emplace_back(operand.shape());
  return Joined(std::move(zeros));
}

Literal EvaluateCollectivePermute(const HloInstruction& instruction, std::span<Literal> operands,
                                  Evaluation& evaluation) {
  return CollectivePermute(instruction, operands, evaluation, kPlainSteps);
}

}  // namespace

// result_t = operand_s if {s, t} is one of source_target_pairs, and 0 if no pair has the target t. With slice_sizes,
// result_t is output_t with a window of input_s in it. Only devices that the pairs name meet.
Literal CollectivePermute(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                          const CollectiveSteps& steps) {
  Device& device = evaluation.device();
  const auto& pairs = *instruction.Find<std::vector<Int64List>>("source_target_pairs");
  std::set<std::int64_t> named;
  for (const Int64List& pair : pairs) named.insert(pair.begin(), pair.end());
  const std::vector<std::int64_t> ids(named.begin(), named.end());
  const auto mode =
      instruction.Has("channel_id") ? CollectiveGroupMode::kCrossPartition : CollectiveGroupMode::kCrossReplica;
  const auto participants = DevicesInGroup(instruction, "source_target_pairs", mode, ids, device);
  std::vector<Literal> own(operands.begin(), operands.end());
  if (std::ranges::count(participants, device.id()) == 0) return Received(instruction, nullptr, own, steps);
  return device.Meet(instruction, participants, std::move(own), [&](Contributions brought) {
    std::vector<Literal> results;
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const auto pair = std::ranges::find(pairs, ids[k], [](const Int64List& p) { return p[1]; });
      const bool is_target = pair != pairs.end();
      const auto source = is_target ? std::ranges::find(ids, (*pair)[0]) - ids.begin() : 0;
      results.push_back(Received(instruction, is_target ? &brought[source] : nullptr, brought[k], steps));
    }
    return results;
  });
}

const Op op_collective_permute = {
    .name = "collective-permute",
    .meaning = "Operands sent from source to target devices; zeros where nothing arrives.",
    .syntax = {.attributes = CollectivePermuteAttributes(), .shape_is_inferable = false},
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferCollectivePermute,
        },
    .evaluation = {.evaluate = EvaluateCollectivePermute, .depends_on_device = true},
};

}  // namespace assay
