// Sorts of open keys: the possible rows of each place, by hand.
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// The second result of a sort of f(x) with the numbers of its rows; `key` is 0 for the sorted keys themselves.
std::string SortOf(std::string_view function, std::string_view comparison, std::string_view sort, int result) {
  return fmt::format(
      R"(before {{ a = f32[] parameter(0)  b = f32[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), {} }}
ENTRY e {{ x = f32[3] parameter(0)  y = f32[3] {}(x)  i = s32[3] iota(), iota_dimension=0
  s = (f32[3], s32[3]) sort(y, i), dimensions={{0}}, {}, to_apply=before
  ROOT r = {} get-tuple-element(s), index={} }})",
      comparison, function, sort, result == 0 ? "f32[3]" : "s32[3]", result);
}

TEST_CASE("a stable sort keeps rows of equal keys, another one need not", "[acceptance][programs]") {
  // -1 and 1 have one absolute value, 0.5 none but its own.
  const auto argument = {std::string_view("f32[3] {-1, 0.5, 1}")};
  Program(SortOf("abs", "direction=LT", "is_stable=true", 1), argument).Expect("EXACT {1, 0, 2}; FAIL {1, 2, 0}");
  Program(SortOf("abs", "direction=LT", "is_stable=false", 1), argument).Expect("WEAK {1, 2, 0}; FAIL {0, 1, 2}");
}

TEST_CASE("integers of 64 bits that are one double are different numbers", "[acceptance][programs]") {
  // The comparison orders nothing, so that the rows may change places. Both numbers round to 2^64, or to 2^62.
  const auto after_sort = [](std::string_view function, std::string_view type, std::string_view rows) {
    return Program(fmt::format(R"(before {{ a = {0}[] parameter(0)  b = {0}[] parameter(1)
  ROOT r = pred[] constant(false) }}
ENTRY e {{ x = {0}[2] parameter(0)  s = {0}[2] sort(x), dimensions={{0}}, to_apply=before
  k = {0}[2] constant({{4611686018427387905, 4611686018427387905}})  ROOT r = {0}[2] {1} }})",
                               type, function),
                   {fmt::format("{}[2] {}", type, rows)});
  };
  const auto unsigned_rows = "{18446744073709551359, 18446744073709551615}";
  after_sort("add(s, k)", "u64", unsigned_rows)
      .Expect("EXACT {4611686018427387648, 4611686018427387904}; WEAK {4611686018427387904, 4611686018427387648}");
  const auto signed_rows = "{4611686018427387904, 4611686018427387906}";
  after_sort("subtract(s, k)", "s64", signed_rows).Expect("EXACT {-1, 1}; WEAK {1, -1}; FAIL {1, 1000000}");
  after_sort("remainder(s, k)", "s64", signed_rows)
      .Expect("EXACT {4611686018427387904, 1}; WEAK {1, 4611686018427387904}");
  after_sort("multiply(s, k)", "u64", "{1, 2}").Expect("WEAK {9223372036854775810, 4611686018427387905}");
}

TEST_CASE("sorts and sums have their sets", "[acceptance][programs]") {
  CheckRows<Program>({
      // exp(1) is approximated twice, exp(5) is far from both.
      {"rows whose keys may be equal change places, others do not",
       SortOf("exponential", "direction=LT", "is_stable=true", 1), "f32[3] {1, 5, 1}",
       "EXACT {0, 2, 1}; WEAK {2, 0, 1}; FAIL {0, 1, 2}"},
      {"", SortOf("exponential", "direction=GT", "is_stable=true", 1), "f32[3] {1, 5, 1}",
       "WEAK {1, 2, 0}; FAIL {0, 1, 2}"},
      {"each place has the keys between two order statistics",
       SortOf("exponential", "direction=LT", "is_stable=false", 0), "f32[3] {1, 5, 1}",
       "LEGAL {2.7182817, 2.7182822, 148.41316}; FAIL {2.7182817, 148.41316, 148.41316}"},
      {"a subnormal key may be compared as zero", SortOf("copy", "direction=LT", "is_stable=true", 1),
       "f32[3] {1e-40, 0, -1}", "EXACT {2, 1, 0}; LEGAL {2, 0, 1}; FAIL {0, 1, 2}; ieee FAIL {2, 0, 1}"},
      {"", SortOf("copy", "direction=LT", "is_stable=true", 0), "f32[3] {1e-40, 0, -1}",
       "LEGAL {-1, 1e-40, 0}; ieee FAIL {-1, 1e-40, 0}"},
      {"zeros of both signs change places if their signs are not significant",
       SortOf("copy", "direction=LT, type=TOTALORDER", "is_stable=true", 1), "f32[3] {0, 1, -0}",
       "EXACT {2, 0, 1}; FAIL {0, 2, 1}; fast WEAK {0, 2, 1}; fast FAIL {0, 1, 2}"},
      {"", SortOf("copy", "direction=LT", "is_stable=true", 1), "f32[3] {0, 1, -0}",
       "EXACT {0, 2, 1}; FAIL {2, 0, 1}; fast WEAK {2, 0, 1}; fast FAIL {1, 0, 2}"},
      {"", SortOf("copy", "direction=LT", "is_stable=true", 1), "f32[3] {0, 1, 0}", "fast FAIL {2, 0, 1}"},
      {"the order of keys with a NaN is open, in the total order its end is",
       SortOf("copy", "direction=LT", "is_stable=true", 0), "f32[3] {3, nan, 1}",
       "EXACT {1, 3, nan}; WEAK {3, nan, 1}; FAIL {3, nan, 4}"},
      {"", SortOf("sqrt", "direction=LT, type=TOTALORDER", "is_stable=true", 0), "f32[3] {9, -1, 1}",
       "EXACT {1, 3, nan}; WEAK {nan, 1, 3}; FAIL {nan, 3, 1}"},
      {"", SortOf("log-plus-one", "direction=LT, type=TOTALORDER", "is_stable=true", 0), "f32[3] {-1, -8, 0}",
       "EXACT {-inf, 0, nan}; WEAK {nan, -inf, 0}; FAIL {-inf, 1, nan}"},
      {"a sort whose comparator is not known is a permutation, of slices that it does not decide",
       R"(before { a = f32[] parameter(0)
  b = f32[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)  s = f32[] sine(a)  t = f32[] sine(b)
  ROOT r = pred[] compare(s, t), direction=LT }
ENTRY e { y = f32[2,2] cosine(x)  i = s32[2,2] iota(), iota_dimension=0
  s = (f32[2,2], s32[2,2]) sort(y, i), dimensions={0}, is_stable=true, to_apply=before
  ROOT r = s32[2,2] get-tuple-element(s), index=1 })",
       "x = f32[2,2] {{1, 2}, {1, 4}}", "EXACT {{0, 1}, {1, 0}}; LEGAL {{1, 1}, {0, 0}}; FAIL {{1, 0}, {0, 1}}"},
      {"JAX compares numbers whose zeros and NaNs are equal", R"(before { a = f32[] parameter(0)  b = f32[] parameter(1)
  i = s32[] parameter(2)  j = s32[] parameter(3)  n = f32[] constant(nan)  z = f32[] constant(0)
  a_z = pred[] compare(a, z), direction=EQ  c = f32[] select(a_z, z, a)
  a_n = pred[] compare(a, a), direction=NE  d = f32[] select(a_n, n, c)
  b_z = pred[] compare(b, z), direction=EQ  g = f32[] select(b_z, z, b)
  b_n = pred[] compare(b, b), direction=NE  h = f32[] select(b_n, n, g)
  ROOT r = pred[] compare(d, h), direction=LT, type=TOTALORDER }
ENTRY e { y = f32[6] exponential(x)  i = s32[6] iota(), iota_dimension=0
  s = (f32[6], s32[6]) sort(y, i), dimensions={0}, is_stable=true, to_apply=before
  ROOT r = s32[6] get-tuple-element(s), index=1 })",
       "x = f32[6] {1, 5, 1, 9, -inf, -inf}",
       "EXACT {4, 5, 0, 2, 1, 3}; WEAK {4, 5, 2, 0, 1, 3}; FAIL {4, 5, 0, 2, 3, 1}; FAIL {5, 4, 0, 2, 1, 3}"},
      {"a top-k has the open rows of its lines", R"(y = f32[2,3] exponential(x)
  t = (f32[2,2], s32[2,2]) topk(y), k=2, largest=true  ROOT r = s32[2,2] get-tuple-element(t), index=1)",
       "x = f32[2,3] {{1, 5, 3}, {2, 2, 1}}",
       "EXACT {{1, 2}, {0, 1}}; LEGAL {{1, 2}, {1, 0}}; FAIL {{2, 1}, {0, 1}}; FAIL {{1, 2}, {0, 2}}"},
      {"", R"(y = f32[3] exponential(x)  t = (f32[2], s32[2]) topk(y), k=2, largest=false
  ROOT r = f32[2] get-tuple-element(t), index=0)",
       "x = f32[3] {1, 5, 3}", "LEGAL {2.7182817, 20.085536}; FAIL {20.085536, 2.7182817}"},
      {"a top-k of one element leaves a product unrounded", R"(p = f32[2,1] multiply(x, y)
  t = (f32[2,1], s32[2,1]) topk(p), k=1, largest=true  v = f32[2,1] get-tuple-element(t), index=0
  ROOT r = f32[2,1] add(v, z))",
       "x = f32[2,1] {{1.1}, {2}}; y = f32[2,1] {{1.3}, {2}}; z = f32[2,1] {{-1.43}, {1}}",
       "EXACT {{0}, {5}}; LEGAL {{3.0994414e-08}, {5}}; FAIL {{1e-7}, {5}}; FAIL {{0}, {5.0000005}}"},
      {"the index of a maximum is open where its row is", R"(larger { a = f32[] parameter(0)  i = s32[] parameter(1)
  b = f32[] parameter(2)  j = s32[] parameter(3)  p = pred[] compare(a, b), direction=GT
  q = pred[] compare(a, b), direction=EQ  k = pred[] compare(i, j), direction=LT  m = pred[] and(q, k)
  n = pred[] or(p, m)  c = f32[] select(p, a, b)  l = s32[] select(n, i, j)  ROOT r = (f32[], s32[]) tuple(c, l) }
ENTRY e { y = f32[2,3] exponential(x)  i = s32[2,3] iota(), iota_dimension=1  z = f32[] constant(-inf)
  o = s32[] constant(2147483647)
  t = (f32[2], s32[2]) reduce(y, i, z, o), dimensions={1}, to_apply=larger  ROOT r = s32[2] get-tuple-element(t), index=1 })",
       "x = f32[2,3] {{1, 5, 3}, {2, 2, 1}}", "EXACT {1, 0}; LEGAL {1, 1}; FAIL {2, 0}; FAIL {1, 2}"},
      {"a sum that no order rounds has one value",
       R"(d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  c = f32[] constant(1)  p = pred[] compare(d, c), direction=LT
  a = s32[] constant(7)  b = s32[] constant(9)  ROOT r = s32[] select(p, a, b))",
       "x = f32[2] {3, -4}; y = f32[2] {3, 2}", "EXACT 9; FAIL 7"},
      {"", R"(d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  c = f32[] constant(0)  ROOT p = pred[] compare(d, c), direction=EQ)",
       "x = f32[2] {3, -4}; y = f32[2] {0, 0}", "FAIL false"},
  });
}

}  // namespace
}  // namespace assay::testing
