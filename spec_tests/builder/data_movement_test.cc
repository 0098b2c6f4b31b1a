// The builder's functions that move elements: the instructions that they add.
#include <functional>

#include "spec_tests/builder/built.h"

using namespace assay;
using namespace assay::xla;
using namespace assay::testing;
using Catch::Matchers::StartsWith;

namespace {

const std::vector<std::string> kParameters = {"x = f32[4,2,3]", "n = s32[]"};

void CheckMoves(const std::function<XlaOp(XlaOp x, XlaOp n)>& function, const std::string& instructions) {
  CheckInstructions(kParameters, OF_ALL(p, function(p[0], p[1])), instructions);
}

// Returns the error of a function of x, without the builder's name.
std::string WhyNotMoved(const std::function<void(XlaOp x)>& function) {
  return WhyNotAdded({"x = f32[4,2,3]"}, OF_ALL(p, function(p[0])));
}

XlaComputation AdderOf(PrimitiveType type) {
  XlaBuilder builder("adder");
  const Shape scalar = ShapeUtil::MakeScalarShape(type);
  Add(Parameter(&builder, 0, scalar, "a"), Parameter(&builder, 1, scalar, "b"));
  return Built(builder);
}

}  // namespace

TEST_CASE("Broadcast adds dimensions in front") {
  CheckMoves(OF_TWO(x, n, Broadcast(n, {2, 3})), "ROOT broadcast = s32[2,3] broadcast(n), dimensions={}");
  CheckMoves(OF_TWO(x, n, Broadcast(x, {5})), "ROOT broadcast = f32[5,4,2,3] broadcast(x), dimensions={1,2,3}");
}

TEST_CASE("BroadcastInDim places dimensions and repeats those of size 1") {
  CheckMoves(OF_TWO(x, n, BroadcastInDim(Collapse(x, {0, 1, 2}), {2, 24}, {1})),
             "reshape = f32[24] reshape(x)\n ROOT broadcast = f32[2,24] broadcast(reshape), dimensions={1}");
  CheckMoves(OF_TWO(x, n, BroadcastInDim(Reshape(x, {24, 1}), {24, 2, 7}, {0, 2})),
             "reshape = f32[24,1] reshape(x)\n broadcast = f32[24,2,1] broadcast(reshape), dimensions={0,2}\n"
             "reshape.1 = f32[24,2] reshape(broadcast)\n"
             "ROOT broadcast.1 = f32[24,2,7] broadcast(reshape.1), dimensions={0,1}");
  CHECK(WhyNotMoved(OF(x, BroadcastInDim(x, {4, 2, 5}, {0, 1, 2}))) ==
        "broadcast(f32[4,2,3]): dimension 2 must be 1 or as large as dimension 2 of f32[4,2,5], found 3");
  CHECK(WhyNotMoved(OF(x, BroadcastInDim(x, {4, 2, 3}, {0, 1}))) ==
        "broadcast(f32[4,2,3]): broadcast_dimensions must name a dimension of the result for each of the 3 of the "
        "operand, found 2");
  CHECK(WhyNotMoved(OF(x, BroadcastInDim(x, {4, 2, 3}, {0, 1, 3}))) ==
        "broadcast(f32[4,2,3]): broadcast_dimensions has 3, which is outside [0, 3)");
  // XLA, Broadcasting: the broadcast dimensions must be strictly increasing, even if the sizes would match.
  for (const Int64List& dimensions : {Int64List{1, 0, 2}, {0, 2, 1}, {1, 1, 2}}) {
    CHECK_THAT(WhyNotMoved(OF(x, BroadcastInDim(Slice(x, {0, 0, 0}, {2, 2, 2}), {2, 2, 2}, dimensions))),
               StartsWith("broadcast(f32[2,2,2]): broadcast_dimensions must be strictly increasing, found {"));
  }
  CHECK(WhyNotMoved(OF(x, BroadcastInDim(Reshape(x, {6, 4}), {4, 9, 6}, {2, 0}))) ==
        "broadcast(f32[6,4]): broadcast_dimensions must be strictly increasing, found {2,0}");
}

TEST_CASE("Reshape takes the dimensions in any order") {
  CheckMoves(OF_TWO(x, n, Reshape(x, {8, 3})), "ROOT reshape = f32[8,3] reshape(x)");
  CheckMoves(OF_TWO(x, n, Reshape(ShapeUtil::MakeShapeWithLayout(F32, {8, 3}, {0, 1}), x)),
             "ROOT reshape = f32[8,3]{0,1} reshape(x)");
  CheckMoves(OF_TWO(x, n, Reshape(x, {0, 1, 2}, {8, 3})), "ROOT reshape = f32[8,3] reshape(x)");
  CheckMoves(
      OF_TWO(x, n, Reshape(x, {1, 2, 0}, {8, 3})),
      "transpose = f32[2,3,4]{1,0,2} transpose(x), dimensions={1,2,0}\n ROOT reshape = f32[8,3] reshape(transpose)");
  CheckMoves(OF_TWO(x, n, Reshape(n, {}, {1, 1})), "ROOT reshape = s32[1,1] reshape(n)");
  CHECK_THAT(WhyNotMoved(OF(x, Reshape(x, {0, 1}, {24}))), StartsWith("transpose(f32[4,2,3]): "));
  for (const Int64List& dimensions : {Int64List{0, 1, 1}, {0, 0, 1}, {0, 1, 3}, {-5, 0, 9}, {1, 1, 0}}) {
    CHECK_THAT(WhyNotMoved(OF(x, Reshape(x, dimensions, {24}))), StartsWith("transpose(f32[4,2,3]): dimensions has "));
  }
  CHECK_THAT(WhyNotMoved(OF(x, Reshape(x, {25}))), StartsWith("reshape(f32[4,2,3]): "));
  CHECK_THAT(WhyNotMoved(OF(x, Reshape(x, {-24}))), StartsWith("reshape(f32[4,2,3]): "));
}

TEST_CASE("DynamicReshape has its sizes as operands") {
  CheckMoves(OF_TWO(x, n, DynamicReshape(x, {n, n}, {6, 4}, {true, false})),
             "ROOT dynamic-reshape = f32[<=6,4] dynamic-reshape(x, n, n)");
  CHECK_THAT(WhyNotMoved(OF(x, DynamicReshape(x, {}, {24}, {}))), StartsWith("dynamic-reshape(f32[4,2,3]): "));
}

TEST_CASE("Collapse joins adjacent dimensions") {
  CheckMoves(OF_TWO(x, n, Collapse(x, {0, 1})), "ROOT reshape = f32[8,3] reshape(x)");
  CheckMoves(OF_TWO(x, n, Collapse(x, {1, 2})), "ROOT reshape = f32[4,6] reshape(x)");
  CheckMoves(OF_TWO(x, n, Neg(Collapse(x, {1}))), "ROOT negate = f32[4,2,3] negate(x)");
  for (const Int64List& dimensions : {Int64List{1, 0}, {0, 2}}) {
    CHECK(WhyNotMoved(OF(x, Collapse(x, dimensions))) ==
          "reshape(f32[4,2,3]): dimensions to collapse must follow one another");
  }
  CHECK(WhyNotMoved(OF(x, Collapse(x, {7, 8}))) == "reshape(f32[4,2,3]): there is no dimension 7");
  CHECK(WhyNotMoved(OF(x, Collapse(x, {2, 3}))) == "reshape(f32[4,2,3]): there is no dimension 3");
  CHECK(WhyNotMoved(OF(x, Collapse(x, {-1, 0}))) == "reshape(f32[4,2,3]): there is no dimension -1");
}

TEST_CASE("A size that does not fit is an error") {
  XlaBuilder builder("test");
  const std::int64_t huge = std::int64_t{1} << 40;
  Collapse(Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {0, huge, huge}), "x"), {1, 2});
  CHECK_THAT(WhyNotBuilt(builder), StartsWith("test: reshape("));
}

TEST_CASE("Order and size of dimensions") {
  CheckMoves(OF_TWO(x, n, Transpose(x, {2, 0, 1})),
             "ROOT transpose = f32[3,4,2]{0,2,1} transpose(x), dimensions={2,0,1}");
  CheckMoves(OF_TWO(x, n, Rev(x, {0, 2})), "ROOT reverse = f32[4,2,3] reverse(x), dimensions={0,2}");
  CheckMoves(OF_TWO(x, n, ConcatInDim(x.builder(), {x, x, x}, 1)),
             "ROOT concatenate = f32[4,6,3] concatenate(x, x, x), dimensions={1}");
  CheckMoves(OF_TWO(x, n, Concatenate({x, x}, 0)), "ROOT concatenate = f32[8,2,3] concatenate(x, x), dimensions={0}");
  CheckMoves(OF_TWO(x, n, SetDimensionSize(x, n, 1)),
             "ROOT set-dimension-size = f32[4,<=2,3] set-dimension-size(x, n), dimensions={1}");
  CheckMoves(OF_TWO(x, n, GetDimensionSize(x, 2)),
             "ROOT get-dimension-size = s32[] get-dimension-size(x), dimensions={2}");
  CHECK_THAT(WhyNotMoved(OF(x, ConcatInDim(x.builder(), {}, 0))), StartsWith("concatenate(): "));
}

TEST_CASE("Padding is written for every dimension") {
  const std::string zero = "constant = f32[] constant(0)\n";
  const auto zero_of = OF(x, Zero(x.builder(), F32));
  CheckMoves(OF_TWO(x, n, Pad(x, zero_of(x), {{1, 2, 0}, {0, 0, 3}, {-1, 0, 0}})),
             zero + "ROOT pad = f32[7,5,2] pad(x, constant), padding=1_2x0_0_3x-1_0");
  CheckMoves(OF_TWO(x, n, PadInDim(x, zero_of(x), 2, 4, 5)),
             zero + "ROOT pad = f32[4,2,12] pad(x, constant), padding=0_0x0_0x4_5");
  CheckMoves(OF_TWO(x, n, Pad(x, zero_of(x), MakeEdgePaddingConfig({{1, 0}, {0, 1}, {1, 1}}))),
             zero + "ROOT pad = f32[5,3,5] pad(x, constant), padding=1_0x0_1x1_1");
  CheckMoves(
      [&](XlaOp x, XlaOp) {
        PaddingConfig config;
        config.add_dimensions()->set_edge_padding_low(1);
        PaddingConfigDimension* middle = config.add_dimensions();
        middle->set_edge_padding_high(2);
        middle->set_interior_padding(3);
        config.add_dimensions();
        return Pad(x, zero_of(x), config);
      },
      zero + "ROOT pad = f32[5,7,3] pad(x, constant), padding=1_0_0x0_2_3x0_0_0");
  CheckMoves(OF_TWO(x, n, Pad(x, zero_of(x), MakeNoPaddingConfig(3))),
             zero + "ROOT pad = f32[4,2,3] pad(x, constant), padding=0_0x0_0x0_0");
  CheckMoves(
      OF_TWO(x, n, Neg(Pad(n, Zero(x.builder(), S32), {}))),
      "constant = s32[] constant(0)\n %pad = s32[] pad(n, constant), padding=\n ROOT negate = s32[] negate(%pad)");
  CHECK(WhyNotMoved(OF(x, PadInDim(x, zero_of(x), 3, 0, 0))) == "pad(f32[4,2,3], f32[]): there is no dimension 3");
}

TEST_CASE("Slices") {
  CheckMoves(OF_TWO(x, n, Slice(x, {1, 0, 0}, {4, 1, 3}, {2, 1, 1})),
             "ROOT slice = f32[2,1,3] slice(x), slice={[1:4:2], [0:1], [0:3]}");
  CheckMoves(OF_TWO(x, n, Slice(x, {1, 0, 0}, {4, 1, 3})),
             "ROOT slice = f32[3,1,3] slice(x), slice={[1:4], [0:1], [0:3]}");
  CheckMoves(OF_TWO(x, n, SliceInDim(x, 0, 3, 2, 2)),
             "ROOT slice = f32[4,2,2] slice(x), slice={[0:4], [0:2], [0:3:2]}");
  // A bounded dimension stays bounded, except with size 1.
  const std::string sized = "set-dimension-size = f32[<=4,2,3] set-dimension-size(x, n), dimensions={0}\n ROOT ";
  CheckMoves(OF_TWO(x, n, Slice(SetDimensionSize(x, n, 0), {0, 0, 0}, {2, 2, 3})),
             sized + "slice = f32[<=2,2,3] slice(set-dimension-size), slice={[0:2], [0:2], [0:3]}");
  CheckMoves(OF_TWO(x, n, Slice(SetDimensionSize(x, n, 0), {0, 0, 0}, {1, 2, 3})),
             sized + "slice = f32[1,2,3] slice(set-dimension-size), slice={[0:1], [0:2], [0:3]}");
  CheckMoves(OF_TWO(x, n, DynamicSlice(x, {n, n, n}, {1, 2, 3})),
             "ROOT dynamic-slice = f32[1,2,3] dynamic-slice(x, n, n, n), dynamic_slice_sizes={1,2,3}");
  CheckMoves(OF_TWO(x, n, DynamicSlice(x, Broadcast(n, {3}), {1, 2, 3})),
             "broadcast = s32[3] broadcast(n), dimensions={}\n"
             "ROOT dynamic-slice = f32[1,2,3] dynamic-slice(x, broadcast), dynamic_slice_sizes={1,2,3}");
  CheckMoves(OF_TWO(x, n, DynamicUpdateSlice(x, x, {n, n, n})),
             "ROOT dynamic-update-slice = f32[4,2,3] dynamic-update-slice(x, x, n, n, n)");
  CheckMoves(OF_TWO(x, n, DynamicUpdateSlice(x, x, Broadcast(n, {3}))),
             "broadcast = s32[3] broadcast(n), dimensions={}\n"
             "ROOT dynamic-update-slice = f32[4,2,3] dynamic-update-slice(x, x, broadcast)");
  CHECK(WhyNotMoved(OF(x, Slice(x, {0, 0, 0}, {1, 1}))) ==
        "slice(f32[4,2,3]): needs as many limits and strides as starts, found 2, 0 and 3");
  CHECK(WhyNotMoved(OF(x, SliceInDim(x, 0, 1, 1, -1))) == "slice(f32[4,2,3]): there is no dimension -1");
  CHECK_THAT(WhyNotMoved(OF(x, Slice(x, {0, 0}, {1, 1}))), StartsWith("slice(f32[4,2,3]): "));
}

TEST_CASE("Gather and Scatter have their dimension numbers as attributes") {
  GatherDimensionNumbers gather;
  gather.add_offset_dims(1);
  gather.add_collapsed_slice_dims(1);
  gather.add_start_index_map(1);
  gather.set_index_vector_dim(1);
  gather.add_operand_batching_dims(0);
  gather.add_start_indices_batching_dims(0);
  CheckMoves(OF_TWO(x, n, Gather(x, Broadcast(n, {4}), gather, {1, 1, 3}, true)),
             "broadcast = s32[4] broadcast(n), dimensions={}\n"
             "ROOT gather = f32[4,3] gather(x, broadcast), offset_dims={1}, collapsed_slice_dims={1}, "
             "start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=1, "
             "slice_sizes={1,1,3}, indices_are_sorted=true");
  ScatterDimensionNumbers scatter;
  scatter.add_update_window_dims(1);
  scatter.add_inserted_window_dims(1);
  scatter.add_scatter_dims_to_operand_dims(1);
  scatter.set_index_vector_dim(1);
  scatter.add_input_batching_dims(0);
  scatter.add_scatter_indices_batching_dims(0);
  CheckInstructions(
      {"x = f32[4,2,3]", "indices = s32[4]", "updates = f32[4,3]"},
      OF_ALL(p, Scatter(p[0], p[1], p[2], AdderOf(F32), scatter, /*indices_are_sorted=*/false,
                        /*unique_indices=*/true)),
      R"(ROOT scatter = f32[4,2,3] scatter(x, indices, updates), update_window_dims={1}, inserted_window_dims={1},
        scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0},
        index_vector_dim=1, unique_indices=true, to_apply=adder)",
      "adder { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT add = f32[] add(a, b) }\n");
}

TEST_CASE("Tuples") {
  CheckMoves(OF_TWO(x, n, Copy(x)), "ROOT copy = f32[4,2,3] copy(x)");
  CheckMoves(OF_TWO(x, n, GetTupleElement(Tuple(x.builder(), {x, n}), 1)),
             "tuple = (f32[4,2,3], s32[]) tuple(x, n)\n"
             "ROOT get-tuple-element = s32[] get-tuple-element(tuple), index=1");
  CheckMoves(OF_TWO(x, n, Tuple(x.builder(), {})), "ROOT tuple = () tuple()");
  CHECK_THAT(WhyNotMoved(OF(x, GetTupleElement(Tuple(x.builder(), {x}), 1))),
             StartsWith("get-tuple-element((f32[4,2,3])): "));
}

TEST_CASE("An operation with an erroneous operand has no error of its own") {
  XlaBuilder builder("test");
  auto x = Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {4}), "x");
  auto bad = Transpose(x, {1});
  const std::string message = WhyNotBuilt(builder);
  for (const XlaOp op : {Broadcast(bad, {2}), BroadcastInDim(bad, {2}, {0}), Reshape(bad, {2}), Reshape(bad, {0}, {2}),
                         Collapse(bad, {0, 1}), Rev(bad, {0}), Concatenate({x, bad}, 0), PadInDim(bad, x, 7, 1, 1),
                         SliceInDim(bad, 0, 1, 1, 7), DynamicSlice(x, bad, {1}), GetTupleElement(bad, 3),
                         Tuple(&builder, {x, bad}), DynamicReshape(bad, {}, {}, {}), GetDimensionSize(bad, 9)}) {
    CHECK_FALSE(op.valid());
    CHECK(op.builder() == &builder);
  }
  CHECK(WhyNotBuilt(builder) == message);
}
