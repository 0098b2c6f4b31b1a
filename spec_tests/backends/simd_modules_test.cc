// Whole modules on the backend simd: fusions, loops, and drawn modules.
#include <algorithm>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "fuzz/generate/instructions.h"
#include "fuzz/generate/modules.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/printer.h"
#include "spec_tests/backends/simd_loops.h"

namespace assay::simd {
using namespace generate;
using testing::Value;
namespace {

// Small integers, so that no order of sums shows.
void CheckSameBits(const std::string& text) {
  INFO(text);
  const auto module = Parsed(text);
  Random random(1);
  const std::vector<Literal> arguments = DrawArguments(*module, random, EdgeClass::kSmallIntegers);
  const auto got = (*OpenBackend("simd", 0))->Run(*module, {arguments});
  REQUIRE(got);
  // Equal bits, or both NaN.
  CHECK(CompareExactly(*Evaluate(*module, arguments), (*got)[0]).verdict == Verdict::kExact);
}

std::int64_t CountFusions(const HloModule& module) {
  std::int64_t count = 0;
  for (const auto& computation : module.computations) {
    count += std::ranges::count_if(computation->instructions,
                                   [](const auto& instruction) { return instruction->op->name == "fusion"; });
  }
  return count;
}

// A chain with a constant, a repeated scalar, a value used twice, and a value of another type in between.
std::string Chain(const std::string& dimensions) {
  return fmt::format(R"(
ENTRY e {{ x = f32[{0}] parameter(0)  y = f32[{0}] parameter(1)  s = f32[] parameter(2)  c = f32[] constant(0.25)
  cs = f32[{0}] broadcast(c), dimensions={{}}
  ss = f32[{0}] broadcast(s), dimensions={{}}
  a = f32[{0}] add(x, cs)  b = f32[{0}] multiply(a, ss)  d = f32[{0}] subtract(b, a)
  l = pred[{0}] compare(d, y), direction=LT
  w = f64[{0}] convert(d)  q = f64[{0}] divide(w, w)  n = f32[{0}] convert(q)  r = f32[{0}] select(l, n, d)
  ROOT z = f32[{0}] clamp(s, r, c) }}
)",
                     dimensions);
}

TEST_CASE("fused chains have the bits of the reference") {
  for (const std::string dimensions : {"0", "1", "7", "1024", "1025", "3,5,7", "70001", "1,1"}) {
    CheckSameBits(Chain(dimensions));
  }
  CheckSameBits(R"(
ENTRY e { x = f32[] parameter(0)  y = f32[] parameter(1)  a = f32[] add(x, y)  b = f32[] multiply(a, a)
  ROOT z = f32[] subtract(b, x) })");
}

TEST_CASE("chains are fused, and an instruction whose users are in several fusions is not") {
  const auto fused = [](const std::string& text) {
    const auto module = ModuleOf(text);
    INFO(PrintHloModule(*module));
    const Status status = VerifyHloModule(*module);
    INFO((status ? "" : status.error().message));
    CHECK(status);
    CHECK(ParseHloModule(PrintHloModule(*module)));
    CheckSameBits(text);
    return CountFusions(*module);
  };
  CHECK(fused(Chain("9")) == 1);
  // Two users that are not fused with each other share an operand: it is fused into neither.
  CHECK(fused(R"(x = f32[4] parameter(0)  a = f32[4] add(x, x)  b = f32[4] multiply(a, a)
  t = f32[4] reverse(b), dimensions={0}
  d = f32[4] subtract(b, t)  ROOT z = f32[4] negate(d))") == 2);
  // Explicit orders stay.
  CHECK(fused(
            R"(x = f32[4] parameter(0)  a = f32[4] add(x, x)  b = f32[4] multiply(x, x), control-predecessors={a}
  ROOT z = f32[4] subtract(a, b))") == 0);
  // Other dimensions, and one instruction alone.
  CHECK(
      fused(R"(x = f32[4] parameter(0)  a = f32[4] add(x, x)  r = f32[2,2] reshape(a)  ROOT z = f32[2,2] negate(r))") ==
      0);
  // In the body of a loop, and dynamic dimensions.
  CHECK(fused(R"(below { p = (s32[], f32[3]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(5)  ROOT l = pred[] compare(i, n), direction=LT }
next { p = (s32[], f32[3]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[3] get-tuple-element(p), index=1
  one = s32[] constant(1)  j = s32[] add(i, one)  a = f32[3] multiply(x, x)  b = f32[3] subtract(a, x)
  ROOT t = (s32[], f32[3]) tuple(j, b) }
ENTRY e { x = f32[3] parameter(0)  zero = s32[] constant(0)  start = (s32[], f32[3]) tuple(zero, x)
  end = (s32[], f32[3]) while(start), condition=below, body=next
  ROOT r = f32[3] get-tuple-element(end), index=1 })") == 1);
  CHECK(fused(
            R"(x = f32[4] parameter(0)  n = s32[] constant(2)  d = f32[<=4] set-dimension-size(x, n), dimensions={0}
  a = f32[<=4] add(d, d)  b = f32[<=4] multiply(a, d)  s = f32[] constant(0)
  ROOT z = f32[4] pad(b, s), padding=0_0)") == 0);
}

TEST_CASE("loops: a state that is one number, one that never runs, one within another") {
  const std::string loop =
      R"(below { p = s32[] parameter(0)  n = s32[] constant(100)  ROOT l = pred[] compare(p, n), direction=LT }
next { p = s32[] parameter(0)  three = s32[] constant(3)  ROOT j = s32[] add(p, three) }
)";
  CheckSameBits(loop + R"(ENTRY e { x = s32[] parameter(0)  ROOT w = s32[] while(x), condition=below, body=next })");
  CheckSameBits(loop + R"(ENTRY e { x = s32[] constant(100)  ROOT w = s32[] while(x), condition=below, body=next })");
  CheckSameBits(loop + R"(outer.below { p = (s32[], f32[2]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(300)  ROOT l = pred[] compare(i, n), direction=LT }
outer.next { p = (s32[], f32[2]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[2] get-tuple-element(p), index=1
  seven = s32[] constant(7)  j = s32[] add(i, seven)  w = s32[] while(j), condition=below, body=next
  k = s32[] maximum(w, j)  ROOT t = (s32[], f32[2]) tuple(k, x) }
ENTRY e { x = s32[] parameter(0)  y = f32[2] parameter(1)  start = (s32[], f32[2]) tuple(x, y)
  ROOT w = (s32[], f32[2]) while(start), condition=outer.below, body=outer.next })");
}

TEST_CASE("a loop without an end meets the time limit") {
  const auto module = Parsed(R"(for.ever { p = s32[] parameter(0)  ROOT l = pred[] constant(true) }
next { p = s32[] parameter(0)  three = s32[] constant(3)  ROOT j = s32[] add(p, three) }
ENTRY e { x = s32[] parameter(0)  ROOT w = s32[] while(x), condition=for.ever, body=next })");
  const TimeLimit limit(0.2);
  const auto got = (*OpenBackend("simd", 0))->Run(*module, {{Value("s32[] 0")}});
  REQUIRE(!got);
  CHECK(got.error().code == ErrorCode::kLimit);
}

TEST_CASE("scatters have the bits of the reference where no order shows") {
  const auto scatter = [](const std::string& operand, const std::string& indices, const std::string& updates,
                          const std::string& dimension_numbers) {
    for (const std::string op : {"add", "multiply", "maximum", "minimum", "and"}) {
      // The indices are numbers of a parameter; some of them are out of bounds.
      CheckSameBits(
          fmt::format(R"(ENTRY e {{ x = s32[{1}] parameter(0)  i = s32[{2}] parameter(1)  u = s32[{3}] parameter(2)
  ROOT r = s32[{1}] scatter(x, i, u), {4}, to_apply={0}_s32 }}
)",
                      op, operand, indices, updates, dimension_numbers));
    }
  };
  scatter("9,5", "40,1", "40,5",
          "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1");
  scatter("9", "40", "40",
          "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1");
  scatter(
      "6,7,8", "2,30", "3,30,4,8",
      "update_window_dims={0,2,3}, inserted_window_dims={}, scatter_dims_to_operand_dims={1,0}, index_vector_dim=0");
  scatter("6,7", "3,2,5", "3,6,5",
          "update_window_dims={1}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1,0}, index_vector_dim=1");
  scatter("6,7", "0,1", "0,7",
          "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1");
}

TEST_CASE("windows have the bits of the reference where no order shows") {
  const char* const windows[][3] = {
      {"3,8,9,16", "3,4,5,16", "size=1x3x3x1 stride=1x2x2x1 pad=0_0x0_1x1_1x0_0"},
      {"2,9,20", "2,4,20", "size=1x3x1 stride=1x3x1 pad=0_0x2_3x0_0 rhs_dilate=1x2x1"},
      {"2,9,16", "2,4,16", "size=1x2x1 stride=1x2x1 pad=0_0x-1_0x0_0"},
      {"2,4,35", "2,4,35", "size=1x1x1 stride=1x3x1 pad=0_0x3_3x0_0"},
      {"5,20", "5,20", "size=1x3 pad=0_0x1_1"},
      {"6,20", "3,16", "size=2x3 stride=2x1 rhs_dilate=1x2"},
      {"6,20", "11,18", "size=1x3 lhs_dilate=2x1"},
      {"4,20", "5,22", "size=2x1 pad=1_1x1_1"},
      {"4,20", "2,16", "size=1x1 pad=-1_-1x-2_-2"},
      {"40", "40", "size=40 pad=39_0"},
      {"4,30", "4,10", "size=1x3 stride=1x3"},
      {"0,30", "1,28", "size=1x3 pad=1_0x0_0"},
      {"2,9", "2,0", "size=1x12"},
  };
  for (const auto& [array, result, window] : windows) {
    for (const std::string op : {"add", "multiply", "maximum", "minimum", "and"}) {
      CheckSameBits(fmt::format(R"(ENTRY e {{ x = s32[{}] parameter(0)  i = s32[] parameter(1)
  ROOT r = s32[{}] reduce-window(x, i), window={{{}}}, to_apply={}_s32 }}
)",
                                array, result, window, op));
    }
  }
}

TEST_CASE("convolutions of a feature each have the bits of the reference where no sum rounds") {
  for (const std::string type : {"f32", "f64", "s32"}) {
    CheckSameBits(fmt::format(R"(x = {0}[2,7,5,12] parameter(0)  k = {0}[3,2,1,12] parameter(1)
  ROOT r = {0}[2,4,5,12] convolution(x, k), window={{size=3x2 stride=2x1 pad=1_1x1_0 rhs_reversal=1x0}},
    dim_labels=b01f_01io->b01f, feature_group_count=12)",
                              type));
  }
}

TEST_CASE("drawn instructions and modules are legal on simd") {
  const auto backend = *OpenBackend("simd", 0);
  const Profile& profile = BuiltInProfile("simd");
  Random random(20);
  const auto check = [&](const HloModule& module, const DeviceValues& arguments) {
    const Result<ModuleReport> report = CompareModule(*backend, module, arguments, {.profile = profile, .limits = {}});
    // The reference itself may reach a limit, or wait for data that no device sends.
    if (!report) return false;
    INFO(PrintHloModule(module, {.large_constants = true, .reads_back = true}));
    INFO(VerdictName(report->verdict) << ": " << report->reason);
    CHECK(!IsFailure(report->verdict));
    return true;
  };
  int instructions = 0, modules = 0;
  for (const Op* op : DrawableOps()) {
    for (int i = 0; i < 12; ++i) {
      const DrawnInstruction drawn = DrawInstruction(random, *op, {.most_elements = 300});
      if (drawn.from_host[0].empty()) instructions += check(*drawn.module, drawn.operands) ? 1 : 0;
    }
  }
  for (int i = 0; i < 300; ++i) {
    const DrawnModule drawn = DrawModule(random);
    if (drawn.from_host[0].empty()) modules += check(*drawn.module, drawn.arguments) ? 1 : 0;
  }
  CHECK(instructions > 1300);
  CHECK(modules > 200);
}

}  // namespace
}  // namespace assay::simd
