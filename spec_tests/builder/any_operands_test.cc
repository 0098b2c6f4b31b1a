// Whatever its operands, a function of the builder returns a legal module or an error that has its operands' shapes.
#include <functional>
#include <optional>

#include "interpreter/builder/add_instruction.h"
#include "interpreter/hlo/op.h"
#include "spec_tests/builder/built.h"

using namespace assay;
using namespace assay::xla;
using namespace assay::testing;

namespace {

std::vector<Shape> Shapes() {
  const Shape scalar = ShapeUtil::MakeShape(F32, {});
  return {
      scalar,
      ShapeUtil::MakeShape(F32, {2, 3}),
      ShapeUtil::MakeShape(F32, {3, 3}),
      ShapeUtil::MakeShape(F32, Dimensions(12, 1)),
      ShapeUtil::MakeShape(F32, {4, 0}),
      ShapeUtil::MakeShape(F32, {4}, {true}),
      ShapeUtil::MakeShape(F32, {Shape::kUnboundedSize}, {true}),
      ShapeUtil::MakeShape(PRED, {}),
      ShapeUtil::MakeShape(S32, {}),
      ShapeUtil::MakeShape(S32, {2}),
      ShapeUtil::MakeShape(U4, {3}),
      ShapeUtil::MakeShape(U64, {2}),
      ShapeUtil::MakeShape(C64, {2, 2}),
      ShapeUtil::MakeTupleShape({}),
      ShapeUtil::MakeTupleShape({scalar, ShapeUtil::MakeShape(S32, {2})}),
      ShapeUtil::MakeTokenShape(),
      ShapeUtil::MakeOpaqueShape(),
  };
}

XlaComputation Maximum() {
  XlaBuilder builder("maximum");
  auto a = Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {}), "a");
  Max(a, Parameter(&builder, 1, ShapeUtil::MakeShape(F32, {}), "b"));
  return Built(builder);
}

// Checks that the computation can be built, or fails with a message that names operands in parentheses.
void CheckEnds(XlaBuilder& builder) {
  const Result<XlaComputation> computation = builder.Build();
  if (!computation) {
    CHECK_THAT(computation.error().message, Catch::Matchers::StartsWith("test: "));
    return;
  }
  const std::string text = computation->ToString();
  const auto again = ParseHloModule(text);
  if (!again) FAIL(RenderError(again.error(), text, "printed"));
}

}  // namespace

TEST_CASE("Functions of one operand") {
  const XlaComputation maximum = Maximum();
  using Function = std::function<void(XlaOp x)>;
  const Function functions[] = {
      OF(x, Abs(x)),
      OF(x, Conj(x)),
      OF(x, Not(x)),
      OF(x, IsFinite(x)),
      OF(x, ConvertElementType(x, F16)),
      OF(x, ConvertElementType(x, TUPLE)),
      OF(x, BitcastConvertType(x, S8)),
      OF(x, BitcastConvertType(x, TOKEN)),
      OF(x, ReducePrecision(x, 5, -1)),
      OF(x, Broadcast(x, {2, -1})),
      OF(x, Broadcast(x, {2})),
      OF(x, BroadcastInDim(x, {2, 3}, {0, 1})),
      OF(x, BroadcastInDim(x, {1, 2}, {})),
      OF(x, BroadcastInDim(x, {1, 2}, {-1})),
      OF(x, Reshape(x, {3, 2})),
      OF(x, Reshape(x, {})),
      OF(x, Reshape(x, {1, 0}, {6})),
      OF(x, Collapse(x, {0, 1})),
      OF(x, Collapse(x, {})),
      OF(x, Transpose(x, {1, 0})),
      OF(x, Rev(x, {7})),
      OF(x, ConcatInDim(x.builder(), {x, x}, 0)),
      OF(x, PadInDim(x, x, 0, 1, 1)),
      OF(x, Pad(x, x, {})),
      OF(x, SliceInDim(x, 0, 1, 0, 0)),
      OF(x, Slice(x, {0, 0}, {1, 1}, {1, 1})),
      OF(x, GetDimensionSize(x, 1)),
      OF(x, GetTupleElement(x, 1)),
      OF(x, Tuple(x.builder(), {x, x})),
      OF(x, Fft(x, FftType::RFFT, {3})),
      OF(x, Fft(x, FftType::IRFFT, {})),
      OF(x, Cholesky(x, true)),
      OF(x, Reduce(x, x, maximum, {1})),
      OF(x, ReduceAll(x, x, maximum)),
      OF(x, ReduceWindow(x, x, maximum, {1, 0}, {1, -1}, Padding::kSame)),
      OF(x, ReduceWindow(x, x, maximum, {2}, {}, Padding::kSame)),
      OF(x, Sort({x, x}, maximum)),
      OF(x, TopK(x, 2, true)),
      OF(x, Map(x.builder(), {x}, maximum, {0, 1})),
      OF(x, Call(x.builder(), maximum, {x, x})),
      OF(x, While(maximum, maximum, x)),
      OF(x, Conditional(x, {&maximum}, {x})),
      OF(x, OptimizationBarrier(x)),
      OF(x, Outfeed(x, ShapeUtil::MakeShape(F32, {}))),
      OF(x, InfeedWithToken(x, ShapeUtil::MakeShape(F32, {}))),
      OF(x, AfterAll(x.builder(), {x})),
      OF(x, Send(x, {1, ChannelHandle::DEVICE_TO_DEVICE})),
      OF(x, RecvWithToken(x, ShapeUtil::MakeShape(F32, {}), {1, ChannelHandle::DEVICE_TO_DEVICE})),
      OF(x, RngBitGenerator(RNG_PHILOX, x, ShapeUtil::MakeShape(U32, {3}))),
      OF(x, AllGather(x, 0, 2)),
      OF(x, AllGather(x, -1, -2)),
      OF(x, AllReduce(x, maximum)),
      OF(x, CrossReplicaSum(x)),
      OF(x, ReduceScatter(x, maximum, 1, 1)),
      OF(x, AllToAll(x, 0, 1, 2)),
      OF(x, AllToAllTuple({x})),
      OF(x, AllToAllTuple(x, 0, 0, 1, {}, LayoutUtil::MakeLayout({0}))),
      OF(x, AllGather(x, 0, INT64_MAX, {}, std::nullopt, LayoutUtil::MakeLayout({1, 0}))),
      OF(x, Copy(x)),
      OF(x, CollectivePermute(x, {{0, 0}})),
      OF(x, CollectiveBroadcast(x, {})),
      OF(x, ScalarLike(x, 1)),
      OF(x, FullLike(x, 1)),
      OF(x, ZerosLike(x)),
      OF(x, MaxValue(x.builder(), x.builder()->GetShape(x)->element_type())),
      OF(x, CustomCall(x.builder(), "", {x}, Shape())),
  };
  for (const Function& function : functions) {
    for (const Shape& shape : Shapes()) {
      XlaBuilder builder("test");
      const XlaOp x = Parameter(&builder, 0, shape, "x");
      INFO(shape.ToString());
      if (x.valid()) function(x);
      CheckEnds(builder);
    }
  }
}

TEST_CASE("Functions of several operands") {
  const XlaComputation maximum = Maximum();
  using Function = std::function<void(XlaOp x, XlaOp y)>;
  const Function functions[] = {
      OF_TWO(x, y, Add(x, y)),
      OF_TWO(x, y, Add(x, y, {0})),
      OF_TWO(x, y, Complex(x, y)),
      OF_TWO(x, y, EqTotalOrder(x, y)),
      OF_TWO(x, y, Compare(x, y, {}, ComparisonDirection::kLt, Comparison::Type::kSigned)),
      OF_TWO(x, y, x >> y),
      OF_TWO(x, y, Clamp(x, y, x)),
      OF_TWO(x, y, StochasticConvertType(x, y, F16)),
      OF_TWO(x, y, Scan({x}, {y}, maximum, 0)),
      OF_TWO(x, y, Scan({}, {x, y}, maximum, 1, -3)),
      OF_TWO(x, y, Conditional(x, {&maximum, &maximum}, {y, y})),
      OF_TWO(x, y, Select(x, y, y)),
      OF_TWO(x, y, Select(x, x, y)),
      OF_TWO(x, y, Dot(x, y)),
      OF_TWO(x, y, DotGeneral(x, y, {{0}, {1}, {2}, {}})),
      OF_TWO(x, y, RaggedDot(x, y, y, {{{0}, {0}, {}, {}}, {1}, {0}})),
      OF_TWO(x, y, Conv(x, y, {}, Padding::kSame)),
      OF_TWO(x, y, Conv(x, y, {0}, Padding::kSame)),
      OF_TWO(x, y, ConvWithGeneralPadding(x, y, {}, {}, 0, 0)),
      OF_TWO(x, y, TriangularSolve(x, y, true, true, false, TriangularSolveOptions::ADJOINT)),
      OF_TWO(x, y, BatchNormTraining(x, y, y, 0.1F, 1)),
      OF_TWO(x, y, BatchNormGrad(x, y, y, y, x, 0.1F, -1)),
      OF_TWO(x, y, DynamicSlice(x, y, {1, 1})),
      OF_TWO(x, y, DynamicUpdateSlice(x, x, {y, y})),
      OF_TWO(x, y, Gather(x, y, {{0}, {}, {0}, 0, {}, {}}, {1, 1})),
      OF_TWO(x, y, Scatter(x, y, x, maximum, {{0}, {1}, {0}, 0, {}, {}})),
      OF_TWO(x, y, SetDimensionSize(x, y, 0)),
      OF_TWO(x, y, DynamicReshape(x, {y, y}, {3, 2}, {true, false})),
      OF_TWO(x, y, RngUniform(x, y, ShapeUtil::MakeShape(F32, {2}))),
      OF_TWO(x, y, OutfeedWithToken(x, y, ShapeUtil::MakeShape(F32, {}))),
      OF_TWO(x, y, Conditional(x, y, maximum, y, maximum)),
      OF_TWO(x, y, SelectAndScatter(x, maximum, {1, 1}, {1, 1}, Padding::kValid, x, y, maximum)),
      OF_TWO(x, y, Reduce(x.builder(), {x, y}, {x, y}, maximum, {})),
      OF_TWO(x, y, RaggedAllToAll(x, y, y, x, y, y)),
  };
  for (const Function& function : functions) {
    for (const Shape& first : Shapes()) {
      for (const Shape& second : Shapes()) {
        XlaBuilder builder("test");
        const XlaOp x = Parameter(&builder, 0, first, "x");
        const XlaOp y = Parameter(&builder, 1, second, "y");
        INFO(first.ToString() << " " << second.ToString());
        function(x, y);
        CheckEnds(builder);
      }
    }
  }
}

TEST_CASE("Ops by their names") {
  for (const Op* op : AllOps()) {
    for (const Shape& shape : Shapes()) {
      for (const bool has_shape : {false, true}) {
        for (std::size_t count = 0; count <= 3; ++count) {
          XlaBuilder builder("test");
          const XlaOp x = Parameter(&builder, 0, shape, "x");
          INFO(op->name << " of " << count << " " << shape.ToString());
          AddInstruction(&builder, op->name, std::vector<XlaOp>(count, x), {},
                         has_shape ? std::optional<Shape>(shape) : std::nullopt);
          CheckEnds(builder);
        }
      }
    }
  }
}
