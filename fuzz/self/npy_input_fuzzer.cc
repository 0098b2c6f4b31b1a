// NumPy files. Any bytes are an array or an error; an array is written again and reads back.
#include "conformance/cases/npy.h"
#include "fuzz/self/target.h"
#include "interpreter/types/without_throwing.h"

ASSAY_FUZZ_TARGET(npy_input) {
  static const Shape expected[] = {
      ShapeUtil::MakeShape(F32, {2, 3}), ShapeUtil::MakeShape(BF16, {4}), ShapeUtil::MakeShape(S4, {2}),
      ShapeUtil::MakeScalarShape(PRED),  ShapeUtil::MakeTokenShape(),     ShapeUtil::MakeTupleShape({}),
  };
  const SmallLimits limits;
  for (const Shape& shape : expected) {
    // As in ReadInputs.
    const Result<Literal> value = WithoutThrowing([&] { return ParseNpy(text, shape); });
    if (!value || !NpyCanHold(value->element_type())) continue;
    std::string bytes;
    WriteNpy(*value, [&bytes](std::string_view piece) { bytes += piece; });
    const Result<Literal> again = ParseNpy(bytes, value->shape());
    Require(again && again->BitwiseEqual(*value), "an array reads back");
  }
}
