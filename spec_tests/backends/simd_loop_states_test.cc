// The state of loops of the backend simd, loops within loops, drawn ones, those that have no program, and limits.
#include "spec_tests/backends/simd_loops.h"

namespace assay::simd {
namespace {

TEST_CASE("a loop's state: exchanged, repeated, replaced, kept, of constants, never run") {
  CheckProgram({"f32[5]", "f32[5]", "f32[5]"},
               "  n0 = f32[5] copy(x1)\n  n1 = f32[5] copy(x2)\n  n2 = f32[5] copy(x0)\n");
  CheckProgram({"f32[5]", "f32[5]"}, "  n0 = f32[5] add(x0, x1)\n  n1 = f32[5] copy(n0)\n");
  CheckProgram({"f32[5]", "f32[5]"}, "  n0 = f32[5] negate(x1)\n  n1 = f32[5] copy(x0)\n");
  CheckProgram({"f32[5]", "f32[5]"}, "  n0 = f32[5] copy(x0)\n  n1 = f32[5] copy(x0)\n");
  CheckProgram({"f32[2]", "s32[]"}, "  n0 = f32[2] constant({1, 2})\n  n1 = s32[] copy(i)\n");
  CheckProgram({"f32[5]"}, "  n0 = f32[5] add(x0, x0)\n", 0);
  // The old array is read after the step that computes the new one.
  CheckProgram({"f32[5]", "f32[5]"},
               "  n0 = f32[5] multiply(x0, x0)\n  s = f32[5] sine(x0)\n  n1 = f32[5] subtract(s, x0)\n");
  CheckProgram({"f32[6]"}, R"(  zero = s32[] constant(0)  a = f32[2] slice(x0), slice={[4:6]}
  u = f32[6] dynamic-update-slice(x0, a, zero)  n0 = f32[6] subtract(u, x0))");
}

// A scan: reads row i of a large array, and writes row i of another.
std::string ScanBody(const std::string& written) {
  return fmt::format(R"(  zero = s32[] constant(0)
  row = f32[1,4] dynamic-slice(x0, i, zero), dynamic_slice_sizes={{1,4}}
  flat = f32[4] reshape(row)  n1 = f32[4] add(x1, flat)  out = f32[1,4] reshape(n1)  n0 = f32[3000,4] copy(x0)
  n2 = f32[3000,4] dynamic-update-slice({}, out, i, zero))",
                     written);
}

TEST_CASE("a scan updates its large result in place") {
  CheckProgram({"f32[3000,4]", "f32[4]", "f32[3000,4]"}, ScanBody("x2"), 3000);
  // Both are one array of the caller.
  const std::string text = LoopText({"f32[3000,4]", "f32[4]", "f32[3000,4]"}, ScanBody("x2"), 3000);
  std::string shared = text;
  shared.replace(shared.find("tuple(zero, a0, a1, a2)"), 23, "tuple(zero, a0, a1, a0)");
  CheckSameOnEvaluator(shared);
}

std::string InnerLoop(const std::string& type) {
  return fmt::format(R"(inner.below {{ p = (s32[], {0}, {0}) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(4)  ROOT l = pred[] compare(i, n), direction=LT }}
inner.next {{ p = (s32[], {0}, {0}) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = {0} get-tuple-element(p), index=1
  y = {0} get-tuple-element(p), index=2
  one = s32[] constant(1)  j = s32[] add(i, one)  z = {0} add(x, y)  ROOT t = (s32[], {0}, {0}) tuple(j, z, y) }})",
                     type);
}

TEST_CASE("a loop within a loop, whose state the outer one keeps, overwrites or shares") {
  const std::string head = "  zero = s32[] constant(0)\n";
  const std::string loop = "  w = (s32[], f32[6], f32[6]) while(s), condition=inner.below, body=inner.next\n";
  const auto check = [&](const std::string& start, const std::string& end) {
    CheckProgram({"f32[6]", "f32[6]"}, head + "  s = (s32[], f32[6], f32[6]) tuple(" + start + ")\n" + loop + end, 7,
                 InnerLoop("f32[6]"));
  };
  const std::string first = "  n0 = f32[6] get-tuple-element(w), index=1\n";
  check("zero, x0, x1", first + "  n1 = f32[6] copy(x1)\n");
  check("zero, x0, x1", first + "  n1 = f32[6] subtract(n0, x0)\n");
  check("zero, x0, x0", first + "  n1 = f32[6] get-tuple-element(w), index=2\n");
  check("zero, x1, x0", first + "  n1 = f32[6] sine(x1)\n");
  check("i, x1, x0", first +
                         "  k = s32[] get-tuple-element(w), index=0\n  kf = f32[] convert(k)\n"
                         "  ks = f32[6] broadcast(kf), dimensions={}\n  n1 = f32[6] add(ks, x0)\n");
}

// Draws the body of a loop over these shapes: instructions on arrays of one type and two sizes.
std::string DrawnBody(generate::Random& random, const std::string& type, std::size_t state) {
  std::vector<std::string> small, large;
  std::string body;
  int count = 0;
  const auto append = [&](std::vector<std::string>& values, const std::string& dimensions, const std::string& value) {
    values.push_back(fmt::format("v{}", count++));
    body += fmt::format("  {} = {}[{}] {}\n", values.back(), type, dimensions, value);
  };
  append(small, "", "convert(i)");
  for (std::size_t k = 0; k < state; ++k) (k % 2 == 0 ? large : small).push_back(fmt::format("x{}", k));
  for (int n = 0; n < 12; ++n) {
    const std::string a = random.OneOf(large), b = random.OneOf(large), s = random.OneOf(small),
                      u = random.OneOf(small);
    const char* const op = random.OneOf({"add", "subtract", "multiply", "maximum", "minimum", "divide"});
    switch (random.Below(8)) {
      case 0:
        append(small, "", fmt::format("{}({}, {})", op, s, u));
        break;
      case 1:
        append(large, "10", fmt::format("broadcast({}), dimensions={{}}", s));
        break;
      case 2:
        append(large, "10", fmt::format("clamp({}, {}, {})", s, a, u));
        break;
      case 3:
        append(large, "10", fmt::format("reverse({}), dimensions={{0}}", a));
        break;
      case 4:
        body += fmt::format("  c{0} = {1}[3] dynamic-slice({2}, i), dynamic_slice_sizes={{3}}\n", count, type, a);
        append(large, "10", fmt::format("dynamic-update-slice({}, c{}, i)", b, count));
        break;
      case 5:
        body += fmt::format("  c{0} = pred[10] compare({1}, {2}), direction=LT\n", count, a, b);
        append(large, "10", fmt::format("select(c{}, {}, {})", count, b, random.OneOf(large)));
        break;
      default:
        append(large, "10", fmt::format("{}({}, {})", op, a, b));
    }
  }
  for (std::size_t k = 0; k < state; ++k) {
    body += fmt::format("  n{} = {}[{}] copy({})\n", k, type, k % 2 == 0 ? "10" : "",
                        random.OneOf(k % 2 == 0 ? large : small));
  }
  return body;
}

TEST_CASE("drawn loops have the evaluator's bits") {
  generate::Random random(37);
  for (int n = 0; n < 600; ++n) {
    const std::string type = random.OneOf({"f32", "f64", "s32", "u8", "s64", "bf16"});
    std::vector<std::string> shapes;
    for (std::int64_t k = random.Between(1, 6); k > 0; --k) {
      shapes.push_back(type + (shapes.size() % 2 == 0 ? "[10]" : "[]"));
    }
    CheckProgram(shapes, DrawnBody(random, type, shapes.size()), static_cast<int>(random.Below(6)));
  }
}

TEST_CASE("loops that have no program run on the evaluator") {
  const auto falls_back = [](const std::vector<std::string>& shapes, const std::string& body,
                             const std::string& computations = "") {
    const std::string text = LoopText(shapes, body, 7, computations);
    INFO(text);
    CHECK(!HasProgram(text));
    CheckSameOnEvaluator(text);
  };
  falls_back({"f32[100,100]"}, "  n0 = f32[100,100] negate(x0)\n");
  falls_back({"f32[100,100]", "f32[100,100]"}, "  n0 = f32[100,100] copy(x1)\n  n1 = f32[100,100] copy(x0)\n");
  falls_back({"f32[0]"}, "  n0 = f32[0] negate(x0)\n");
  falls_back({"f32[]"},
             "  one.f = f32[] constant(1)\n  zero.f = f32[] constant(0)\n"
             "  n0 = f32[] rng(zero.f, one.f), distribution=rng_uniform\n");
  falls_back({"u32[]"}, "  n0 = u32[] replica-id()\n");
  // The root does not need the effect.
  falls_back({"f32[4]"},
             "  k = token[] after-all()\n  o = token[] outfeed(x0, k), outfeed_shape=f32[4]\n"
             "  n0 = f32[4] negate(x0)\n");
  falls_back({"f32[4]"}, R"(  s = ((f32[4]), f32[4], s32[]) async-start(x0), calls=twice
  n0 = f32[4] async-done(s), calls=twice)",
             "twice { a = f32[4] parameter(0) ROOT r = f32[4] add(a, a) }");
  // Each turn updates a copy of the large array.
  falls_back({"f32[3000,4]", "f32[4]", "f32[3000,4]"}, ScanBody("x0"));
}

TEST_CASE("limits and observers hold within a loop") {
  const std::string forever = R"(for.ever { p = (s32[], f32[8]) parameter(0)  ROOT l = pred[] constant(true) }
next { p = (s32[], f32[8]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[8] get-tuple-element(p), index=1
  y = f32[8] add(x, x)  ROOT t = (s32[], f32[8]) tuple(i, y) }
outer.next { p = (s32[], f32[8]) parameter(0)  ROOT w = (s32[], f32[8]) while(p), condition=for.ever, body=next }
ENTRY e { x = (s32[], f32[8]) parameter(0)  ROOT w = (s32[], f32[8]) while(x), condition=for.ever, body=BODY })";
  for (const std::string body : {"next", "outer.next"}) {
    std::string text = forever;
    text.replace(text.find("BODY"), 4, body);
    const auto module = ModuleOf(text);
    REQUIRE(HasProgram(text));
    generate::Random random(1);
    for (const EvaluationLimits limits : {EvaluationLimits{.seconds = 0.2}, EvaluationLimits{.steps = 100000}}) {
      const auto got = Evaluate(*module, DrawArguments(*module, random), {.limits = limits}, Overrides());
      REQUIRE(!got);
      CHECK(got.error().code == ErrorCode::kLimit);
    }
  }
  const auto module = ModuleOf(LoopText({"f32[8]"}, "  n0 = f32[8] multiply(x0, x0)\n", 5));
  generate::Random random(1);
  int multiplications = 0;
  EvaluationOptions options;
  options.observer = [&](const HloInstruction& instruction, std::span<const Literal>, const Literal&, DeviceId) {
    multiplications += instruction.op->name == "multiply" ? 1 : 0;
  };
  REQUIRE(Evaluate(*module, DrawArguments(*module, random), options, Overrides()));
  CHECK(multiplications == 5);
  // The memory of the run counts.
  const auto got = Evaluate(*module, DrawArguments(*module, random), {.limits = {.array_bytes = 100}}, Overrides());
  REQUIRE(!got);
  CHECK(got.error().code == ErrorCode::kLimit);
}

}  // namespace
}  // namespace assay::simd
