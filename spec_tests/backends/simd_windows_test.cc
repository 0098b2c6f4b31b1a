// Long windows of the backend simd that slide by one element: cumulative folds, and others along one dimension.
#include <algorithm>
#include <limits>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "interpreter/acceptance/profile.h"
#include "spec_tests/backends/simd_loops.h"
#include "spec_tests/backends/simd_targets.h"

namespace assay::simd {
namespace {

// The dimensions of an array and of the result, and the window.
struct Slide {
  std::string_view array, result, window;
};

constexpr Slide kSlides[] = {
    // Cumulative, from the start and from the end.
    {"3,200", "3,200", "size=1x200 pad=0_0x199_0"},
    {"3,200", "3,200", "size=1x200 pad=0_0x0_199"},
    {"2,150,21", "2,150,21", "size=1x150x1 pad=0_0x149_0x0_0"},
    {"90,2,69", "90,2,69", "size=90x1x1 pad=0_89x0_0x0_0"},
    // Windows over the ends of two blocks, with padding at either end, or cut.
    {"300", "241", "size=60"},
    {"2,100,19", "2,116,19", "size=1x40x1 pad=0_0x5_50x0_0"},
    {"2,500", "2,458", "size=1x33 pad=0_0x-7_-3"},
    {"70,5", "38,5", "size=33x1"},
    {"33,7", "2,7", "size=32x1"},
    // Windows that have all elements, and none.
    {"40", "35", "size=70 pad=32_32"},
    {"20,3", "171,3", "size=40x1 pad=100_90x0_0"},
    {"90", "160", "size=40 pad=4_105"},
    {"90", "30", "size=40 pad=-60_39"},
    {"90", "9", "size=40 pad=39_-81"},
    {"3,0,2", "3,2,2", "size=1x40x1 pad=0_0x41_0x0_0"},
    {"3,0,2", "3,2,2", "size=1x40x1 pad=0_0x20_21x0_0"},
};

// The start is a parameter, or a constant.
std::string Text(const Slide& slide, std::string_view op, std::string_view type,
                 std::string_view start = "parameter(1)") {
  return fmt::format(R"(x = {0}[{2}] parameter(0)  i = {0}[] {5}
  ROOT r = {0}[{3}] reduce-window(x, i), window={{{4}}}, to_apply={1}_{0})",
                     type, op, slide.array, slide.result, slide.window, start);
}

// Checks verdicts by the profile `simd`, on operands of every class.
void CheckVerdicts(const std::string& text, Verdict worst) {
  INFO(text);
  const auto module = testing::Parsed(text);
  const auto backend = *OpenBackend("simd", 0);
  generate::Random random(7);
  for (const generate::EdgeClass edge_class : generate::AllEdgeClasses()) {
    INFO(generate::EdgeClassName(edge_class));
    const std::vector<Literal> arguments = DrawArguments(*module, random, edge_class);
    const Result<ModuleReport> report =
        CompareModule(*backend, *module, {arguments}, {.profile = BuiltInProfile("simd"), .limits = {}});
    REQUIRE(report);
    INFO(report->reason);
    CHECK(report->verdict <= worst);
  }
}

TEST_CASE("simd's folds of long windows have the reference's bits if their order does not matter") {
  for (const Slide& slide : kSlides) {
    for (const std::string_view op : {"add", "multiply", "maximum", "minimum", "and", "or"}) {
      CheckVerdicts(Text(slide, op, "s32"), Verdict::kExact);
    }
    CheckVerdicts(Text(slide, "maximum", "u32"), Verdict::kExact);
    CheckVerdicts(Text(slide, "or", "pred"), Verdict::kExact);
    CheckVerdicts(Text(slide, "maximum", "f32"), Verdict::kExact);
    CheckVerdicts(Text(slide, "minimum", "f64"), Verdict::kExact);
  }
}

TEST_CASE("simd's sums and products of long windows are legal") {
  for (const Slide& slide : kSlides) {
    CheckVerdicts(Text(slide, "add", "f32", "constant(0)"), Verdict::kLegal);
    // WEAK where sums in some order, or products, may overflow.
    CheckVerdicts(Text(slide, "add", "f64", "constant(0)"), Verdict::kWeak);
    CheckVerdicts(Text(slide, "multiply", "f32", "constant(1)"), Verdict::kWeak);
  }
  // More elements than are folded at a time.
  CheckVerdicts(Text({"20000", "20000", "size=20000 pad=0_19999"}, "add", "f32", "constant(0)"), Verdict::kLegal);
}

TEST_CASE("simd's sums of long windows are exact on every instruction set if no sum rounds") {
  generate::Random random(8);
  for (const Slide& slide : kSlides) {
    for (const std::string_view type : {"f32", "f64", "s32"}) {
      const auto module = testing::Parsed(Text(slide, "add", type));
      const std::vector<Literal> arguments = DrawArguments(*module, random, generate::EdgeClass::kSmallIntegers);
      const Literal want = Evaluate(*module, arguments).value();
      OnEveryTarget([&] { CHECK(Evaluate(*module, arguments, {}, Overrides()).value().BitwiseEqual(want)); });
    }
  }
}

TEST_CASE("results beyond f32 are infinite on every instruction set") {
  const auto exponential = testing::Parsed("a = f32[5] parameter(0) ROOT r = f32[5] exponential(a)");
  Literal numbers(ShapeUtil::MakeShape(F32, {5}));
  const auto values = numbers.mutable_values<float>();
  values[0] = 1000, values[1] = std::numeric_limits<float>::infinity(), values[2] = 0, values[3] = -1000;
  values[4] = 89;
  OnEveryTarget([&] {
    const Literal got = Evaluate(*exponential, {numbers}, {}, Overrides()).value();
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> want = {infinity, infinity, 1, 0, infinity};
    CHECK(std::ranges::equal(got.values<float>(), want));
  });
}

TEST_CASE("infinities and NaN reach only the sums of the windows that have them") {
  Literal array(ShapeUtil::MakeShape(F32, {300})), start(ShapeUtil::MakeScalarShape(F32));
  const auto numbers = array.mutable_values<float>();
  std::ranges::fill(numbers, 1.0F);
  numbers[70] = std::numeric_limits<float>::infinity(), numbers[75] = -numbers[70];
  numbers[200] = std::numeric_limits<float>::quiet_NaN();
  start.mutable_values<float>()[0] = 0.5;
  const auto module = testing::Parsed(Text({"300", "241", "size=60"}, "add", "f32"));
  const Literal got = Evaluate(*module, {array, start}, {}, Overrides()).value();
  CHECK(CompareExactly(Evaluate(*module, {array, start}).value(), got).verdict == Verdict::kExact);
  CHECK(got.values<float>()[76] == 60.5);
}

}  // namespace
}  // namespace assay::simd
