// Fusions with reductions of rows on the backend simd, against the same kernels without fusions.
#include <algorithm>

#include "backends/simd/element_wise_line.h"
#include "interpreter/types/replace_all.h"
#include "spec_tests/backends/simd_loops.h"

namespace assay::simd {
namespace {

std::int64_t Count(const HloComputation& computation, std::string_view op) {
  return std::ranges::count_if(computation.instructions,
                               [&](const auto& instruction) { return instruction->op->name == op; });
}

// Checks that fusions change no bit, that all of them are lines, and how many reductions they leave in the entry.
void CheckFused(const std::string& text, std::int64_t reductions_left) {
  INFO(text);
  const auto fused = ModuleOf(text);
  CHECK(VerifyHloModule(*fused));
  CHECK(Count(*fused->entry, "reduce") == reductions_left);
  for (const auto& instruction : fused->entry->instructions) {
    if (instruction->op->name != "fusion") continue;
    CHECK(ElementWiseLine::Make(*instruction->Computation("calls").root) != nullptr);
  }
  const auto module = Parsed(text);
  generate::Random random(5);
  for (int turn = 0; turn < 3; ++turn) {
    const std::vector<Literal> arguments = DrawArguments(*module, random);
    CheckSameResults(*module, *fused, arguments, Overrides());
  }
}

// Replaces T with a type, W with the dimensions of whole arrays, R with those of the reductions' results, and D, L and
// C with the dimensions that are in the results, folded, and those of one row.
std::string Text(const std::string& body, const std::string& type, const std::string& whole, const std::string& rows,
                 const std::string& kept, const std::string& folded, const std::string& row) {
  std::string text = body;
  const std::vector<std::pair<std::string, std::string>> names = {
      {"T[", type + "["},        {"_T", "_" + type},          {"[W]", "[" + whole + "]"}, {"[R]", "[" + rows + "]"},
      {"{D}", "{" + kept + "}"}, {"{L}", "{" + folded + "}"}, {"[C]", "[" + row + "]"}};
  for (const auto& [name, value] : names) text = ReplaceAll(std::move(text), name, value);
  return text;
}

constexpr std::string_view kSoftmax = R"(
  x = T[W] parameter(0)  low = T[] parameter(1)  zero = T[] constant(0)
  high = T[R] reduce(x, low), dimensions={L}, to_apply=maximum_T
  highs = T[W] broadcast(high), dimensions={D}
  shifted = T[W] subtract(x, highs)  powers = T[W] multiply(shifted, shifted)
  total = T[R] reduce(powers, zero), dimensions={L}, to_apply=add_T
  totals = T[W] broadcast(total), dimensions={D}
  ROOT r = T[W] maximum(powers, totals))";

// Numbers of rows with one another, a scale for the columns, and a parameter with a number for each row.
constexpr std::string_view kNorm = R"(
  x = T[W] parameter(0)  scale = T[C] parameter(1)  shift = T[R] parameter(2)  zero = T[] constant(0)
  two = T[] constant(2)  total = T[R] reduce(x, zero), dimensions={L}, to_apply=add_T
  twos = T[R] broadcast(two), dimensions={}
  mean = T[R] multiply(total, twos)  moved = T[R] add(mean, shift)  means = T[W] broadcast(moved), dimensions={D}
  centred = T[W] subtract(x, means)  squares = T[W] multiply(centred, centred)
  square = T[R] reduce(squares, zero), dimensions={L}, to_apply=add_T
  sign = T[R] negate(square)  signs = T[W] broadcast(sign), dimensions={D}
  scales = T[W] broadcast(scale), dimensions={L}
  shifts = T[W] broadcast(shift), dimensions={D}
  scaled = T[W] multiply(centred, scales)  low = T[W] minimum(scaled, signs)  ROOT r = T[W] add(low, shifts))";

// The last instruction is a reduction.
constexpr std::string_view kEnds = R"(
  x = T[W] parameter(0)  y = T[W] parameter(1)  s = T[] parameter(2)  difference = T[W] subtract(x, y)
  square = T[W] multiply(difference, difference)  ROOT r = T[R] reduce(square, s), dimensions={L}, to_apply=add_T)";

TEST_CASE("reductions of rows are fused with element-wise ops, and keep their bits") {
  for (const std::string type : {"f32", "f64", "s32"}) {
    for (const std::string_view body : {kSoftmax, kNorm, kEnds}) {
      const std::string text(body);
      CheckFused(Text(text, type, "5,7", "5", "0", "1", "7"), 0);
      CheckFused(Text(text, type, "37,64", "37", "0", "1", "64"), 0);
      CheckFused(Text(text, type, "3,4,33", "3,4", "0,1", "2", "33"), 0);
      CheckFused(Text(text, type, "6,2,5", "6", "0", "1,2", "2,5"), 0);
      CheckFused(Text(text, type, "2,5000", "2", "0", "1", "5000"), 0);
      CheckFused(Text(text, type, "900,20", "900", "0", "1", "20"), 0);
    }
  }
}

TEST_CASE("reductions that are not of rows, or split a row, are not fused") {
  CheckFused(Text(std::string(kSoftmax), "f32", "7,5", "5", "1", "0", "7"), 2);
  CheckFused(Text(std::string(kEnds), "f32", "2,20000", "2", "0", "1", "20000"), 1);
  CheckFused(Text(std::string(kEnds), "f32", "3,50", "", "", "0,1", "3,50"), 1);
}

TEST_CASE("sums of rows are not broadcast to columns within a fusion") {
  CheckFused(Text(R"(
  x = T[W] parameter(0)  zero = T[] constant(0)  total = T[R] reduce(x, zero), dimensions={L}, to_apply=add_T
  across = T[W] broadcast(total), dimensions={L}
  ROOT r = T[W] subtract(x, across))",
                  "f32", "6,6", "6", "0", "1", "6"),
             1);
}

TEST_CASE("a reduction of rows of one element does not write over its operand") {
  // Operand and result have as many elements, and nobody else reads the operand.
  for (const std::string rows : {"8", "1"}) {
    const std::string text = fmt::format(R"(fused {{ p = s32[{0},1] parameter(0)  z = s32[] constant(1)
  ROOT r = s32[{0}] reduce(p, z), dimensions={{1}}, to_apply=add_s32 }}
ENTRY e {{ x = s32[1,{0}] parameter(0)  t = s32[{0},1] transpose(x), dimensions={{1,0}}
  ROOT r = s32[{0}] fusion(t), kind=kInput, calls=fused }})",
                                         rows);
    const auto module = Parsed(text);
    generate::Random random(3);
    const std::vector<Literal> arguments = DrawArguments(*module, random);
    CheckSameResults(*module, *module, arguments);
  }
}

TEST_CASE("reductions of rows within loops keep their bits") {
  CheckSameOnEvaluator(LoopText({"f32[4,16]"}, R"(  z = f32[] constant(0)
  s0 = f32[4] reduce(x0, z), dimensions={1}, to_apply=add_f32
  b0 = f32[4,16] broadcast(s0), dimensions={0}
  n0 = f32[4,16] subtract(x0, b0))"));
}

}  // namespace
}  // namespace assay::simd
