#include "interpreter/hlo/extract.h"

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

TEST_CASE("a piece asks for the accuracy that the program asks for", "[hlo]") {
  const auto module = Parsed(R"(HloModule m
ENTRY e {
  x = f32[] parameter(0)
  ROOT t = f32[] tanh(x), result_accuracy={tolerance={atol=0,rtol=0,ulps=3}}
})");
  const HloInstruction* root = module->entry->root;
  const auto piece = ExtractInstructions({&root, 1});
  const Region region = ExtractRegion(*module->entry, {root});
  for (const HloModule* extracted : {piece.get(), region.module.get()}) {
    const auto& accuracy = extracted->entry->root->result_accuracy;
    REQUIRE(accuracy);
    CHECK(accuracy->ulps == 3);
  }
}

TEST_CASE("the end of an asynchronous pair is extracted with its start", "[hlo]") {
  const auto module = Parsed(R"(HloModule m
ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] negate(x)
  s = (f32[2], f32[2], u32[]) copy-start(y)
  ROOT d = f32[2] copy-done(s)
})");
  const HloInstruction* root = module->entry->root;
  const auto piece = ExtractInstructions({&root, 1});
  const Result<Literal> result = Evaluate(*piece, {Value("f32[2] {1, 2}")});
  REQUIRE(result);
  CHECK(result->BitwiseEqual(Value("f32[2] {1, 2}")));
}

}  // namespace
}  // namespace assay::testing
