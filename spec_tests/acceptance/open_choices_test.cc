// Choices that rounding errors leave open: between two numbers, among rows, and in a sort. A set that holds all numbers
// between them proves nothing, unless they are near each other.

#include <map>
#include <string>

#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// logistic(0) = 1/2 may be above 1/2 by an error. exp(3) = 20.0855 and 3 lie far apart, 20.0855 and 20.1 do not.
std::string SelectOf(std::string_view other) {
  return Entry("  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  other = f32[] constant(" + std::string(other) +
               R"()
  half = f32[] constant(0.5)  c = f32[] logistic(y)  p = pred[] compare(c, half), direction=GT
  e = f32[] exponential(x)  ROOT r = f32[] select(p, other, e))");
}
const std::vector<std::string_view> kOpenPredicate = {"f32[] 3", "f32[] 0"};

TEST_CASE("an open predicate leaves a selection of distant numbers open", "[acceptance][programs]") {
  Program(SelectOf("3"), kOpenPredicate).Expect("EXACT 20.085537; WEAK 3; WEAK 11.5; FAIL 2.9");
  Program(SelectOf("20.1"), kOpenPredicate).Expect("LEGAL 20.1; FAIL 20.2");
}

TEST_CASE("a result that follows from an open selection is open, too", "[acceptance][programs]") {
  std::string text = SelectOf("3");
  text.replace(text.find("ROOT r"), 6, "s");
  text.insert(text.rfind('}'), "\n  ROOT n = f32[] negate(s)\n");
  Program(text, kOpenPredicate).Expect("WEAK -11.5; FAIL -2.9");
}

// exp(0) = 1 may be less than 1, and is then converted to 0. No error reaches row 2.
TEST_CASE("an open index leaves rows open", "[acceptance][programs]") {
  const std::string index = R"(  x = f32[3] parameter(0)  y = f32[] parameter(1)  e = f32[3] exponential(x)
  f = f32[] exponential(y)  i = s32[] convert(f)
)";
  const std::vector<std::string_view> arguments = {"f32[3] {1, 2, 5}", "f32[] 0"};
  for (const std::string_view row : {"  ROOT r = f32[1] dynamic-slice(e, i), dynamic_slice_sizes={1}",
                                     "  j = s32[1] reshape(i)\n  ROOT r = f32[1] gather(e, j), offset_dims={0}, "
                                     "collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=0, "
                                     "slice_sizes={1}"}) {
    Program(Entry(index + std::string(row)), arguments)
        .Expect("EXACT {7.389056}; WEAK {2.7182817}; WEAK {148.41316}; FAIL {150}");
  }
  Program(Entry(index + R"(  u = f32[1] constant({9})  ROOT r = f32[3] dynamic-update-slice(e, u, i))"), arguments)
      .Expect("WEAK {9, 7.389056, 148.41316}; WEAK {2.7182817, 5, 148.41316}");
}

TEST_CASE("integers that an open index chooses are open", "[acceptance][programs]") {
  Program(R"(f = f32[] exponential(y)  i = s32[] convert(f)
  ROOT r = s32[1] dynamic-slice(x, i), dynamic_slice_sizes={1})",
          {"x = s32[3] {10, 20, 30}", "y = f32[] 0"})
      .Expect("EXACT {20}; WEAK {10}; WEAK {15}; FAIL {40}");
}

// The comparator is not one of those whose keys are known, and exp(1) is computed twice.
TEST_CASE("a sort whose order is open leaves its rows open", "[acceptance][programs]") {
  Program(R"(before { a = f32[] parameter(0)  b = f32[] parameter(1)  c = f32[] negate(a)  d = f32[] negate(b)
  ROOT r = pred[] compare(c, d), direction=GT }
ENTRY e {   e = f32[3] exponential(x)  ROOT r = f32[3] sort(e), dimensions={0}, to_apply=before })",
          {"x = f32[3] {5, 1, 1}"})
      .Expect(
          "EXACT {2.7182817, 2.7182817, 148.41316}; WEAK {148.41316, 2.7182817, 2.7182817}; FAIL {2.7182817, "
          "2.7182817, 149}");
}

TEST_CASE("an open branch leaves distant results open", "[acceptance][programs]") {
  Program(R"(first { x = f32[] parameter(0)  ROOT r = f32[] exponential(x) }
second { x = f32[] parameter(0)  ROOT r = f32[] negate(x) }
ENTRY e { x = f32[] parameter(0)  y = f32[] parameter(1)  half = f32[] constant(0.5)  c = f32[] logistic(y)
  p = pred[] compare(c, half), direction=GT
  ROOT r = f32[] conditional(p, x, x), true_computation=second, false_computation=first })",
          kOpenPredicate)
      .Expect("EXACT 20.085537; WEAK -3; WEAK 5; FAIL -4");
}

// Trials take the same branches in pairs: the numbers of both branches are explained, those between them are not.
TEST_CASE("trials explain either branch and nothing between", "[acceptance][trials]") {
  const auto module = Parsed(SelectOf("3"));
  const auto unexplained = [&](std::string_view got) {
    return JudgeBySamples(*module, {Values(kOpenPredicate)}, Value("f32[] 20.085537"), Value(got), XlaProfile())
        .unexplained;
  };
  CHECK(unexplained("f32[] 20.085539").empty());
  CHECK(unexplained("f32[] 3").empty());
  CHECK_FALSE(unexplained("f32[] 11.5").empty());
  CHECK_FALSE(unexplained("f32[] 20.09").empty());
}

// 221/128 * 222/128 is 2.994, and 3 as a bf16 number: the first update is added to element 2 or 3, the others to 1
// and 4.
TEST_CASE("an open index opens the sums that it may add to", "[acceptance][programs]") {
  for (const auto& [type, rows] : std::map<std::string, std::string>{
           {"s32",
            "EXACT {0, 20, 0, 10, 30}; LEGAL {0, 20, 10, 0, 30}; FAIL {0, 20, 0, 11, 30}; FAIL {0, 0, 0, 10, 30}"},
           {"f32",
            "EXACT {0, 20, 0, 10, 30}; WEAK {0, 20, 10, 0, 30}; FAIL {0, 20, 0, 11, 30}; FAIL {0, 0, 0, 10, 30}"}}) {
    const std::string start = "x = " + type + "[5] {0, 0, 0, 0, 0}", updates = "u = " + type + "[3] {10, 20, 30}";
    Program(fmt::format(R"(ENTRY e {{
  m = bf16[3] multiply(a, b)
  f = bf16[3] floor(m)
  i = s32[3] convert(f)
  ROOT r = {0}[5] scatter(x, i, u), update_window_dims={{}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}},
    index_vector_dim=1, to_apply=add_{0}
}})",
                        type),
            {"a = bf16[3] {1.7265625, 1, 2}", "b = bf16[3] {1.734375, 1, 2}", start, updates})
        .Expect(rows);
  }
}

}  // namespace
}  // namespace assay::testing
