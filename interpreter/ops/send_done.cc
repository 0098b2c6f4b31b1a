#include "interpreter/ops/common/transfer_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferSendDone(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckStarted(instruction));
  return ShapeUtil::MakeTokenShape();
}

// Replaces the result of older modules, (data, token[]), by a token.
Status NormalizeSendDone(HloInstruction& done) {
  const Shape& context = done.operand(0).shape;
  if (!context.IsTuple() || context.tuple_shapes().empty()) return {};
  const Shape token = ShapeUtil::MakeTokenShape();
  const Shape old = ShapeUtil::MakeTupleShape({context.tuple_shapes(0), token});
  if (ShapeUtil::Compatible(done.shape, old)) done.shape = token;
  return {};
}

Literal EvaluateSendDone(const HloInstruction&, std::span<Literal>, Evaluation&) { return Literal::MakeToken(); }

}  // namespace

const Op op_send_done = Transfer({
    .name = "send-done",
    .meaning = "The end of a send.",
    .syntax = {.normalize = NormalizeSendDone},
    .legality = {.arity = Exactly(1), .types = kTuples, .infer = InferSendDone},
    .evaluation = {.evaluate = EvaluateSendDone},
});

}  // namespace assay
