#include <utility>

#include "interpreter/hlo/device.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/transfer_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferSend(const HloInstruction& instruction) {
  const Shape& token = instruction.operand(1).shape;
  if (!token.IsToken())
    return Illegal(instruction, "operand 1 must be a token, found {}", token.ToStringWithoutLayout());
  return TransferShape(instruction.operand(0).shape);
}

Status NormalizeSend(HloInstruction& send) {
  ModernizeTransfer(send, send.operand(0).shape);
  return {};
}

// Sends the data. Waits for the receiver (XLA, Operation Semantics: Send): Recv happens before Send.
Literal EvaluateSend(const HloInstruction& send, std::span<Literal> operands, Evaluation& evaluation) {
  Device& device = evaluation.device();
  if (send.Bool("is_host_transfer")) {
    device.GiveToHost(operands[0]);
  } else if (const TransferPeer peer = TargetOf(send, device); peer.takes_part) {
    device.Send(send, operands[0], peer.device);
  }
  return Literal::MakeTuple({std::move(operands[0]), Literal(ShapeUtil::MakeScalarShape(U32)), Literal::MakeToken()});
}

}  // namespace

const Op op_send = Transfer({
    .name = "send",
    .meaning = "The start of a transfer to another device or the host.",
    .syntax = {.normalize = NormalizeSend},
    .legality = {.arity = Exactly(2), .types = kAny, .done = "send-done", .infer = InferSend},
    .evaluation = {.evaluate = EvaluateSend},
});

}  // namespace assay
