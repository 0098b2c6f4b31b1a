#include "interpreter/hlo/device.h"
#include "interpreter/ops/common/transfer_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferRecvDone(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckStarted(instruction));
  return ShapeUtil::MakeTupleShape({instruction.operand(0).shape.tuple_shapes(0), ShapeUtil::MakeTokenShape()});
}

// Copies the layouts of the operand.
Status NormalizeRecvDone(HloInstruction& done) {
  if (const Result<Shape> shape = InferRecvDone(done); shape && ShapeUtil::Compatible(done.shape, *shape))
    done.shape = *shape;
  return {};
}

Literal EvaluateRecvDone(const HloInstruction& done, std::span<Literal> operands, Evaluation& evaluation) {
  return Literal::MakeTuple({evaluation.device().Await(done, operands[0].elements()[0]), Literal::MakeToken()});
}

}  // namespace

const Op op_recv_done = Transfer({
    .name = "recv-done",
    .meaning = "The end of a recv.",
    .syntax = {.normalize = NormalizeRecvDone},
    .legality = {.arity = Exactly(1), .types = kTuples, .infer = InferRecvDone},
    .evaluation = {.evaluate = EvaluateRecvDone},
});

}  // namespace assay
