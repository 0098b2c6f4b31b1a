#include "interpreter/hlo/extract.h"

#include "interpreter/evaluator/evaluator.h"
#include "spec_tests/catch.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

TEST_CASE("an instruction in other types calls with the same constants", "[hlo]") {
  const auto module = Parsed(R"(HloModule m
f {
  a = bf16[] parameter(0)
  c = bf16[] constant(0.75)
  ROOT r = bf16[] add(a, c)
}
ENTRY e {
  x = bf16[2] parameter(0)
  ROOT m = bf16[2] map(x), dimensions={0}, to_apply=f
})");
  const HloInstruction* piece[] = {module->entry->root};
  const auto in_f64 = ExtractInstructions(piece, [](PrimitiveType type) { return type == BF16 ? F64 : type; });
  // 256.75 is no number of bf16.
  const Result<Literal> result = Evaluate(*in_f64, {Value("f64[2] {256, 1}")});
  REQUIRE(result);
  CHECK(result->BitwiseEqual(Value("f64[2] {256.75, 1.75}")));
}

}  // namespace
}  // namespace assay::testing
