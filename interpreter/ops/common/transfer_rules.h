// What a send and a recv have in common: their result, and who they are for.
#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/hlo/device.h"
#include "interpreter/hlo/module.h"

namespace assay {

// (data, u32[], token[])
Shape TransferShape(const Shape& data);

// Older modules write (data, u32[]) or (data, data, token[]) for the result of a send or a recv: such a result becomes
// that of today. Any other stays as it is written, and the verifier compares it.
void ModernizeTransfer(HloInstruction& start, const Shape& data);

struct TransferPeer {
  bool takes_part = true;          // false: the pairs do not name the running device
  std::optional<DeviceId> device;  // none: any other device on the channel
};

// By the frontend attribute _xla_send_recv_source_target_pairs, "{{source,target},...}", whose ids are partitions where
// there are several, else replicas. Without it any device may be the peer. Throws EvaluationError for pairs that cannot
// be read or name a device that does not run.
TransferPeer TargetOf(const HloInstruction& send, const Device& device);
TransferPeer SourceOf(const HloInstruction& recv, const Device& device);

// How many devices there must be for the ids in the pairs; 0 without pairs.
std::int64_t DevicesInPairs(const HloInstruction& transfer);

}  // namespace assay
