// The functions that translate one operation each.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/to_hlo_rows.h"

namespace assay::stablehlo {

// Lowers an op whose instruction has the operands of the operation, and the attributes that both have.
LowerFunction LowerDirectly;

LowerFunction LowerConstant, LowerCompare, LowerConvert, LowerScalarBroadcasting, LowerExtremum;
// Lowers uniform_quantize and uniform_dequantize.
LowerFunction LowerConversion;

LowerFunction LowerBroadcast, LowerBroadcastInDim, LowerPad, LowerSlice, LowerTranspose, LowerTuple,
    LowerGetTupleElement, LowerOptimizationBarrier, LowerTorchIndexSelect;

LowerFunction LowerDot, LowerDotGeneral, LowerConvolution, LowerEinsum, LowerGather, LowerScatter;

LowerFunction LowerMap, LowerReduce, LowerReduceWindow, LowerSelectAndScatter, LowerSort;

LowerFunction LowerRng, LowerRngBitGenerator;

LowerFunction LowerCall, LowerCase, LowerComposite, LowerCustomCall, LowerIf, LowerWhile;

LowerFunction LowerAllToAll, LowerCollective, LowerCrossReplicaSum;

LowerFunction LowerAsyncStart, LowerAsyncDone, LowerAsyncUpdate, LowerBitcast, LowerDomain, LowerFusion, LowerScan,
    LowerInfeed, LowerOutfeed, LowerRecv, LowerSend;

LowerFunction LowerApproxTopK;
// Lowers a custom call of an unbounded program. Returns false for other targets, after it has set the shapes of their
// results that operands hold.
Result<bool> LowerDynamicCall(Lowering& lowering, std::string_view target);

LowerFunction LowerDynamicBroadcastInDim, LowerDynamicConvolution, LowerDynamicGather, LowerDynamicIota,
    LowerDynamicPad, LowerDynamicReshape, LowerGetDimensionSize, LowerRealDynamicSlice, LowerSetDimensionSize;

LowerFunction LowerChloBroadcasting, LowerChloConstantLike, LowerChloFunction, LowerChloRaggedDot, LowerCheck,
    LowerChloTopK;

LowerFunction LowerNothing, LowerProbe, LowerRunParallel;

LowerFunction LowerManualComputation, LowerNamedComputation, LowerShardingMark, LowerShardingGroup;

// The computation of an operation that applies its region to elements, and its lowering. XLA's conversion allows no
// region of these to use a value from outside, StableHLO does. Each such scalar becomes another operand, which repeats
// it, with a result that nothing uses.
struct AppliedRegion {
  HloComputation* body;
  Lowering lowering;
};
// The region folds `inputs` arrays: its arguments are as many elements and as many others.
Result<AppliedRegion> ApplyFold(const Lowering& lowering, std::size_t inputs);

// Helpers that add instructions for several operations.

// Broadcasts the operand: its dimension i becomes dimension `dimensions[i]` of a shape. Other dimensions, and those of
// size 1, repeat the elements.
HloInstruction& AddBroadcast(Translator& translator, HloInstruction& operand, const Int64List& dimensions,
                             const Shape& shape);
HloInstruction& AddTranspose(Translator& translator, HloInstruction& operand, const Int64List& permutation);
HloInstruction& AddReshape(Translator& translator, HloInstruction& operand, Shape shape);
// Adds a constant; one of several equal elements is a broadcast of a scalar.
Result<HloInstruction*> AddConstantOf(Translator& translator, const Operation& operation,
                                      const DenseElements& elements);
// Broadcasts a scalar to the shape's dimensions; other operands are unchanged.
HloInstruction& AddScalarBroadcast(Translator& translator, HloInstruction& operand, const Shape& shape);

// Fails if operand `index`, which holds the sizes of the result, is a constant with other sizes. Passes a run-time
// value and a result of bounded sizes.
Status CheckResultSizes(const Lowering& lowering, std::size_t index);

// Sets attributes that many ops share.
Status SetPrecision(const Lowering& lowering, HloInstruction& instruction);
Status SetResultAccuracy(const Lowering& lowering, HloInstruction& instruction);
// Sets the window's numbers to the operation's lists and its padding, which are empty or have an entry for each
// dimension. `what` is the name of all lists in errors; empty: each has its own.
Status SetWindowNumbers(const Lowering& lowering, std::span<const WindowList> lists, std::string_view what,
                        const std::vector<Int64List>& padding, Window& window);
Status SetConvolution(const Lowering& lowering, HloInstruction& instruction, std::vector<Int64List> padding);
Status SetGather(const Lowering& lowering, HloInstruction& instruction, Int64List slice_sizes);
// A list of a number for each dimension: the low, high and interior padding, or the starts, limits and strides.
using ThreeLists = std::array<Int64List, 3>;
Status SetPadding(const Lowering& lowering, HloInstruction& instruction, const ThreeLists& lists);
Status SetSlice(const Lowering& lowering, HloInstruction& instruction, const ThreeLists& lists);

}  // namespace assay::stablehlo
