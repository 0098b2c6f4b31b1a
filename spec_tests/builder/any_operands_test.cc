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
      [](XlaOp x) { Abs(x); },
      [](XlaOp x) { Conj(x); },
      [](XlaOp x) { Not(x); },
      [](XlaOp x) { IsFinite(x); },
      [](XlaOp x) { ConvertElementType(x, F16); },
      [](XlaOp x) { ConvertElementType(x, TUPLE); },
      [](XlaOp x) { BitcastConvertType(x, S8); },
      [](XlaOp x) { BitcastConvertType(x, TOKEN); },
      [](XlaOp x) { ReducePrecision(x, 5, -1); },
      [](XlaOp x) {
        Broadcast(x, {2, -1});
      },
      [](XlaOp x) { Broadcast(x, {2}); },
      [](XlaOp x) {
        BroadcastInDim(x, {2, 3}, {0, 1});
      },
      [](XlaOp x) {
        BroadcastInDim(x, {1, 2}, {});
      },
      [](XlaOp x) {
        BroadcastInDim(x, {1, 2}, {-1});
      },
      [](XlaOp x) {
        Reshape(x, {3, 2});
      },
      [](XlaOp x) { Reshape(x, {}); },
      [](XlaOp x) {
        Reshape(x, {1, 0}, {6});
      },
      [](XlaOp x) {
        Collapse(x, {0, 1});
      },
      [](XlaOp x) { Collapse(x, {}); },
      [](XlaOp x) {
        Transpose(x, {1, 0});
      },
      [](XlaOp x) { Rev(x, {7}); },
      [](XlaOp x) {
        ConcatInDim(x.builder(), {x, x}, 0);
      },
      [](XlaOp x) { PadInDim(x, x, 0, 1, 1); },
      [](XlaOp x) { Pad(x, x, {}); },
      [](XlaOp x) { SliceInDim(x, 0, 1, 0, 0); },
      [](XlaOp x) {
        Slice(x, {0, 0}, {1, 1}, {1, 1});
      },
      [](XlaOp x) { GetDimensionSize(x, 1); },
      [](XlaOp x) { GetTupleElement(x, 1); },
      [](XlaOp x) {
        Tuple(x.builder(), {x, x});
      },
      [](XlaOp x) { Fft(x, FftType::RFFT, {3}); },
      [](XlaOp x) { Fft(x, FftType::IRFFT, {}); },
      [](XlaOp x) { Cholesky(x, true); },
      [&](XlaOp x) { Reduce(x, x, maximum, {1}); },
      [&](XlaOp x) { ReduceAll(x, x, maximum); },
      [&](XlaOp x) {
        ReduceWindow(x, x, maximum, {1, 0}, {1, -1}, Padding::kSame);
      },
      [&](XlaOp x) { ReduceWindow(x, x, maximum, {2}, {}, Padding::kSame); },
      [&](XlaOp x) {
        Sort({x, x}, maximum);
      },
      [](XlaOp x) { TopK(x, 2, true); },
      [&](XlaOp x) {
        Map(x.builder(), {x}, maximum, {0, 1});
      },
      [&](XlaOp x) {
        Call(x.builder(), maximum, {x, x});
      },
      [&](XlaOp x) { While(maximum, maximum, x); },
      [&](XlaOp x) { Conditional(x, {&maximum}, {x}); },
      [](XlaOp x) { OptimizationBarrier(x); },
      [](XlaOp x) { Outfeed(x, ShapeUtil::MakeShape(F32, {})); },
      [](XlaOp x) { InfeedWithToken(x, ShapeUtil::MakeShape(F32, {})); },
      [](XlaOp x) { AfterAll(x.builder(), {x}); },
      [](XlaOp x) {
        Send(x, {1, ChannelHandle::DEVICE_TO_DEVICE});
      },
      [](XlaOp x) {
        RecvWithToken(x, ShapeUtil::MakeShape(F32, {}), {1, ChannelHandle::DEVICE_TO_DEVICE});
      },
      [](XlaOp x) { RngBitGenerator(RNG_PHILOX, x, ShapeUtil::MakeShape(U32, {3})); },
      [](XlaOp x) { AllGather(x, 0, 2); },
      [](XlaOp x) { AllGather(x, -1, -2); },
      [&](XlaOp x) { AllReduce(x, maximum); },
      [](XlaOp x) { CrossReplicaSum(x); },
      [&](XlaOp x) { ReduceScatter(x, maximum, 1, 1); },
      [](XlaOp x) { AllToAll(x, 0, 1, 2); },
      [](XlaOp x) { AllToAllTuple({x}); },
      [](XlaOp x) { AllToAllTuple(x, 0, 0, 1, {}, LayoutUtil::MakeLayout({0})); },
      [](XlaOp x) {
        AllGather(x, 0, INT64_MAX, {}, std::nullopt, LayoutUtil::MakeLayout({1, 0}));
      },
      [](XlaOp x) { Copy(x); },
      [](XlaOp x) {
        CollectivePermute(x, {{0, 0}});
      },
      [](XlaOp x) { CollectiveBroadcast(x, {}); },
      [](XlaOp x) { ScalarLike(x, 1); },
      [](XlaOp x) { FullLike(x, 1); },
      [](XlaOp x) { ZerosLike(x); },
      [](XlaOp x) { MaxValue(x.builder(), x.builder()->GetShape(x)->element_type()); },
      [](XlaOp x) { CustomCall(x.builder(), "", {x}, Shape()); },
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
      [](XlaOp x, XlaOp y) { Add(x, y); },
      [](XlaOp x, XlaOp y) { Add(x, y, {0}); },
      [](XlaOp x, XlaOp y) { Complex(x, y); },
      [](XlaOp x, XlaOp y) { EqTotalOrder(x, y); },
      [](XlaOp x, XlaOp y) { Compare(x, y, {}, ComparisonDirection::kLt, Comparison::Type::kSigned); },
      [](XlaOp x, XlaOp y) { x >> y; },
      [](XlaOp x, XlaOp y) { Clamp(x, y, x); },
      [](XlaOp x, XlaOp y) { StochasticConvertType(x, y, F16); },
      [&](XlaOp x, XlaOp y) { Scan({x}, {y}, maximum, 0); },
      [&](XlaOp x, XlaOp y) {
        Scan({}, {x, y}, maximum, 1, -3);
      },
      [&](XlaOp x, XlaOp y) {
        Conditional(x, {&maximum, &maximum}, {y, y});
      },
      [](XlaOp x, XlaOp y) { Select(x, y, y); },
      [](XlaOp x, XlaOp y) { Select(x, x, y); },
      [](XlaOp x, XlaOp y) { Dot(x, y); },
      [](XlaOp x, XlaOp y) {
        DotGeneral(x, y, {{0}, {1}, {2}, {}});
      },
      [](XlaOp x, XlaOp y) {
        RaggedDot(x, y, y, {{{0}, {0}, {}, {}}, {1}, {0}});
      },
      [](XlaOp x, XlaOp y) { Conv(x, y, {}, Padding::kSame); },
      [](XlaOp x, XlaOp y) { Conv(x, y, {0}, Padding::kSame); },
      [](XlaOp x, XlaOp y) { ConvWithGeneralPadding(x, y, {}, {}, 0, 0); },
      [](XlaOp x, XlaOp y) { TriangularSolve(x, y, true, true, false, TriangularSolveOptions::ADJOINT); },
      [](XlaOp x, XlaOp y) { BatchNormTraining(x, y, y, 0.1F, 1); },
      [](XlaOp x, XlaOp y) { BatchNormGrad(x, y, y, y, x, 0.1F, -1); },
      [](XlaOp x, XlaOp y) {
        DynamicSlice(x, y, {1, 1});
      },
      [](XlaOp x, XlaOp y) {
        DynamicUpdateSlice(x, x, {y, y});
      },
      [](XlaOp x, XlaOp y) {
        Gather(x, y, {{0}, {}, {0}, 0, {}, {}}, {1, 1});
      },
      [&](XlaOp x, XlaOp y) {
        Scatter(x, y, x, maximum, {{0}, {1}, {0}, 0, {}, {}});
      },
      [](XlaOp x, XlaOp y) { SetDimensionSize(x, y, 0); },
      [](XlaOp x, XlaOp y) {
        DynamicReshape(x, {y, y}, {3, 2}, {true, false});
      },
      [](XlaOp x, XlaOp y) { RngUniform(x, y, ShapeUtil::MakeShape(F32, {2})); },
      [](XlaOp x, XlaOp y) { OutfeedWithToken(x, y, ShapeUtil::MakeShape(F32, {})); },
      [&](XlaOp x, XlaOp y) { Conditional(x, y, maximum, y, maximum); },
      [&](XlaOp x, XlaOp y) {
        SelectAndScatter(x, maximum, {1, 1}, {1, 1}, Padding::kValid, x, y, maximum);
      },
      [&](XlaOp x, XlaOp y) {
        Reduce(x.builder(), {x, y}, {x, y}, maximum, {});
      },
      [](XlaOp x, XlaOp y) { RaggedAllToAll(x, y, y, x, y, y); },
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
