// The drawing functions of ops that are not element-wise: one for each op, or for a few similar ones. Each varies every
// attribute of the op.
#pragma once

#include <span>
#include <string_view>

#include "fuzz/generate/instruction_drawer.h"

namespace assay::generate {

// Returns the root of the entry: the op's instruction, or the instruction that completes it.
using Drawing = XlaOp (*)(InstructionDrawer&);

struct OpDrawing {
  std::string_view op;
  Drawing draw;
};
// Returns the drawing functions, sorted by op.
std::span<const OpDrawing> OpDrawings();

// structure.cc
XlaOp DrawAddDependency(InstructionDrawer& drawer);
XlaOp DrawAfterAll(InstructionDrawer& drawer);
XlaOp DrawConstant(InstructionDrawer& drawer);
XlaOp DrawCopyPair(InstructionDrawer& drawer);
XlaOp DrawCustomCall(InstructionDrawer& drawer);
XlaOp DrawDomain(InstructionDrawer& drawer);
XlaOp DrawGetTupleElement(InstructionDrawer& drawer);
XlaOp DrawHandedOn(InstructionDrawer& drawer);
XlaOp DrawParameter(InstructionDrawer& drawer);
XlaOp DrawTuple(InstructionDrawer& drawer);

// control.cc
XlaOp DrawAsync(InstructionDrawer& drawer);
XlaOp DrawCall(InstructionDrawer& drawer);
XlaOp DrawConditional(InstructionDrawer& drawer);
XlaOp DrawFusion(InstructionDrawer& drawer);
XlaOp DrawMap(InstructionDrawer& drawer);
XlaOp DrawWhile(InstructionDrawer& drawer);

// data_movement.cc
XlaOp DrawBitcast(InstructionDrawer& drawer);
XlaOp DrawBitcastConvert(InstructionDrawer& drawer);
XlaOp DrawBroadcast(InstructionDrawer& drawer);
XlaOp DrawConcatenate(InstructionDrawer& drawer);
XlaOp DrawIota(InstructionDrawer& drawer);
XlaOp DrawPad(InstructionDrawer& drawer);
XlaOp DrawReshape(InstructionDrawer& drawer);
XlaOp DrawReverse(InstructionDrawer& drawer);
XlaOp DrawShuffle(InstructionDrawer& drawer);
XlaOp DrawSlice(InstructionDrawer& drawer);
XlaOp DrawTranspose(InstructionDrawer& drawer);

// indexing.cc
XlaOp DrawDynamicSlice(InstructionDrawer& drawer);
XlaOp DrawDynamicUpdateSlice(InstructionDrawer& drawer);
XlaOp DrawGather(InstructionDrawer& drawer);
XlaOp DrawScatter(InstructionDrawer& drawer);

// sizes.cc
XlaOp DrawDynamicReshape(InstructionDrawer& drawer);
XlaOp DrawGetDimensionSize(InstructionDrawer& drawer);
XlaOp DrawSetDimensionSize(InstructionDrawer& drawer);

// folds.cc
XlaOp DrawReduce(InstructionDrawer& drawer);
XlaOp DrawReduceWindow(InstructionDrawer& drawer);
XlaOp DrawScan(InstructionDrawer& drawer);
XlaOp DrawSelectAndScatter(InstructionDrawer& drawer);
XlaOp DrawSort(InstructionDrawer& drawer);
XlaOp DrawTopK(InstructionDrawer& drawer);

// products.cc
XlaOp DrawConvolution(InstructionDrawer& drawer);
XlaOp DrawDot(InstructionDrawer& drawer);
XlaOp DrawRaggedDot(InstructionDrawer& drawer);
XlaOp DrawScaledDot(InstructionDrawer& drawer);

// linear_algebra.cc
XlaOp DrawBatchNorm(InstructionDrawer& drawer);
XlaOp DrawCholesky(InstructionDrawer& drawer);
XlaOp DrawFft(InstructionDrawer& drawer);
XlaOp DrawTriangularSolve(InstructionDrawer& drawer);

// random_numbers.cc
XlaOp DrawRng(InstructionDrawer& drawer);
XlaOp DrawRngBitGenerator(InstructionDrawer& drawer);
XlaOp DrawRngGetAndUpdateState(InstructionDrawer& drawer);

// collectives.cc
XlaOp DrawAllGather(InstructionDrawer& drawer);
XlaOp DrawAllGatherPair(InstructionDrawer& drawer);
XlaOp DrawAllReduce(InstructionDrawer& drawer);
XlaOp DrawAllReducePair(InstructionDrawer& drawer);
XlaOp DrawAllToAll(InstructionDrawer& drawer);
XlaOp DrawCollectiveBroadcast(InstructionDrawer& drawer);
XlaOp DrawCollectivePermute(InstructionDrawer& drawer);
XlaOp DrawCollectivePermutePair(InstructionDrawer& drawer);
XlaOp DrawCollectiveReduce(InstructionDrawer& drawer);
XlaOp DrawDeviceId(InstructionDrawer& drawer);
XlaOp DrawRaggedAllToAll(InstructionDrawer& drawer);
XlaOp DrawReduceScatter(InstructionDrawer& drawer);

// transfers.cc
XlaOp DrawInfeed(InstructionDrawer& drawer);
XlaOp DrawOutfeed(InstructionDrawer& drawer);
XlaOp DrawRecvPair(InstructionDrawer& drawer);
XlaOp DrawSendPair(InstructionDrawer& drawer);

}  // namespace assay::generate
