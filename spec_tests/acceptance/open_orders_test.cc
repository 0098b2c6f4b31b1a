// Folds in which no step rounds. If the order matters to the op, the results of other orders are lawful too; otherwise
// one value is right.
#include <algorithm>

#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

Judged Reduction(const std::string& op, std::string_view numbers, std::string_view start) {
  return Judged(fmt::format(R"(x = f32[3] parameter(0)  s = f32[] parameter(1)
  ROOT r = f32[] reduce(x, s), dimensions={{0}}, to_apply={}_f32)",
                            op),
                {numbers, start});
}

Judged Scan(const std::string& op, const std::string& is_associative, std::string_view numbers,
            std::string_view start) {
  return Judged(fmt::format(R"(step {{ a = f32[] parameter(0)  b = f32[] parameter(1)  m = f32[] {}(b, a)
  ROOT t = (f32[], f32[]) tuple(m, m) }}
ENTRY e {{ x = f32[3] parameter(0)  z = f32[] parameter(1)
  ROOT s = (f32[3], f32[]) scan(x, z), dimensions={{0}}, num_carries=1, is_associative={}, to_apply=step }})",
                            op, is_associative),
                {numbers, start});
}

// ((100 % 7) % 5) % 3 is 2, ((100 % 3) % 5) % 7 is 1.
TEST_CASE("the order of a fold by remainder is open", "[acceptance]") {
  Reduction("remainder", "f32[3] { 7, 5, 3 }", "f32[] 100").Expect("EXACT at 0 2; SPEC-GAP at 0 1; exact FAIL at 0 1");
  // A step that flushes does not make every subnormal number lawful.
  const Judged small = Reduction("remainder", "f32[3] { 7, 5, 1e-44 }", "f32[] 3e-44");
  CHECK(small.With(0, 0x1p-149f) != Verdict::kLegal);
}

TEST_CASE("the order of an all-reduce by remainder is open", "[acceptance]") {
  const auto module = Parsed(R"(HloModule m, replica_count=2
ENTRY e { x = f32[] parameter(0)  ROOT r = f32[] all-reduce(x), replica_groups={{0,1}}, to_apply=remainder_f32 })");
  const DeviceValues operands = {Values({"f32[] 7"}), Values({"f32[] 4"})};
  const auto verdict = [&](std::string_view got, std::string_view profile) {
    const Literal both = Literal::MakeTuple({Value("f32[] 3"), Value("f32[] 3")});
    return JudgeInstruction(*module->entry->root, operands, both, Literal::MakeTuple({Value(got), Value(got)}),
                            BuiltInProfile(profile))
        .verdict;
  };
  CHECK(verdict("f32[] 3", "xla") == Verdict::kExact);
  CHECK(verdict("f32[] 4", "xla") == Verdict::kSpecGap);
  CHECK(verdict("f32[] 4", "exact") == Verdict::kFail);
}

// |a - b| commutes, and | |1 - 2| - 4| = 3, |1 - |2 - 4|| = 1. The larger of two numbers is a fold in any order, and so
// is one by a selection of it.
TEST_CASE("the order of a fold that does not associate is open", "[acceptance]") {
  const auto fold = [](std::string_view steps) {
    return Judged(fmt::format(R"(f {{ a = s32[] parameter(0)  b = s32[] parameter(1)
  {} }}
ENTRY e {{   ROOT r = s32[] reduce(x, z), dimensions={{0}}, to_apply=f }})",
                              steps),
                  {"x = s32[3] { 1, 2, 4 }", "z = s32[] 0"});
  };
  fold("d = s32[] subtract(a, b)\n  ROOT r = s32[] abs(d)").Expect("EXACT 3; SPEC-GAP 1");
  fold(
      "two = s32[] constant(1)\n  p = pred[] compare(a, two), direction=GT\n"
      "  ROOT r = s32[] select(p, a, b)")
      .Expect("SPEC-GAP 4");
  fold("p = pred[] compare(a, b), direction=GT\n  ROOT r = s32[] select(p, a, b)").Expect("EXACT 4; FAIL 2");
}

TEST_CASE("a scan by remainder has one order, unless it is called associative", "[acceptance]") {
  Scan("remainder", "false", "f32[3] { 7, 5, 3 }", "f32[] 100").Expect("EXACT at 1.0 2; FAIL at 1.0 1");
  Scan("remainder", "true", "f32[3] { 7, 5, 3 }", "f32[] 100").Expect("SPEC-GAP at 1.0 1");
}

// The carry enters the scan once, so no initial value is open.
TEST_CASE("a scan by maximum has one result", "[acceptance]") {
  Scan("maximum", "true", "f32[3] { 7, 9, 3 }", "f32[] 8").Expect("EXACT at 0.0 8; FAIL at 0.0 7; FAIL at 1.0 100");
}

TEST_CASE("the trials flush what an exact fold may flush", "[acceptance][trials]") {
  const auto module = Parsed(R"(step { a = f32[] parameter(0)  b = f32[] parameter(1)  m = f32[] maximum(a, b)
  ROOT t = (f32[], f32[]) tuple(m, m) }
ENTRY e { x = f32[3] parameter(0)  z = f32[] parameter(1)
  s = (f32[3], f32[]) scan(x, z), dimensions={0}, num_carries=1, is_associative=true, to_apply=step
  ROOT r = f32[3] get-tuple-element(s), index=0 })");
  const std::vector<Literal> arguments = Values({"f32[3] { 1e-40, 2e-40, 1 }", "f32[] -1"});
  const Literal want = Value("f32[3] { 1e-40, 2e-40, 1 }");
  const auto unexplained = [&](std::string_view got, std::string_view profile) {
    return JudgeBySamples(*module, {arguments}, want, Value(got), BuiltInProfile(profile)).unexplained;
  };
  CHECK(unexplained("f32[3] { 0, 2e-40, 1 }", "xla").empty());
  CHECK_FALSE(unexplained("f32[3] { 0, 2e-40, 1 }", "ieee").empty());
  CHECK_FALSE(unexplained("f32[3] { 1e-40, 2e-40, 2 }", "xla").empty());
}

// Updates 1, 2 and 1 of one element, whatever the first and the last of them are.
TEST_CASE("any update of an element may be the last one, and nothing else", "[acceptance][programs]") {
  const auto text = [](std::string_view updates, std::string_view definition) {
    return fmt::format(R"(last {{ a = {0}[] parameter(0)  ROOT b = {0}[] parameter(1) }}
ENTRY e {{ t = {0}[3] parameter(0)  i = s32[4,1] parameter(1)  u = {0}[4] parameter(2)  v = {0}[4] {1}
  ROOT r = {0}[3] scatter(t, i, v), update_window_dims={{}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}},
                  index_vector_dim=1, to_apply=last }})",
                       updates, definition);
  };
  // Element 0 has three updates, element 1 has one, element 2 none; index 7 is outside.
  const Program copied(text("s32", "copy(u)"),
                       {"s32[3] {5, 6, 7}", "s32[4,1] {{0}, {0}, {1}, {0}}", "s32[4] {1, 2, 9, 1}"});
  copied.Expect("EXACT {1, 9, 7}; exact SPEC-GAP {2, 9, 7}");
  for (const std::string_view wrong :
       {"s32[3] {5, 9, 7}", "s32[3] {3, 9, 7}", "s32[3] {1, 6, 7}", "s32[3] {1, 9, 9}"}) {
    CHECK(copied.Is(wrong) == Verdict::kFail);
  }
  const Program computed(text("f32", "exponential(u)"),
                         {"f32[3] {5, 6, 7}", "s32[4,1] {{0}, {0}, {1}, {7}}", "f32[4] {1, 2, 0, 3}"});
  computed.Expect("EXACT {7.389056, 1, 7}");
  CHECK(computed.Is("f32[3] {7.3890567, 1, 7}") <= Verdict::kSpecGap);
  computed.Expect("SPEC-GAP {2.7182817, 1, 7}");
  for (const std::string_view wrong : {"f32[3] {20.085537, 1, 7}", "f32[3] {1, 1, 7}", "f32[3] {7.389056, 1.1, 7}"}) {
    CHECK(computed.Is(wrong) == Verdict::kFail);
  }
}

// The window of two elements begins at element 2 of 3: it is skipped, or its first element counts.
TEST_CASE("a window that is partly outside may count in part", "[acceptance][programs]") {
  Program(R"(last { a = s32[] parameter(0)  ROOT b = s32[] parameter(1) }
ENTRY e {   ROOT r = s32[3] scatter(t, i, u), update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0},
                  index_vector_dim=1, to_apply=last })",
          {"t = s32[3] {5, 6, 7}", "i = s32[1,1] {{2}}", "u = s32[1,2] {{1, 2}}"})
      .Expect("EXACT {5, 6, 7}; SPEC-GAP {5, 6, 1}; FAIL {5, 6, 9}; FAIL {5, 2, 7}");
}

TEST_CASE("rng_default leaves the generator to the backend", "[acceptance][programs]") {
  const auto bits_by = [](const std::string& algorithm) {
    return Judged(
        "HloModule m\nENTRY e {\n  s = u64[2] parameter(0)\n  ROOT r = (u64[2], u32[2]) "
        "rng-bit-generator(s), algorithm=" +
            algorithm + "\n}",
        {"u64[2] {1, 2}"});
  };
  const std::string other = "(u64[2] {1, 7}, u32[2] {5, 6})";
  CHECK(bits_by("rng_default").Is(other) == Verdict::kSpecGap);
  CHECK(bits_by("rng_philox").Is(other) == Verdict::kFail);
  CHECK(bits_by("rng_three_fry").Is(other) == Verdict::kFail);
  const Program program(R"(g = (u64[2], u32[2]) rng-bit-generator(s), algorithm=rng_default
  b = u32[2] get-tuple-element(g), index=1
  o = u32[2] constant({1, 1})  a = u32[2] and(b, o)  ROOT t = (u32[2], u64[2]) tuple(a, s))",
                        {"s = u64[2] {1, 2}"});
  const Verdict verdicts[] = {program.Is("(u32[2] {1, 0}, u64[2] {1, 2})"),
                              program.Is("(u32[2] {0, 1}, u64[2] {1, 2})")};
  CHECK(std::ranges::max(verdicts) == Verdict::kSpecGap);
  program.Expect("FAIL (u32[2] {1, 0}, u64[2] {1, 3})");
}

// The last element is 2 * 1 + 2 * 3, and padding meets the infinite weight. StableHLO multiplies zeros by it: NaN.
TEST_CASE("padding may meet an infinite weight", "[acceptance][programs]") {
  const std::string module = R"(ENTRY e { x = f32[1,3,1] parameter(0)  k = f32[3,1,1] parameter(1)
)";
  const std::string convolution =
      "y = f32[1,3,1] convolution(x, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f\n";
  constexpr std::string_view kNumbers = "f32[1,3,1] {{{1}, {2}, {2}}}";
  const std::vector<std::string_view> operands = {kNumbers, "f32[3,1,1] {{{1}}, {{3}}, {{inf}}}"};
  Judged(module + "ROOT " + convolution + "}", operands)
      .Expect(
          "EXACT {{{inf}, {inf}, {8}}}; SPEC-GAP {{{inf}, {inf}, {nan}}}; FAIL {{{nan}, {inf}, {8}}}; FAIL {{{inf}, "
          "{7}, {nan}}}");
  Program(module + convolution + "  ROOT r = f32[1,3,1] negate(y)\n}", operands)
      .Expect("EXACT {{{-inf}, {-inf}, {-8}}}; SPEC-GAP {{{-inf}, {-inf}, {nan}}}; FAIL {{{-inf}, {-7}, {nan}}}");
  Judged(module + "ROOT " + convolution + "}", {kNumbers, "f32[3,1,1] {{{1}}, {{3}}, {{5}}}"})
      .Expect("EXACT {{{13}, {17}, {8}}}; FAIL {{{13}, {17}, {nan}}}");
}

// An overwriting scatter of windows of two elements. A window is a row, or begins at an element.
std::string Overwriting(std::string_view type, std::string_view shape, std::string_view inserted_dims) {
  return fmt::format(R"(last {{ a = {0}[] parameter(0)  ROOT b = {0}[] parameter(1) }}
ENTRY e {{   ROOT r = {0}{1} scatter(t, i, u), update_window_dims={{1}}, inserted_window_dims={2},
  scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=last }})",
                     type, shape, inserted_dims);
}

TEST_CASE("open orders", "[acceptance]") {
  CheckRows<Judged>({
      {"the order of two folds by remainder in one is open",
       R"(f { a = f32[] parameter(0)  b = f32[] parameter(1)  c = f32[] parameter(2)
  d = f32[] parameter(3)  m = f32[] remainder(a, c)  n = f32[] remainder(b, d)  ROOT t = (f32[], f32[]) tuple(m, n) }
ENTRY e {   ROOT r = (f32[], f32[]) reduce(x, y, s, s), dimensions={0}, to_apply=f })",
       "x = f32[3] { 7, 5, 3 }; y = f32[3] { 7, 5, 3 }; s = f32[] 100", "EXACT at 0.0 2; SPEC-GAP at 0.0 1"},
      {"orders that agree forwards and backwards are open",  // 900, 900, 200 and 200 may come before -300
       R"(f { a = s32[] parameter(0)  b = s32[] parameter(1)  s = s32[] add(a, b)  h = s32[] constant(1000)
  ROOT c = s32[] minimum(s, h) }
ENTRY e {   ROOT r = s32[1] reduce(x, z), dimensions={1}, to_apply=f })",
       "x = s32[1,5] { { 900, 200, -300, 200, 900 } }; z = s32[] 0", "EXACT { 1000 }; SPEC-GAP { 700 }"},
      {"a scatter's orders that agree forwards and backwards are open",
       R"(f { a = s32[] parameter(0)  b = s32[] parameter(1)  s = s32[] add(a, b)  h = s32[] constant(1000)
  ROOT c = s32[] minimum(s, h) }
ENTRY e {   ROOT r = s32[2] scatter(t, i, u), update_window_dims={}, inserted_window_dims={0},
                  scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f })",
       "t = s32[2] { 0, 0 }; i = s32[6,1] { {0}, {0}, {0}, {0}, {0}, {1} }; u = s32[6] { 900, 200, -300, 200, 900, 5 }",
       "EXACT { 1000, 5 }; SPEC-GAP { 700, 5 }; FAIL { 1000, 6 }"},
      // The indices 0 and 3 of the second row, and 7 of the first, are those of losers.
      {"a selection in open order returns what its own row can select",
       R"(f { a = s32[] parameter(0)  i = s32[] parameter(1)  b = s32[] parameter(2)  j = s32[] parameter(3)
  g = pred[] compare(a, b), direction=GE  v = s32[] select(g, a, b)  k = s32[] select(g, i, j)
  ROOT t = (s32[], s32[]) tuple(v, k) }
ENTRY e {   ROOT r = (s32[2], s32[2]) reduce(x, w, m, z), dimensions={1}, to_apply=f })",
       "x = s32[2,4] { {5, 1, 5, 5}, {4, 9, 9, 3} }; w = s32[2,4] { {1, 7, 2, 1}, {0, 1, 2, 3} }; m = s32[] -1; "
       "z = s32[] 0",
       "EXACT ({5, 9}, {1, 1}); SPEC-GAP ({5, 9}, {2, 2}); FAIL ({5, 9}, {7, 1}); FAIL ({5, 9}, {1, 3}); "
       "FAIL ({5, 9}, {1, 0}); FAIL ({5, 4}, {1, 1})"},
      {"the index of a tie in open order is that of no loser between",
       R"(f { a = s32[] parameter(0)  i = s32[] parameter(1)  b = s32[] parameter(2)  j = s32[] parameter(3)
  g = pred[] compare(a, b), direction=GE  v = s32[] select(g, a, b)  k = s32[] select(g, i, j)
  ROOT t = (s32[], s32[]) tuple(v, k) }
ENTRY e {   ROOT r = (s32[], s32[]) reduce(x, w, m, z), dimensions={0}, to_apply=f })",
       "x = s32[3] {5, 0, 5}; w = s32[3] {0, 1, 4}; m = s32[] -1; z = s32[] 0",
       "EXACT (5, 0); SPEC-GAP (5, 4); FAIL (5, 1); FAIL (5, 2); FAIL (5, 5)"},
      {"a selection by its first element is one of its row",
       R"(f { a = f32[] parameter(0)  b = f32[] parameter(1)  t = f32[] constant(3)
  g = pred[] compare(a, t), direction=GT  ROOT c = f32[] select(g, a, b) }
ENTRY e {   ROOT r = f32[2] reduce(x, z), dimensions={1}, to_apply=f })",
       "x = f32[2,2] { {4, 5}, {40, 50} }; z = f32[] 0",
       "SPEC-GAP {5, 50}; FAIL {50, 40}; FAIL {4, 5}; FAIL {4.5, 50}"},
      {"a fold of one element may be the element", "ROOT r = s32[2] reduce(x, c), dimensions={1}, to_apply=add_s32",
       "x = s32[2,1] {{1}, {2}}; c = s32[] 100",
       "EXACT {101, 102}; SPEC-GAP {1, 102}; SPEC-GAP {1, 2}; FAIL {2, 102}; FAIL {0, 102}"},
      {"", "ROOT r = f32[3] reduce-window(x, c), window={size=1 pad=1_0}, to_apply=maximum_f32",
       "x = f32[2] {1, 7}; c = f32[] 5", "EXACT {5, 5, 7}; SPEC-GAP {5, 1, 7}; FAIL {1, 5, 7}; FAIL {5, 0, 7}"},
      {"", "ROOT r = f32[1] reduce(x, c), dimensions={0}, to_apply=add_f32", "x = f32[1,1] {{-0}}; c = f32[] 0",
       "EXACT {0}; LEGAL {-0}; FAIL {1}"},
      {"", "ROOT r = s32[] reduce(x, c), dimensions={0}, to_apply=add_s32", "x = s32[2] {1, 2}; c = s32[] 100",
       "EXACT 103; FAIL 3"},
      {"a call of one remainder is no fold", "ROOT r = f32[3] map(x, y), dimensions={0}, to_apply=remainder_f32",
       "x = f32[3] { 7, 5, 3 }; y = f32[3] { 4, 4, 4 }", "EXACT at 0 3; FAIL at 0 4"},
      // The terms are 2^25, -2^25, 2 and 0. Those of the forward convolution are too small for this error.
      {"the terms of a convolution of kind dgrad meet the reversed kernel",
       R"(x = f32[1,4,1] parameter(0)  k = f32[4,1,1] parameter(1)
  ROOT y = f32[1,1,1] convolution(x, k), window={size=4}, dim_labels=b0f_0io->b0f, convolution_kind=dgrad)",
       "f32[1,4,1] {{{33554432}, {-33554432}, {2097152}, {0}}}; f32[4,1,1] {{{0}}, {{9.5367431640625e-07}}, {{1}}, "
       "{{1}}}",
       "EXACT {{{2}}}; LEGAL {{{0}}}; FAIL {{{64}}}"},
      {"a scatter that overwrites leaves one of the updates, of each element of a row",
       Overwriting("s32", "[2,2]", "{0}"),
       "t = s32[2,2] {{0, 0}, {7, 7}}; i = s32[2,1] {{0}, {0}}; u = s32[2,2] {{10, 5}, {20, 2}}",
       "EXACT {{20, 2}, {7, 7}}; SPEC-GAP {{10, 5}, {7, 7}}; SPEC-GAP {{10, 2}, {7, 7}}; FAIL {{15, 2}, {7, 7}}; "
       "FAIL {{20, 3}, {7, 7}}; FAIL {{0, 0}, {7, 7}}; FAIL {{20, 2}, {7, 5}}"},
      {"", Overwriting("f32", "[2,2]", "{0}"),
       "t = f32[2,2] {{1, 0}, {7, 7}}; i = s32[2,1] {{0}, {0}}; u = f32[2,2] {{1e-40, nan}, {2, 3}}",
       "SPEC-GAP {{0, 3}, {7, 7}}; SPEC-GAP {{2, nan}, {7, 7}}; FAIL {{-1, 3}, {7, 7}}"},
      {"the window of the first update is partly outside, and so is that of the second",
       Overwriting("s32", "[3]", "{}"), "t = s32[3] {5, 6, 7}; i = s32[2,1] {{2}, {2}}; u = s32[2,2] {{1, 3}, {9, 3}}",
       "EXACT {5, 6, 7}; SPEC-GAP {5, 6, 1}; SPEC-GAP {5, 6, 9}; FAIL {5, 6, 8}"},
      {"an index of a top-k that is not stable is that of an element equal to the value, and no other index",
       "ROOT r = (f32[3], s32[3]) topk(x), k=3, largest=true, is_stable=false", "x = f32[5] {9, 1, 1, 5, 1}",
       "EXACT (f32[3] {9, 5, 1}, s32[3] {0, 3, 1}); SPEC-GAP (f32[3] {9, 5, 1}, s32[3] {0, 3, 4}); "
       "FAIL (f32[3] {9, 5, 1}, s32[3] {1, 3, 2}); FAIL (f32[3] {9, 5, 1}, s32[3] {0, 3, 77}); "
       "FAIL (f32[3] {9, 5, 1}, s32[3] {0, 3, -1}); FAIL (f32[3] {9, 5, 1}, s32[3] {3, 0, 1})"},
      {"", "ROOT r = (f32[2,2], s32[2,2]) topk(x), k=2, largest=true, is_stable=false",
       "x = f32[2,3] {{2, 2, 1}, {1, 3, 3}}",
       "SPEC-GAP (f32[2,2] {{2, 2}, {3, 3}}, s32[2,2] {{1, 0}, {2, 1}}); "
       "FAIL (f32[2,2] {{2, 2}, {3, 3}}, s32[2,2] {{1, 1}, {1, 2}}); "
       "FAIL (f32[2,2] {{2, 2}, {3, 3}}, s32[2,2] {{0, 1}, {1, 0}})"},
  });
}

// Indices 2 and 0 are not sorted, and 1 and 1 are not unique. Index 7 is outside.
TEST_CASE("a result at indices that break a promise is open", "[acceptance][programs]") {
  const auto check = [](const std::string& text, std::string_view operand, std::string_view indices,
                        std::string_view rest, std::string_view verdicts) {
    std::vector<std::string_view> arguments = {operand, indices};
    if (!rest.empty()) arguments.push_back(rest);
    INFO(text << " at " << indices);
    Judged(text, arguments).Expect(verdicts);
    Program(text, arguments).Expect(verdicts);
  };
  const auto gather = [&](std::string_view promise, std::string_view indices, std::string_view verdicts) {
    check(fmt::format(
              R"(  ROOT r = s32[2] gather(t, i), offset_dims={{}}, collapsed_slice_dims={{0}}, start_index_map={{0}},
           index_vector_dim=1, slice_sizes={{1}}{})",
              promise),
          "t = s32[3] {5, 6, 7}", indices, "", verdicts);
  };
  gather("", "i = s32[2,1] {{2}, {0}}", "EXACT {7, 5}; FAIL {5, 7}");
  gather(", indices_are_sorted=true", "i = s32[2,1] {{2}, {0}}", "EXACT {7, 5}; SPEC-GAP {5, 7}; SPEC-GAP {1, 5}");
  gather(", indices_are_sorted=true", "i = s32[2,1] {{2}, {2}}", "EXACT {7, 7}; FAIL {7, 5}");
  // A vmap of x[i] in JAX: the rows of the operand order the indices. Nothing orders two indices of one row.
  const auto of_rows = [&](std::string_view shape, std::string_view indices, std::string_view verdicts) {
    check(fmt::format(R"(  ROOT r = s32{} gather(t, i), offset_dims={{}}, collapsed_slice_dims={{1}},
           start_index_map={{1}}, operand_batching_dims={{0}}, start_indices_batching_dims={{0}}, index_vector_dim={},
           slice_sizes={{1,1}}, indices_are_sorted=true)",
                      shape, shape == "[2]" ? 1 : 2),
          "t = s32[2,2] {{5, 6}, {7, 8}}", indices, "", verdicts);
  };
  of_rows("[2]", "i = s32[2,1] {{1}, {0}}", "EXACT {6, 7}; FAIL {5, 7}");
  of_rows("[2,2]", "i = s32[2,2,1] {{{0}, {1}}, {{0}, {1}}}", "EXACT {{5, 6}, {7, 8}}; FAIL {{5, 6}, {7, 7}}");
  of_rows("[2,2]", "i = s32[2,2,1] {{{1}, {0}}, {{0}, {1}}}", "EXACT {{6, 5}, {7, 8}}; SPEC-GAP {{6, 5}, {7, 7}}");
  const auto scatter = [&](std::string_view promise, std::string_view indices, std::string_view verdicts) {
    for (const std::string_view type : {"s32", "f32"}) {
      for (const std::string_view step : {"ROOT c = {0}[] add(a, b)", "ROOT c = {0}[] parameter(1)"}) {
        const bool adds = step.find("add") != step.npos;
        const std::string ending = fmt::format(fmt::runtime(step), type);
        check(fmt::format(R"(f {{ a = {0}[] parameter(0)  {1}{2} }}
ENTRY e {{  ROOT r = {0}[3] scatter(t, i, u), update_window_dims={{}}, inserted_window_dims={{0}},
            scatter_dims_to_operand_dims={{0}}, index_vector_dim=1{3}, to_apply=f }})",
                          type, adds ? fmt::format("b = {}[] parameter(1)  ", type) : "", ending, promise),
              type == "s32" ? "t = s32[3] {0, 0, 0}" : "t = f32[3] {0, 0, 0}", indices,
              type == "s32" ? "u = s32[2] {1, 1}" : "u = f32[2] {1, 1}", verdicts);
      }
    }
  };
  scatter("", "i = s32[2,1] {{2}, {0}}", "EXACT {1, 0, 1}; FAIL {1, 5, 1}; FAIL {1, 0, 5}");
  scatter(", indices_are_sorted=true", "i = s32[2,1] {{2}, {0}}", "EXACT {1, 0, 1}; SPEC-GAP {1, 0, 5}");
  scatter(", indices_are_sorted=true", "i = s32[2,1] {{0}, {2}}", "EXACT {1, 0, 1}; FAIL {1, 0, 5}");
  scatter(", unique_indices=true", "i = s32[2,1] {{1}, {1}}", "SPEC-GAP {0, 5, 0}; SPEC-GAP {0, 5, 1}");
  scatter(", unique_indices=true", "i = s32[2,1] {{2}, {0}}", "EXACT {1, 0, 1}; FAIL {1, 0, 5}");
  scatter(", unique_indices=true", "i = s32[2,1] {{7}, {7}}", "EXACT {0, 0, 0}; FAIL {0, 0, 5}");
}

TEST_CASE("a fold of one element may be the element in a program", "[acceptance][programs]") {
  Program("y = s32[2] reduce(x, c), dimensions={1}, to_apply=add_s32  ROOT r = s32[2] negate(y)",
          {"x = s32[2,1] {{1}, {2}}", "c = s32[] 100"})
      .Expect("EXACT {-101, -102}; SPEC-GAP {-1, -102}");
  Program("y = f32[2] reduce(x, c), dimensions={1}, to_apply=add_f32  ROOT r = f32[2] negate(y)",
          {"x = f32[2,1] {{-0}, {2}}", "c = f32[] 0"})
      .Expect("EXACT {-0, -2}; FAIL {-1, -2}; FAIL {-0, -3}");
}

// Whoever reads the diagonal finds {0.5, 0.5}.
TEST_CASE("a unit diagonal that holds other numbers is open by StableHLO only", "[acceptance][programs]") {
  const auto solve = [](std::string_view matrix, std::string_view verdicts) {
    const std::string text =
        "  ROOT x = f32[2,1] triangular-solve(a, b), left_side=true, lower=true, unit_diagonal=true, "
        "transpose_a=NO_TRANSPOSE";
    Judged(text, {matrix, "b = f32[2,1] {{1}, {2}}"}).Expect(verdicts);
  };
  solve("a = f32[2,2] {{2, 9}, {1, 3}}",
        "EXACT {{1}, {1}}; FAIL {{0.5}, {0.5}}; stablehlo EXACT {{1}, {1}}; stablehlo SPEC-GAP {{0.5}, {0.5}}");
  solve("a = f32[2,2] {{1, 9}, {1, 1}}", "stablehlo EXACT {{1}, {1}}; stablehlo FAIL {{0.5}, {0.5}}");
  const Program program(
      "  x = f32[2,1] triangular-solve(a, b), left_side=true, lower=true, unit_diagonal=true, "
      "transpose_a=NO_TRANSPOSE\n"
      "  ROOT y = f32[2,1] negate(x)",
      {"a = f32[2,2] {{2, 9}, {1, 3}}", "b = f32[2,1] {{1}, {2}}"});
  program.Expect("stablehlo SPEC-GAP {{-0.5}, {-0.5}}");
}

}  // namespace
}  // namespace assay::testing
