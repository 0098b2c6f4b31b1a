// The functions that translate one operation each.
#pragma once

#include "interpreter/stablehlo/to_hlo_rows.h"

namespace assay::stablehlo {

// Lowers an op whose instruction has the name and the operands of the operation, and no attributes.
Status LowerDirectly(const Lowering& lowering);

Status LowerConstant(const Lowering& lowering);
Status LowerCompare(const Lowering& lowering);
Status LowerConvert(const Lowering& lowering);
Status LowerScalarBroadcasting(const Lowering& lowering);
Status LowerExtremum(const Lowering& lowering);
Status LowerReducePrecision(const Lowering& lowering);
Status LowerCreateToken(const Lowering& lowering);
// Lowers uniform_quantize and uniform_dequantize.
Status LowerConversion(const Lowering& lowering);

Status LowerBroadcast(const Lowering& lowering);
Status LowerBroadcastInDim(const Lowering& lowering);
Status LowerConcatenate(const Lowering& lowering);
Status LowerDynamicSlice(const Lowering& lowering);
Status LowerIota(const Lowering& lowering);
Status LowerPad(const Lowering& lowering);
Status LowerReverse(const Lowering& lowering);
Status LowerSlice(const Lowering& lowering);
Status LowerTranspose(const Lowering& lowering);
Status LowerTuple(const Lowering& lowering);
Status LowerGetTupleElement(const Lowering& lowering);
Status LowerOptimizationBarrier(const Lowering& lowering);
Status LowerTorchIndexSelect(const Lowering& lowering);

Status LowerDot(const Lowering& lowering);
Status LowerDotGeneral(const Lowering& lowering);
Status LowerConvolution(const Lowering& lowering);
Status LowerEinsum(const Lowering& lowering);
Status LowerGather(const Lowering& lowering);
Status LowerScatter(const Lowering& lowering);

Status LowerMap(const Lowering& lowering);
Status LowerReduce(const Lowering& lowering);
Status LowerReduceWindow(const Lowering& lowering);
Status LowerSelectAndScatter(const Lowering& lowering);
Status LowerSort(const Lowering& lowering);

Status LowerBatchNorm(const Lowering& lowering);
Status LowerCholesky(const Lowering& lowering);
Status LowerFft(const Lowering& lowering);
Status LowerRng(const Lowering& lowering);
Status LowerRngBitGenerator(const Lowering& lowering);
Status LowerTriangularSolve(const Lowering& lowering);

Status LowerCall(const Lowering& lowering);
Status LowerCase(const Lowering& lowering);
Status LowerComposite(const Lowering& lowering);
Status LowerCustomCall(const Lowering& lowering);
Status LowerIf(const Lowering& lowering);
Status LowerWhile(const Lowering& lowering);

Status LowerAllGather(const Lowering& lowering);
Status LowerAllReduce(const Lowering& lowering);
Status LowerAllToAll(const Lowering& lowering);
Status LowerCollectiveBroadcast(const Lowering& lowering);
Status LowerCollectivePermute(const Lowering& lowering);
Status LowerCollectiveReduce(const Lowering& lowering);
Status LowerCrossReplicaSum(const Lowering& lowering);
Status LowerReduceScatter(const Lowering& lowering);

Status LowerAsyncStart(const Lowering& lowering);
Status LowerAsyncDone(const Lowering& lowering);
Status LowerAsyncUpdate(const Lowering& lowering);
Status LowerBitcast(const Lowering& lowering);
Status LowerDomain(const Lowering& lowering);
Status LowerFusion(const Lowering& lowering);
Status LowerRngState(const Lowering& lowering);
Status LowerScan(const Lowering& lowering);
Status LowerInfeed(const Lowering& lowering);
Status LowerOutfeed(const Lowering& lowering);
Status LowerRecv(const Lowering& lowering);
Status LowerSend(const Lowering& lowering);

Status LowerApproxTopK(const Lowering& lowering);
// Lowers a custom call of an unbounded program. Returns false for other targets, after it has set the shapes of their
// results that operands hold.
Result<bool> LowerDynamicCall(Lowering& lowering, std::string_view target);

Status LowerDynamicBroadcastInDim(const Lowering& lowering);
Status LowerDynamicConvolution(const Lowering& lowering);
Status LowerDynamicGather(const Lowering& lowering);
Status LowerDynamicIota(const Lowering& lowering);
Status LowerDynamicPad(const Lowering& lowering);
Status LowerDynamicReshape(const Lowering& lowering);
Status LowerGetDimensionSize(const Lowering& lowering);
Status LowerRealDynamicSlice(const Lowering& lowering);
Status LowerSetDimensionSize(const Lowering& lowering);

Status LowerChloBroadcasting(const Lowering& lowering);
Status LowerChloCompare(const Lowering& lowering);
Status LowerChloConstant(const Lowering& lowering);
Status LowerChloConstantLike(const Lowering& lowering);
Status LowerChloFunction(const Lowering& lowering);
Status LowerChloRaggedDot(const Lowering& lowering);
Status LowerCheck(const Lowering& lowering);
Status LowerChloTopK(const Lowering& lowering);

Status LowerNothing(const Lowering& lowering);
Status LowerProbe(const Lowering& lowering);
Status LowerRunParallel(const Lowering& lowering);

Status LowerManualComputation(const Lowering& lowering);
Status LowerNamedComputation(const Lowering& lowering);
Status LowerShardingMark(const Lowering& lowering);
Status LowerShardingGroup(const Lowering& lowering);

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
Status SetConvolution(const Lowering& lowering, HloInstruction& instruction, std::vector<Int64List> padding);
Status SetGather(const Lowering& lowering, HloInstruction& instruction, Int64List slice_sizes);
Status SetPadding(const Lowering& lowering, HloInstruction& instruction, const Int64List& low, const Int64List& high,
                  const Int64List& interior);
Status SetSlice(const Lowering& lowering, HloInstruction& instruction, const Int64List& starts, const Int64List& limits,
                const Int64List& strides);

}  // namespace assay::stablehlo
