// The drawing functions of ops that are not element-wise: one for each op, or for a few similar ones. Each varies every
// attribute of the op.
#pragma once

#include <span>
#include <string_view>

#include "generate/draft.h"

namespace assay::generate {

// Returns the root of the entry: the op's instruction, or the instruction that completes it.
using Drawing = XlaOp (*)(Draft&);

struct OpDrawing {
  std::string_view op;
  Drawing draw;
};
// Returns the drawing functions, sorted by op.
std::span<const OpDrawing> OpDrawings();

// structure.cc
XlaOp DrawAddDependency(Draft& draft);
XlaOp DrawAfterAll(Draft& draft);
XlaOp DrawConstant(Draft& draft);
XlaOp DrawCopyPair(Draft& draft);
XlaOp DrawCustomCall(Draft& draft);
XlaOp DrawDomain(Draft& draft);
XlaOp DrawGetTupleElement(Draft& draft);
XlaOp DrawHandedOn(Draft& draft);
XlaOp DrawParameter(Draft& draft);
XlaOp DrawTuple(Draft& draft);

// control.cc
XlaOp DrawAsync(Draft& draft);
XlaOp DrawCall(Draft& draft);
XlaOp DrawConditional(Draft& draft);
XlaOp DrawFusion(Draft& draft);
XlaOp DrawMap(Draft& draft);
XlaOp DrawWhile(Draft& draft);

// data_movement.cc
XlaOp DrawBitcast(Draft& draft);
XlaOp DrawBitcastConvert(Draft& draft);
XlaOp DrawBroadcast(Draft& draft);
XlaOp DrawConcatenate(Draft& draft);
XlaOp DrawIota(Draft& draft);
XlaOp DrawPad(Draft& draft);
XlaOp DrawReshape(Draft& draft);
XlaOp DrawReverse(Draft& draft);
XlaOp DrawShuffle(Draft& draft);
XlaOp DrawSlice(Draft& draft);
XlaOp DrawTranspose(Draft& draft);

// indexing.cc
XlaOp DrawDynamicSlice(Draft& draft);
XlaOp DrawDynamicUpdateSlice(Draft& draft);
XlaOp DrawGather(Draft& draft);
XlaOp DrawScatter(Draft& draft);

// sizes.cc
XlaOp DrawDynamicReshape(Draft& draft);
XlaOp DrawGetDimensionSize(Draft& draft);
XlaOp DrawSetDimensionSize(Draft& draft);

// folds.cc
XlaOp DrawReduce(Draft& draft);
XlaOp DrawReduceWindow(Draft& draft);
XlaOp DrawScan(Draft& draft);
XlaOp DrawSelectAndScatter(Draft& draft);
XlaOp DrawSort(Draft& draft);
XlaOp DrawTopK(Draft& draft);

// products.cc
XlaOp DrawConvolution(Draft& draft);
XlaOp DrawDot(Draft& draft);
XlaOp DrawRaggedDot(Draft& draft);
XlaOp DrawScaledDot(Draft& draft);

// linear_algebra.cc
XlaOp DrawBatchNorm(Draft& draft);
XlaOp DrawCholesky(Draft& draft);
XlaOp DrawFft(Draft& draft);
XlaOp DrawTriangularSolve(Draft& draft);

// random_numbers.cc
XlaOp DrawRng(Draft& draft);
XlaOp DrawRngBitGenerator(Draft& draft);
XlaOp DrawRngGetAndUpdateState(Draft& draft);

// collectives.cc
XlaOp DrawAllGather(Draft& draft);
XlaOp DrawAllGatherPair(Draft& draft);
XlaOp DrawAllReduce(Draft& draft);
XlaOp DrawAllReducePair(Draft& draft);
XlaOp DrawAllToAll(Draft& draft);
XlaOp DrawCollectiveBroadcast(Draft& draft);
XlaOp DrawCollectivePermute(Draft& draft);
XlaOp DrawCollectivePermutePair(Draft& draft);
XlaOp DrawCollectiveReduce(Draft& draft);
XlaOp DrawDeviceId(Draft& draft);
XlaOp DrawRaggedAllToAll(Draft& draft);
XlaOp DrawReduceScatter(Draft& draft);

// transfers.cc
XlaOp DrawInfeed(Draft& draft);
XlaOp DrawOutfeed(Draft& draft);
XlaOp DrawRecvPair(Draft& draft);
XlaOp DrawSendPair(Draft& draft);

}  // namespace assay::generate
