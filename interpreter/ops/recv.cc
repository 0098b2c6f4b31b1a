#include <utility>

#include "interpreter/hlo/device.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/transfer_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Checks the written result. Its element 0 has the shape of the received data.
Result<Shape> InferRecv(const HloInstruction& instruction) {
  const Shape& declared = instruction.shape;
  if (!declared.IsTuple() || declared.tuple_shapes().empty()) {
    return Illegal(instruction, "the result must be a tuple whose element 0 is the data, found {}",
                   declared.ToStringWithoutLayout());
  }
  return TransferShape(declared.tuple_shapes(0));
}

Status NormalizeRecv(HloInstruction& recv) {
  const bool has_data = recv.shape.IsTuple() && !recv.shape.tuple_shapes().empty();
  if (has_data) ModernizeTransfer(recv, Shape(recv.shape.tuple_shapes(0)));
  return {};
}

// Returns zeros if the pairs have no source for the device.
Literal EvaluateRecv(const HloInstruction& recv, std::span<Literal>, Evaluation& evaluation) {
  Device& device = evaluation.device();
  const Shape& shape = recv.shape.tuple_shapes(0);
  const bool is_host_transfer = recv.Bool("is_host_transfer");
  const TransferPeer peer = is_host_transfer ? TransferPeer{} : SourceOf(recv, device);
  Literal data = is_host_transfer  ? device.TakeFromHost(recv, shape)
                 : peer.takes_part ? device.Receive(recv, shape, peer.device)
                                   : Literal(shape);
  return Literal::MakeTuple({std::move(data), Literal(ShapeUtil::MakeScalarShape(U32)), Literal::MakeToken()});
}

}  // namespace

const Op op_recv = Transfer({
    .name = "recv",
    .meaning = "The start of a transfer from another device or the host.",
    .syntax = {.normalize = NormalizeRecv},
    .legality = {.arity = Exactly(1), .types = kTokens, .done = "recv-done", .infer = InferRecv},
    .evaluation = {.evaluate = EvaluateRecv},
});

}  // namespace assay
