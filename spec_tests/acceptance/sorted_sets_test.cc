// Sorts of open keys: the possible rows of each place, by hand.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "spec_tests/acceptance/program.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

// The second result of a sort of f(x) with the numbers of its rows; `key` is 0 for the sorted keys themselves.
std::string SortOf(std::string_view function, std::string_view comparison, std::string_view sort, int result) {
  return fmt::format(R"(HloModule m
before {{ a = f32[] parameter(0)
  b = f32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), {} }}
ENTRY e {{
  x = f32[3] parameter(0)
  y = f32[3] {}(x)
  i = s32[3] iota(), iota_dimension=0
  s = (f32[3], s32[3]) sort(y, i), dimensions={{0}}, {}, to_apply=before
  ROOT r = {} get-tuple-element(s), index={}
}})",
                     comparison, function, sort, result == 0 ? "f32[3]" : "s32[3]", result);
}

TEST_CASE("rows whose keys may be equal change places, others do not", "[acceptance][programs]") {
  // exp(1) is approximated twice, exp(5) is far from both.
  const Program rows(SortOf("exponential", "direction=LT", "is_stable=true", 1), {"f32[3] {1, 5, 1}"});
  CHECK(rows.Is("s32[3] {0, 2, 1}") == Verdict::kExact);
  CHECK(rows.Is("s32[3] {2, 0, 1}") == Verdict::kWeak);
  CHECK(rows.Is("s32[3] {0, 1, 2}") == Verdict::kFail);
  const Program falling(SortOf("exponential", "direction=GT", "is_stable=true", 1), {"f32[3] {1, 5, 1}"});
  CHECK(falling.Is("s32[3] {1, 2, 0}") == Verdict::kWeak);
  CHECK(falling.Is("s32[3] {0, 1, 2}") == Verdict::kFail);
}

TEST_CASE("each place has the keys between two order statistics", "[acceptance][programs]") {
  const Program keys(SortOf("exponential", "direction=LT", "is_stable=false", 0), {"f32[3] {1, 5, 1}"});
  CHECK(keys.Is("f32[3] {2.7182817, 2.7182822, 148.41316}") == Verdict::kLegal);
  CHECK(keys.Is("f32[3] {2.7182817, 148.41316, 148.41316}") == Verdict::kFail);
}

TEST_CASE("a stable sort keeps rows of equal keys, another one need not", "[acceptance][programs]") {
  // -1 and 1 have one absolute value, 0.5 none but its own.
  const auto argument = {std::string_view("f32[3] {-1, 0.5, 1}")};
  const Program stable(SortOf("abs", "direction=LT", "is_stable=true", 1), argument);
  CHECK(stable.Is("s32[3] {1, 0, 2}") == Verdict::kExact);
  CHECK(stable.Is("s32[3] {1, 2, 0}") == Verdict::kFail);
  const Program other(SortOf("abs", "direction=LT", "is_stable=false", 1), argument);
  CHECK(other.Is("s32[3] {1, 2, 0}") == Verdict::kWeak);
  CHECK(other.Is("s32[3] {0, 1, 2}") == Verdict::kFail);
}

TEST_CASE("integers of 64 bits that are one double are different numbers", "[acceptance][programs]") {
  // The comparison orders nothing, so that the rows may change places. Both numbers round to 2^64, or to 2^62.
  const auto after_sort = [](std::string_view function, std::string_view type, std::string_view rows) {
    const std::string text = fmt::format(R"(HloModule m
before {{ a = {0}[] parameter(0)
  b = {0}[] parameter(1)
  ROOT r = pred[] constant(false) }}
ENTRY e {{
  x = {0}[2] parameter(0)
  s = {0}[2] sort(x), dimensions={{0}}, to_apply=before
  k = {0}[2] constant({{4611686018427387905, 4611686018427387905}})
  ROOT r = {0}[2] {1}
}})",
                                         type, function);
    return Program(text, {fmt::format("{}[2] {}", type, rows)});
  };
  const auto unsigned_rows = "{18446744073709551359, 18446744073709551615}";
  const Program sums = after_sort("add(s, k)", "u64", unsigned_rows);
  CHECK(sums.Is("u64[2] {4611686018427387648, 4611686018427387904}") == Verdict::kExact);
  CHECK(sums.Is("u64[2] {4611686018427387904, 4611686018427387648}") == Verdict::kWeak);
  const auto signed_rows = "{4611686018427387904, 4611686018427387906}";
  const Program differences = after_sort("subtract(s, k)", "s64", signed_rows);
  CHECK(differences.Is("s64[2] {-1, 1}") == Verdict::kExact);
  CHECK(differences.Is("s64[2] {1, -1}") == Verdict::kWeak);
  CHECK(differences.Is("s64[2] {1, 1000000}") == Verdict::kFail);
  const Program remainders = after_sort("remainder(s, k)", "s64", signed_rows);
  CHECK(remainders.Is("s64[2] {4611686018427387904, 1}") == Verdict::kExact);
  CHECK(remainders.Is("s64[2] {1, 4611686018427387904}") == Verdict::kWeak);
  const Program products = after_sort("multiply(s, k)", "u64", "{1, 2}");
  CHECK(products.Is("u64[2] {9223372036854775810, 4611686018427387905}") == Verdict::kWeak);
}

TEST_CASE("a subnormal key may be compared as zero", "[acceptance][programs]") {
  const Program rows(SortOf("copy", "direction=LT", "is_stable=true", 1), {"f32[3] {1e-40, 0, -1}"});
  CHECK(rows.Is("s32[3] {2, 1, 0}") == Verdict::kExact);
  CHECK(rows.Is("s32[3] {2, 0, 1}") == Verdict::kLegal);
  CHECK(rows.Is("s32[3] {0, 1, 2}") == Verdict::kFail);
  CHECK(rows.Is("s32[3] {2, 0, 1}", "ieee") == Verdict::kFail);
  const Program keys(SortOf("copy", "direction=LT", "is_stable=true", 0), {"f32[3] {1e-40, 0, -1}"});
  CHECK(keys.Is("f32[3] {-1, 1e-40, 0}") == Verdict::kLegal);
  CHECK(keys.Is("f32[3] {-1, 1e-40, 0}", "ieee") == Verdict::kFail);
}

TEST_CASE("the order of keys with a NaN is open, in the total order its end is", "[acceptance][programs]") {
  const Program partial(SortOf("copy", "direction=LT", "is_stable=true", 0), {"f32[3] {3, nan, 1}"});
  CHECK(partial.Is("f32[3] {1, 3, nan}") == Verdict::kExact);
  CHECK(partial.Is("f32[3] {3, nan, 1}") == Verdict::kWeak);
  CHECK(partial.Is("f32[3] {3, nan, 4}") == Verdict::kFail);
  const Program total(SortOf("sqrt", "direction=LT, type=TOTALORDER", "is_stable=true", 0), {"f32[3] {9, -1, 1}"});
  CHECK(total.Is("f32[3] {1, 3, nan}") == Verdict::kExact);
  CHECK(total.Is("f32[3] {nan, 1, 3}") == Verdict::kWeak);
  CHECK(total.Is("f32[3] {nan, 3, 1}") == Verdict::kFail);
}

TEST_CASE("a sort whose comparator decides nothing is a permutation all the same", "[acceptance][programs]") {
  const Program rows(R"(HloModule m
before { a = f32[] parameter(0)
  b = f32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  s = f32[] sine(a)
  t = f32[] sine(b)
  ROOT r = pred[] compare(s, t), direction=LT }
ENTRY e {
  x = f32[2,2] parameter(0)
  y = f32[2,2] cosine(x)
  i = s32[2,2] iota(), iota_dimension=0
  s = (f32[2,2], s32[2,2]) sort(y, i), dimensions={0}, is_stable=true, to_apply=before
  ROOT r = s32[2,2] get-tuple-element(s), index=1
})",
                     {"f32[2,2] {{1, 2}, {1, 4}}"});
  CHECK(rows.Is("s32[2,2] {{1, 0}, {0, 1}}") == Verdict::kLegal);
  CHECK(rows.Is("s32[2,2] {{2, 0}, {0, 1}}") == Verdict::kFail);
}

TEST_CASE("a sum that no order rounds has one value", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  c = f32[] constant(1)
  p = pred[] compare(d, c), direction=LT
  a = s32[] constant(7)
  b = s32[] constant(9)
  ROOT r = s32[] select(p, a, b))"),
                        {"f32[2] {3, -4}", "f32[2] {3, 2}"});
  CHECK(program.Is("s32[] 9") == Verdict::kExact);
  CHECK(program.Is("s32[] 7") == Verdict::kFail);
  const Program zero(Entry(R"(  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  c = f32[] constant(0)
  ROOT p = pred[] compare(d, c), direction=EQ)"),
                     {"f32[2] {3, -4}", "f32[2] {0, 0}"});
  CHECK(zero.Is("pred[] false") == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
