// call, while, conditional, fusion, custom-call, rng, infeed and outfeed: what makes each of them illegal.
#include "spec_tests/hlo/verify.h"

using namespace assay;
using namespace assay::testing;

namespace {

std::string WithCallees(std::string_view instructions) {
  return R"(HloModule m
double {
  double.x = f32[] parameter(0)
  ROOT double.r = f32[] add(double.x, double.x)
}
positive {
  positive.x = f32[] parameter(0)
  positive.zero = f32[] constant(0)
  ROOT positive.r = pred[] compare(positive.x, positive.zero), direction=GT
}
pair {
  pair.x = f32[] parameter(0)
  ROOT pair.r = (f32[], f32[]) tuple(pair.x, pair.x)
}
ENTRY entry {
)" + std::string(instructions) +
         "\n}\n";
}

}  // namespace

TEST_CASE("call: arguments and result") {
  CHECK(IsLegal(WithCallees("x = f32[] parameter(0) ROOT r = f32[] call(x), to_apply=double")));
  CHECK(WhyIllegal(WithCallees("x = f32[] parameter(0) ROOT r = f32[] call(x, x), to_apply=double")) ==
        "r: call: the computation double must have 2 parameters, found 1");
  CHECK(WhyIllegal(WithCallees("x = f32[2] parameter(0) ROOT r = f32[] call(x), to_apply=double")) ==
        "r: call: parameter 0 of the computation double must have the shape of its argument, f32[2], found f32[]");
  CHECK(WhyIllegal(WithCallees("x = f32[] parameter(0) ROOT r = f32[2] call(x), to_apply=double")) ==
        "r: call: declared f32[2], inferred f32[]");
}

TEST_CASE("call: a composite has a name") {
  const std::string composite = "x = f32[] parameter(0) ROOT r = f32[] call(x), to_apply=double, is_composite=true";
  CHECK(WhyIllegal(WithCallees(composite)) ==
        "r: call: a composite must have a name: frontend attribute composite.name");
  CHECK(IsLegal(WithCallees(composite + R"(, frontend_attributes={composite.name="a.b",composite.version="1"})")));
  CHECK(WhyIllegal(WithCallees(composite + R"(, frontend_attributes={composite.name="a",composite.version="-1"})")) ==
        "r: call: composite.version must be a whole number, found -1");
}

TEST_CASE("while: state, condition and body") {
  CHECK(IsLegal(WithCallees("x = f32[] parameter(0) ROOT r = f32[] while(x), condition=positive, body=double")));
  CHECK(WhyIllegal(WithCallees("x = f32[] parameter(0) ROOT r = f32[] while(x), condition=double, body=double")) ==
        "r: while: the result of the condition must have the shape of a single pred, pred[], found f32[]");
  CHECK(WhyIllegal(WithCallees("x = f32[] parameter(0) ROOT r = f32[] while(x), condition=positive, body=pair")) ==
        "r: while: the result of the body must have the shape of the state, f32[], found (f32[], f32[])");
  CHECK(WhyIllegal(WithCallees("x = s32[] parameter(0) ROOT r = s32[] while(x), condition=positive, body=double")) ==
        "r: while: parameter 0 of the condition positive must have the shape of its argument, s32[], found f32[]");
}

TEST_CASE("conditional: selector, branches and operands") {
  const auto two = [](std::string_view rest) {
    return WithCallees("p = pred[] parameter(0) i = s32[] parameter(1) x = f32[] parameter(2)\n" + std::string(rest));
  };
  CHECK(IsLegal(two("ROOT r = f32[] conditional(p, x, x), true_computation=double, false_computation=double")));
  CHECK(IsLegal(two("ROOT r = f32[] conditional(i, x), branch_computations={double}")));
  CHECK(WhyIllegal(two("ROOT r = f32[] conditional(i, x, x), true_computation=double, false_computation=double")) ==
        "r: conditional: a choice of two computations needs a scalar pred to choose by, found s32[]");
  CHECK(WhyIllegal(two("ROOT r = f32[] conditional(i, x), branch_computations={double, double}")) ==
        "r: conditional: 2 branches take 2 operands after the first, found 1");
  CHECK(WhyIllegal(two("ROOT r = f32[] conditional(i, x, x), branch_computations={double, pair}")) ==
        "r: conditional: the result of branch 1 must have the shape of branch 0, f32[], found (f32[], f32[])");
  CHECK(WhyIllegal(two("ROOT r = f32[] conditional(i, x, p), branch_computations={double, double}")) ==
        "r: conditional: parameter 0 of the branch double must have the shape of its argument, pred[], found f32[]");
}

TEST_CASE("fusion: parameters, uses and aliasing") {
  CHECK(IsLegal(WithCallees("x = f32[] parameter(0) ROOT r = f32[] fusion(x), kind=kLoop, calls=double")));
  CHECK(WhyIllegal(WithCallees("x = f32[] parameter(0) ROOT r = pred[] fusion(x), kind=kLoop, calls=double")) ==
        "r: fusion: declared pred[], inferred f32[]");
  const std::string dead = R"(HloModule m
    f { f.x = f32[] parameter(0) f.dead = f32[] tanh(f.x) ROOT f.r = f32[] exponential(f.x) }
    ENTRY e { x = f32[] parameter(0) ROOT r = f32[] fusion(x), kind=kLoop, calls=f })";
  CHECK(WhyIllegal(dead) == "r: fusion: f.dead is not used in the fused computation");
  const std::string used_root = R"(HloModule m
    f { f.x = f32[] parameter(0) ROOT f.r = f32[] tanh(f.x) f.y = f32[] exponential(f.r) }
    ENTRY e { x = f32[] parameter(0) ROOT r = f32[] fusion(x), kind=kLoop, calls=f })";
  CHECK(WhyIllegal(used_root) == "r: fusion: the root f.r of the fused computation is used inside it");
  const auto aliased = [](std::string_view alias) {
    return WithCallees("x = f32[] parameter(0) ROOT r = (f32[], f32[]) fusion(x), kind=kLoop, " +
                       ("output_to_operand_aliasing={" + std::string(alias)) + "}, calls=pair");
  };
  CHECK(IsLegal(aliased("{0}: (0, {})")));
  CHECK(WhyIllegal(aliased("{0}: (1, {})")) == "r: fusion: output_to_operand_aliasing names operand 1, there are 1");
  CHECK(WhyIllegal(aliased("{2}: (0, {})")) ==
        "r: fusion: output_to_operand_aliasing names output {2}, which (f32[], f32[]) does not have");
  CHECK(WhyIllegal(aliased("{}: (0, {})")) ==
        "r: fusion: output {} must have the shape of the aliased operand 0, f32[], found (f32[], f32[])");
}

TEST_CASE("custom-call: layout constraints and the one target with a known form") {
  CHECK(IsLegal(Module(R"(x = f32[4] parameter(0)
    ROOT r = f32[2] custom-call(x), custom_call_target="f", operand_layout_constraints={f32[4]{0}})")));
  CHECK(WhyIllegal(Module(R"(x = f32[4] parameter(0)
    ROOT r = f32[2] custom-call(x), custom_call_target="f", operand_layout_constraints={})")) ==
        "r: custom-call: operand_layout_constraints must have one shape an operand: expected 1, found 0");
  CHECK(WhyIllegal(Module(R"(ROOT r = u32[] custom-call(), custom_call_target="GetRngSeed")")) ==
        "r: custom-call: declared u32[], inferred u64[]");
}

TEST_CASE("rng: distributions and their types") {
  const auto rng = [](std::string_view type, std::string_view distribution) {
    const std::string t(type);
    return Module("a = " + t + "[] parameter(0) b = " + t + "[] parameter(1) ROOT r = " + t +
                  "[8] rng(a, b), distribution=" + std::string(distribution));
  };
  CHECK(IsLegal(rng("f32", "rng_uniform")));
  CHECK(IsLegal(rng("s32", "rng_uniform")));
  CHECK(IsLegal(rng("bf16", "rng_normal")));
  CHECK(WhyIllegal(rng("s32", "rng_normal")) == "r: rng: rng_normal has no values of type s32");
  CHECK(WhyIllegal(Module("a = f32[] parameter(0) b = f32[2] parameter(1) "
                          "ROOT r = f32[8] rng(a, b), distribution=rng_uniform")) ==
        "r: rng: operands must be two scalars of the same type, found f32[2]");
  CHECK(WhyIllegal(Module("ROOT r = u64[3] rng-get-and-update-state(), delta=1")) ==
        "r: rng-get-and-update-state: declared u64[3], inferred u64[2]");
}

TEST_CASE("infeed and outfeed: tokens and shapes") {
  CHECK(IsLegal(Module(R"(t = token[] after-all() i = (f32[4], token[]) infeed(t)
    d = f32[4] get-tuple-element(i), index=0
    ROOT o = token[] outfeed(d, t), outfeed_shape=f32[4])")));
  CHECK(WhyIllegal(Module("t = token[] after-all() ROOT i = (f32[4], f32[]) infeed(t)")) ==
        "i: infeed: the result must be (data, token[]), found (f32[4], f32[])");
  CHECK(WhyIllegal(Module(R"(t = token[] after-all() x = f32[4] parameter(0)
    ROOT o = token[] outfeed(x, t), outfeed_shape=f32[5])")) ==
        "o: outfeed: outfeed_shape must have the shape of operand 0, f32[4], found f32[5]");
}
