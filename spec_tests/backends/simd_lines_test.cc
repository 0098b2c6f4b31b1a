// Lines of the backend simd, of which each test is about one way to run or to decline: by hand and against the
// reference.
#include "spec_tests/backends/simd_lines.h"

#include <algorithm>
#include <cstdint>

namespace assay::simd {
namespace {

// Checks a result by hand, with fusions and without.
void CheckByHand(const std::string& text, const std::vector<Literal>& arguments, const Literal& expected) {
  INFO(text);
  const auto alone = Parsed(text), fused = ModuleOf(text);
  for (const HloModule* module : {alone.get(), fused.get()}) {
    const Result<Literal> got = Evaluate(*module, arguments, {}, Overrides());
    REQUIRE(got);
    INFO("want " << PrintLiteral(expected) << "\ngot " << PrintLiteral(*got));
    CHECK(got->BitwiseEqual(expected));
  }
}

// Returns an array of the numbers 0, 1, ..., each with what `add` returns for it added.
template <typename Function>
Literal Counted(const std::string& shape, Function add) {
  Literal array(*ParseShape(shape));
  for (std::int64_t i = 0; i < array.element_count(); ++i) {
    array.mutable_values<std::int32_t>()[i] = static_cast<std::int32_t>(i + add(i));
  }
  return array;
}

TEST_CASE("a line repeats each number more often than a block is long") {
  const auto text = [](const std::string& type, const std::string& whole, const std::string& numbers,
                       const std::string& dimensions) {
    return fmt::format(
        R"(x = {0}[{1}] parameter(0)  w = {0}[{2}] parameter(1)  wide = {0}[{1}] broadcast(w), dimensions={{{3}}}
  ROOT r = {0}[{1}] add(x, wide))",
        type, whole, numbers, dimensions);
  };
  for (const std::string type : {"f32", "f64", "s8"}) {
    CheckLines(text(type, "3,700", "3", "0"), 1);
    CheckLines(text(type, "2,3,700", "3", "1"), 1);
    CheckLines(text(type, "2,3,1300", "2,3", "0,1"), 1);
    CheckLines(text(type, "5,200", "5", "0"), 1);
  }
  const Literal tens = *ParseLiteral("s32[3] {10000, 20000, 30000}");
  CheckByHand(text("s32", "2,3,700", "3", "1"), {Counted("s32[2,3,700]", [](std::int64_t) { return 0; }), tens},
              Counted("s32[2,3,700]", [](std::int64_t i) { return (i / 700 % 3 + 1) * 10000; }));
}

// A scatter of the negated numbers `y` into `x`.
std::string ScatterText(const std::string& type, const std::string& array, const std::string& updates,
                        const std::string& window, const std::string& op) {
  return fmt::format(R"(
ENTRY e {{ x = {0}[{1}] parameter(0)  i = s8[{2}] parameter(1)  y = {0}[{2}{3}] parameter(2)  u = {0}[{2}{3}] {6}
  ROOT r = {0}[{1}] scatter(x, i, u), update_window_dims={{{5}}}, inserted_window_dims={{0}},
    scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply={4}_{0}
}})",
                     type, array, updates, window, op, window.empty() ? "" : "1",
                     type[0] == 'u' ? "multiply(y, y)" : "negate(y)");
}

TEST_CASE("a scatter of a line combines by each of simd's folds, and by others on the evaluator") {
  for (const std::string op : {"multiply", "maximum", "minimum"}) {
    for (const std::string type : {"f32", "f64", "s32", "u32"}) {
      CheckLines(ScatterText(type, "90,40", "300", ",40", op), 1);
      CheckLines(ScatterText(type, "90", "3000", "", op), 1);
    }
    CheckLines(ScatterText("s16", "90", "3000", "", op), 0);
  }
  for (const std::string op : {"and", "or", "xor"}) CheckLines(ScatterText("s32", "90,40", "300", ",40", op), 0);
  // The numbers are -2, -3, -4 and -5; the last index is outside.
  for (const auto& [op, expected] : {std::pair{"add", "{-5, 2, 0}"},
                                     {"multiply", "{8, 2, -9}"},
                                     {"maximum", "{1, 2, 3}"},
                                     {"minimum", "{-4, 2, -3}"},
                                     {"and", "{0, 2, 1}"},
                                     {"or", "{-1, 2, -1}"}}) {
    CheckByHand(
        ScatterText("s32", "3", "4", "", op),
        {*ParseLiteral("s32[3] {1, 2, 3}"), *ParseLiteral("s8[4] {0, 2, 0, 3}"), *ParseLiteral("s32[4] {2, 3, 4, 5}")},
        *ParseLiteral(fmt::format("s32[3] {}", expected)));
  }
}

TEST_CASE("a scatter adds its updates one after the other, and rounds each sum") {
  // 2^24 + 1 rounds to 2^24. The exact sum is 1, and so is the sum in the opposite order.
  CheckByHand(ScatterText("f32", "1", "3", "", "add"),
              {*ParseLiteral("f32[1] {0}"), *ParseLiteral("s8[3] {0, 0, 0}"),
               *ParseLiteral("f32[3] {-16777216, -1, 16777216}")},
              *ParseLiteral("f32[1] {0}"));
}

TEST_CASE("a scatter of no windows, and one of windows without elements, change nothing") {
  for (const std::string op : {"add", "maximum"}) {
    CheckLines(ScatterText("f32", "9,7", "0", ",7", op), 1);
    CheckLines(ScatterText("f32", "9,0", "5", ",0", op), 1);
    CheckByHand(ScatterText("s32", "2", "0", "", op),
                {*ParseLiteral("s32[2] {5, 6}"), *ParseLiteral("s8[0] {}"), *ParseLiteral("s32[0] {}")},
                *ParseLiteral("s32[2] {5, 6}"));
  }
}

TEST_CASE("a scatter that reads a computed array twice does not compute it in its fusion") {
  const std::string text = R"(ENTRY e { x = s32[3] parameter(0)  any = s32[30] parameter(1)  three = s32[] constant(3)
  threes = s32[30] broadcast(three), dimensions={}
  i = s32[30] and(any, threes)
  ROOT r = s32[3] scatter(x, i, i), update_window_dims={}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32
})";
  CheckLines(text, 1);
  // The last two bits of the numbers 0 to 29 are 8 ones and 7 twos; index 3 is outside.
  CheckByHand(text, {*ParseLiteral("s32[3] {10, 20, 30}"), Counted("s32[30]", [](std::int64_t) { return 0; })},
              *ParseLiteral("s32[3] {10, 28, 44}"));
}

TEST_CASE("rows of 64, of 4 and of 8 bytes are gathered, alone and within a line") {
  const auto text = [](const std::string& type, int columns, const std::string& root) {
    return fmt::format(R"(x = {0}[12,{1}] parameter(0)  i = s8[4] parameter(1)
  read = {0}[4,{1}] gather(x, i), offset_dims={{1}}, collapsed_slice_dims={{0}}, start_index_map={{0}},
    index_vector_dim=1, slice_sizes={{1,{1}}}
  ROOT r = {0}[4,{1}] {2}(read))",
                       type, columns, root);
  };
  for (const std::string root : {"negate", "copy"}) {
    for (const auto& [type, columns] :
         {std::pair{"f32", 16}, {"f64", 8}, {"s8", 64}, {"s16", 32}, {"s32", 1}, {"s16", 4}}) {
      CheckLines(text(type, columns, root), root == "negate" ? 1 : 0);
    }
  }
  // The indices -1 and 40 are clamped to the rows 0 and 11.
  const std::vector<std::int64_t> rows = {3, 0, 11, 0};
  CheckByHand(text("s32", 16, "copy"),
              {Counted("s32[12,16]", [](std::int64_t) { return 0; }), *ParseLiteral("s8[4] {3, -1, 40, 0}")},
              Counted("s32[4,16]", [&](std::int64_t i) { return (rows[i / 16] - i / 16) * 16; }));
}

TEST_CASE("a chain of more instructions than a line may have is several lines") {
  std::string body = "  r0 = s32[9] parameter(0)\n  y = s32[9] parameter(1)\n";
  for (int i = 0; i < 150; ++i)
    body += fmt::format("  {2}r{0} = s32[9] add(r{1}, y)\n", i + 1, i, i == 149 ? "ROOT " : "");
  const std::string text = "HloModule m\nENTRY e {\n" + body + "}";
  CheckLines(text, 3);
  CheckByHand(text,
              {Counted("s32[9]", [](std::int64_t) { return 0; }), *ParseLiteral("s32[9] {1, 1, 1, 1, 1, 1, 1, 1, 2}")},
              Counted("s32[9]", [](std::int64_t i) { return i == 8 ? 300 : 150; }));
}

// Checks that simd leaves a fusion of the module's own to the evaluator, which finds the bits of the reference. `lines`
// parts of it are lines.
void CheckDeclines(const std::string& fused, const std::string& entry, std::ptrdiff_t lines = 0) {
  const std::string text = fmt::format("fused {{\n{}\n}}\nENTRY e {{\n{}\n}}\n", fused, entry);
  INFO(text);
  const auto fused_module = ModuleOf(text);
  const std::vector<const HloInstruction*> fusions = FusionsIn(*fused_module);
  REQUIRE(fusions.size() == 1);
  CHECK(kFusion.prepare(*fusions[0], Overrides()) == nullptr);
  CHECK(std::ranges::count_if(fusions[0]->Computation("calls").instructions,
                              [](const auto& part) { return part->op->name == "fusion"; }) == lines);
  const auto module = Parsed(text);
  generate::Random random(4);
  const std::vector<Literal> arguments = DrawArguments(*module, random);
  CheckSameResults(*module, *fused_module, arguments);
}

TEST_CASE("a fusion with an order, with a run-time size, or with a gather of a computed array is not a line") {
  const std::string entry = R"(
  x = s32[30,4] parameter(0)  any = s32[30] parameter(1)  i = s32[30] abs(any)
  ROOT r = s32[30,4] fusion(x, i), kind=kInput, calls=fused)";
  const std::string parameters = "  x = s32[30,4] parameter(0)\n  i = s32[30] parameter(1)\n";
  CheckDeclines(R"(
  x = s32[30,4] parameter(0)  b = s32[30,4] negate(x)  d = s32[30,4] add(x, x), control-predecessors={b}
  ROOT t = s32[30,4] subtract(b, d))",
                R"(
  x = s32[30,4] parameter(0)  ROOT r = s32[30,4] fusion(x), kind=kLoop, calls=fused)");
  CheckDeclines(parameters + R"(
  y = s32[30,4] negate(x)
  read = s32[30,4] gather(y, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,
    slice_sizes={1,4}
  ROOT t = s32[30,4] reverse(read), dimensions={0})",
                entry);
  CheckDeclines(parameters + R"(
  j = s32[30] negate(i)
  read = s32[30,4] gather(x, j), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,
    slice_sizes={1,4}
  ROOT t = s32[30,4] reverse(read), dimensions={0})",
                entry);
  CheckDeclines(R"(
  x = s32[4] parameter(0)  d = s32[<=4] parameter(1)  least = s32[] parameter(2)
  n = s32[] get-dimension-size(d), dimensions={0}
  ROOT t = s32[4] clamp(least, x, n))",
                R"(
  x = s32[4] parameter(0)  least = s32[] parameter(1)  two = s32[] constant(2)
  d = s32[<=4] set-dimension-size(x, two), dimensions={0}
  ROOT r = s32[4] fusion(x, d, least), kind=kLoop, calls=fused)");
}

TEST_CASE("a fusion of a scatter that computes its array or its indices is not a line") {
  const std::string parameters = "  x = s32[30] parameter(0)\n  i = s32[30] parameter(1)\n";
  const std::string entry = R"(
  x = s32[30] parameter(0)  any = s32[30] parameter(1)  i = s32[30] abs(any)
  ROOT r = s32[30] fusion(x, i), kind=kInput, calls=fused)";
  const auto scatter = [](const std::string& operands) {
    return "  ROOT t = s32[30] scatter(" + operands +
           "), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0},\n"
           "    index_vector_dim=1, to_apply=add_s32\n";
  };
  CheckDeclines(parameters + "  u = s32[30] negate(x)\n  j = s32[30] maximum(u, i)\n" + scatter("x, j, u"), entry);
  CheckDeclines(parameters + "  u = s32[30] negate(x)\n  w = s32[30] add(u, i)\n" + scatter("w, i, u"), entry);
  CheckDeclines(parameters + "  u = s32[30] reverse(x), dimensions={0}\n" + scatter("x, i, u"), entry);
}

TEST_CASE("a fusion of a scatter whose line has rows of several windows is not a line") {
  CheckDeclines(R"(  x = s32[8,4] parameter(0)  i = s32[3,4,2] parameter(1)  u = s32[3,4] parameter(2)
  zero = s32[] constant(0)  sums = s32[3] reduce(u, zero), dimensions={1}, to_apply=add_s32
  wide = s32[3,4] broadcast(sums), dimensions={0}
  less = s32[3,4] subtract(u, wide)
  ROOT r = s32[8,4] scatter(x, i, less), update_window_dims={}, inserted_window_dims={0,1},
    scatter_dims_to_operand_dims={0,1}, index_vector_dim=2, to_apply=add_s32)",
                R"(  x = s32[8,4] parameter(0)  u = s32[3,4] parameter(1)  any = s32[3,4,2] parameter(2)
  i = s32[3,4,2] abs(any)
  ROOT f = s32[8,4] fusion(x, i, u), kind=kInput, calls=fused)",
                /*lines=*/1);
}

TEST_CASE("gathers and scatters of run-time sizes, and gathers of other than whole rows, are the evaluator's") {
  const auto check = [](const std::string& x, const std::string& i, const std::string& body) {
    CheckLines("  one = s32[] constant(1)\n  three = s32[] constant(3)\n  x = " + x + " parameter(0)\n  i = " + i +
                   " parameter(1)\n" + body,
               0);
  };
  const auto gather = [](const std::string& shape, const std::string& operands, const std::string& attributes) {
    return "  y = " + shape + " gather(" + operands +
           "), collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, " + attributes +
           "\n  ROOT r = " + shape + " negate(y)\n";
  };
  const auto scatter = [](const std::string& updates) {
    return "  y = s32[30] parameter(2)\n" + updates +
           "  ROOT r = s32[12] scatter(x, j, u), update_window_dims={}, inserted_window_dims={0},\n"
           "    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32\n";
  };
  // The operand of a gather has a run-time size, then its indices and result, then the updates of a scatter too.
  const std::string indices = "  j = s8[<=30] set-dimension-size(i, three), dimensions={0}\n";
  const std::string rows = "offset_dims={1}, slice_sizes={1,3}";
  check("s32[12,3]", "s8[30]",
        "  d = s32[<=12,3] set-dimension-size(x, three), dimensions={0}\n" + gather("s32[30,3]", "d, i", rows));
  check("s32[12,3]", "s8[30]", indices + gather("s32[<=30,3]", "x, j", rows));
  check("s32[12]", "s8[30]",
        indices + scatter("  d = s32[<=30] set-dimension-size(y, three), dimensions={0}\n  u = s32[<=30] negate(d)\n"));
  // The index vectors alone have a run-time size, which is the length that they need.
  const std::string vectors = "  j = s8[30,<=1] set-dimension-size(i, one), dimensions={1}\n";
  check("s32[12]", "s8[30,1]", vectors + scatter("  u = s32[30] negate(y)\n"));
  check("s32[12]", "s8[30,1]", vectors + gather("s32[30]", "x, j", "offset_dims={}, slice_sizes={1}"));
  // The elements of a row come first in the result; a batch; slices of no row.
  check("s32[12,4]", "s8[30]", gather("s32[4,30]", "x, i", "offset_dims={0}, slice_sizes={1,4}"));
  check("s32[12,5]", "s8[5]",
        gather("s32[5]", "x, i",
               "offset_dims={}, operand_batching_dims={1}, start_indices_batching_dims={0}, slice_sizes={1,1}"));
  check("s32[12,5]", "s8[0]", gather("s32[0,5]", "x, i", "offset_dims={1}, slice_sizes={0,5}"));
}

}  // namespace
}  // namespace assay::simd
