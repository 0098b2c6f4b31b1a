// Rules that send, recv and their ends share: the record, the result, and the peer.
#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/hlo/device.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/result.h"

namespace assay {

// Adds to a record the fields that are the same for all four ops.
Op Transfer(Op op);

// Checks that operand 0 of an end has the shape (data, u32[], token[]).
Status CheckStarted(const HloInstruction& done);

// Returns the shape (data, u32[], token[]).
Shape TransferShape(const Shape& data);

// Updates the result of a send or a recv in older modules, (data, u32[]) or (data, data, token[]), to the current
// shape. Keeps any other result for the verifier.
void ModernizeTransfer(HloInstruction& start, const Shape& data);

struct TransferPeer {
  bool takes_part = true;          // false: the pairs do not name the running device
  std::optional<DeviceId> device;  // none: any other device on the channel
};

// Return the peer by the frontend attribute _xla_send_recv_source_target_pairs, "{{source,target},...}". Its ids are
// partitions if there are several, otherwise replicas. Without it any device may be the peer. Throws EvaluationError
// for pairs that cannot be parsed or that name a device that does not run.
TransferPeer TargetOf(const HloInstruction& send, const Device& device);
TransferPeer SourceOf(const HloInstruction& recv, const Device& device);

// Returns the number of devices that the ids in the pairs require; 0 without pairs.
std::int64_t DevicesInPairs(const HloInstruction& transfer);

}  // namespace assay
