#include <algorithm>
#include <set>

#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/common/in_place_permute.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// A device sends to another, the first or a later slice of each buffer.
struct Sent {
  std::size_t source = 0;  // the position among the devices that meet
  std::int64_t slice = 0;
};

// Returns the result of a device with the operands `own`, to which `sent` goes. `brought` has the operands of each
// device that meets.
Literal Received(const HloInstruction& permute, const std::vector<Sent>& sent, Contributions brought,
                 const std::vector<Literal>& own, const CollectiveSteps& steps) {
  if (permute.Has("slice_sizes")) {
    Literal result = own[1];
    for (const auto& [source, slice] : sent) CopySlices(permute, slice, brought[source], own, result, steps);
    return result;
  }
  if (!sent.empty()) return Joined(brought[sent[0].source]);
  std::vector<Literal> zeros;
  for (const Literal& operand : own) zeros.emplace_back(operand.shape());
  return Joined(std::move(zeros));
}

// Returns what the pairs send to a device. Those of the first slice precede those of the second, which are as many.
std::vector<Sent> SentTo(const HloInstruction& permute, std::int64_t target, const std::vector<std::int64_t>& ids) {
  const auto& pairs = *permute.Find<std::vector<Int64List>>("source_target_pairs");
  const std::int64_t of_slice = std::ssize(pairs) / SentSlices(permute);
  std::vector<Sent> sent;
  for (std::int64_t i = 0; i < std::ssize(pairs); ++i) {
    if (pairs[i][1] != target) continue;
    sent.push_back({static_cast<std::size_t>(std::ranges::find(ids, pairs[i][0]) - ids.begin()), i / of_slice});
  }
  return sent;
}

}  // namespace

// result_t = operand_s if {s, t} is one of source_target_pairs, and 0 if no pair has the target t. With slice_sizes,
// result_t is output_t with slices of the inputs in it. Only devices that the pairs name meet.
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
  if (std::ranges::count(participants, device.id()) == 0) return Received(instruction, {}, {}, own, steps);
  return device.Meet(instruction, participants, std::move(own), [&](Contributions brought) {
    std::vector<Literal> results;
    for (std::size_t k = 0; k < ids.size(); ++k) {
      results.push_back(Received(instruction, SentTo(instruction, ids[k], ids), brought, brought[k], steps));
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
            .types = kArrays | kTuples,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferCollectivePermute,
        },
    .evaluation = {.evaluate = EvaluateCollective<CollectivePermute, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
