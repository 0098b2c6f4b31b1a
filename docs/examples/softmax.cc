// A softmax over rows: built, printed and run.
#include <cmath>
#include <cstdio>

#include "interpreter/builder/xla_builder.h"
#include "interpreter/evaluator/evaluator.h"

using namespace assay;
using namespace assay::xla;

// The computation of two scalars that a reduction calls.
XlaComputation Fold(const char* name, XlaOp (*function)(XlaOp, XlaOp, const Int64List&)) {
  XlaBuilder builder(name);
  auto a = Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {}), "a");
  auto b = Parameter(&builder, 1, ShapeUtil::MakeShape(F32, {}), "b");
  function(a, b, {});
  return builder.Build().value();
}

int main() {
  XlaBuilder builder("softmax");
  auto x = Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {2, 4}), "x");
  auto top = Reduce(x, MinValue(&builder, F32), Fold("max", Max), {1});
  auto e = Exp(Sub(x, top, {0}));
  auto total = Reduce(e, Zero(&builder, F32), Fold("sum", Add), {1});
  Div(e, total, {0});
  Result<XlaComputation> softmax = builder.Build();
  if (!softmax) {
    std::fprintf(stderr, "%s\n", softmax.error().message.c_str());
    return 1;
  }
  std::printf("%s", softmax->ToString().c_str());

  Literal rows = LiteralUtil::CreateR2<float>({{1, 2, 3, 4}, {0, 0, 0, -INFINITY}});
  Result<Literal> result = Evaluate(softmax->module(), {rows});
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    return 1;
  }
  std::printf("%s\n", LiteralUtil::ToString(*result).c_str());
}
