// The lawful results of a sort: by hand, and by the definition of a strict weak order.
#include "spec_tests/acceptance/judged.h"

namespace assay::testing {
namespace {

// Keys of a type and s32 values, sorted along dimension 0.
Judged Sorted(bool is_stable, const std::string& comparison, const std::string& type, const std::string& sizes,
              std::string_view keys, std::string_view values) {
  const std::string key_shape = type + "[" + sizes + "]", value_shape = "s32[" + sizes + "]";
  return Judged(fmt::format(R"(before {{ a = {0}[] parameter(0)  b = {0}[] parameter(1)  c = s32[] parameter(2)
  d = s32[] parameter(3)  ROOT r = pred[] compare(a, b), direction={1} }}
ENTRY e {{ ROOT s = ({2}, {3}) sort(k, v), dimensions={{0}}, to_apply=before{4} }})",
                            type, comparison, key_shape, value_shape, is_stable ? ", is_stable=true" : ""),
                {fmt::format("k = {} {}", key_shape, keys), fmt::format("v = {} {}", value_shape, values)});
}

Judged FourSorted(bool is_stable, const std::string& comparison = "LT") {
  return Sorted(is_stable, comparison, "s32", "4", "{2, 1, 1, 0}", "{10, 20, 30, 40}");
}

TEST_CASE("an unstable sort may swap ties and nothing else", "[acceptance]") {
  const Judged sorted = FourSorted(false);
  sorted.Expect("EXACT ({0, 1, 1, 2}, {40, 20, 30, 10})");
  const Judgement tie = sorted.Of("(s32[4], s32[4]) ({0, 1, 1, 2}, {40, 30, 20, 10})");
  CHECK(tie.verdict == Verdict::kLegal);
  CHECK(tie.reason == "tie");
  // A value lost, a value under another key, keys out of order, keys that were never there.
  sorted.Expect(
      "FAIL ({0, 1, 1, 2}, {40, 20, 20, 10}); FAIL ({0, 1, 1, 2}, {40, 20, 10, 30}); FAIL ({1, 0, 1, 2}, {20, 40, 30, "
      "10}); FAIL ({0, 1, 1, 3}, {40, 20, 30, 10})");
}

TEST_CASE("a stable sort has one result", "[acceptance]") {
  FourSorted(true).Expect("EXACT ({0, 1, 1, 2}, {40, 20, 30, 10}); FAIL ({0, 1, 1, 2}, {40, 30, 20, 10})");
}

// XLA:CPU compares subnormal keys as zeros and moves them as they are.
TEST_CASE("subnormal keys may count as zeros", "[acceptance]") {
  const auto sorted = [](bool is_stable) {
    return Sorted(is_stable, "LT", "f32", "4", "{3e-40, 2e-40, 1, -1}", "{1, 2, 3, 4}");
  };
  const std::string in_order = "(f32[4], s32[4]) ({-1, 2e-40, 3e-40, 1}, {4, 2, 1, 3})";
  const std::string as_zeros = "(f32[4], s32[4]) ({-1, 3e-40, 2e-40, 1}, {4, 1, 2, 3})";
  for (const bool is_stable : {false, true}) {
    CHECK(sorted(is_stable).Is(in_order, BuiltInProfile("xla-cpu")) == Verdict::kExact);
    CHECK(sorted(is_stable).Is(as_zeros, BuiltInProfile("exact")) == Verdict::kFail);
    const Judgement flushed = sorted(is_stable).Of(as_zeros, BuiltInProfile("xla-cpu"));
    CHECK(flushed.verdict == Verdict::kLegal);
    CHECK(flushed.reason == "flush");
    sorted(is_stable).Expect(
        "xla-cpu FAIL ({3e-40, -1, 2e-40, 1}, {1, 4, 2, 3}); xla-cpu FAIL ({-1, 3e-40, 2e-40, 1}, {4, 2, 1, 3})");
  }
  Sorted(true, "LT", "f32", "3", "{2e-40, 3e-40, 1e-40}", "{1, 2, 3}")
      .Expect("xla-cpu LEGAL ({2e-40, 3e-40, 1e-40}, {1, 2, 3}); xla-cpu FAIL ({3e-40, 2e-40, 1e-40}, {2, 1, 3})");
}

TEST_CASE("zeros of both signs may count as equal under zero_sign", "[acceptance]") {
  const auto sorted = [](const char* comparison, std::string_view keys) {
    return Sorted(true, comparison, "f32", "4", keys, "{1, 2, 3, 4}");
  };
  const auto both_ways = "fast LEGAL ({-1, -0, 0, 1}, {4, 3, 1, 2}); fast LEGAL ({-1, 0, -0, 1}, {4, 1, 3, 2}); ";
  // The signs of the results are free, too, but no row may be lost.
  const auto further =
      "fast LEGAL ({-1, 0, 0, 1}, {4, 1, 3, 2}); fast LEGAL ({-1, -0, 0, 1}, {4, 1, 3, 2}); fast FAIL ({-1, 0, 0, 1}, "
      "{4, 1, 1, 2}); fast FAIL ({-1, 1, 0, 0}, {4, 2, 3, 1}); fast FAIL ({0, -1, 0, 1}, {3, 4, 1, 2})";
  for (const auto* comparison : {"LT", "LT, type=TOTALORDER"}) {
    const Judged judged = sorted(comparison, "{0, 1, -0, -1}");
    std::string rows = both_ways;
    // The row that the comparator demands is EXACT.
    const bool is_total = std::string_view(comparison) != "LT";
    rows.replace(rows.find(is_total ? "LEGAL ({-1, -0" : "LEGAL ({-1, 0"), 5, "EXACT");
    judged.Expect(rows + further);
    judged.Expect(is_total ? "FAIL ({-1, 0, -0, 1}, {4, 1, 3, 2})" : "FAIL ({-1, -0, 0, 1}, {4, 3, 1, 2})");
  }
  // Zeros of one sign are equal in any case.
  sorted("LT", "{-0, 1, -0, -1}").Expect("fast FAIL ({-1, -0, -0, 1}, {4, 3, 1, 2})");
  CHECK(sorted("LT", "{0, 1, -0, -1}")
            .Of("(f32[4], s32[4]) ({-1, -0, 0, 1}, {4, 3, 1, 2})", BuiltInProfile("fast"))
            .reason == "sign of zero");
}

TEST_CASE("a comparator that is no order of the rows leaves any permutation of them", "[acceptance]") {
  for (const bool is_stable : {false, true}) {
    // GE is true for the two ones in either order.
    const Judged sorted = FourSorted(is_stable, "GE");
    for (const char* values : {"{10, 20, 30, 40}", "{10, 30, 20, 40}"}) {
      const Verdict verdict = sorted.Is("(s32[4], s32[4]) ({2, 1, 1, 0}, " + std::string(values) + ")");
      CHECK((verdict == Verdict::kExact || verdict == Verdict::kSpecGap));
    }
    const Judgement open = sorted.Of("(s32[4], s32[4]) ({1, 2, 0, 1}, {20, 10, 40, 30})");
    CHECK(open.verdict == Verdict::kSpecGap);
    CHECK(open.reason == "the comparator does not order these rows");
    sorted.Expect("FAIL ({2, 1, 1, 0}, {10, 20, 20, 40})");
    // On distinct keys GE is an order.
    Sorted(is_stable, "GE", "s32", "3", "{1, 2, 3}", "{10, 20, 30}")
        .Expect("EXACT ({3, 2, 1}, {30, 20, 10}); FAIL ({2, 3, 1}, {20, 30, 10})");
  }
}

TEST_CASE("LT is no order of a slice in which a NaN is no tie of all, and is one of other slices", "[acceptance]") {
  for (const bool is_stable : {false, true}) {
    const Judged sorted =
        Sorted(is_stable, "LT", "f32", "3,2", "{{3, 3}, {nan, 2}, {1, 1}}", "{{1, 2}, {3, 4}, {5, 6}}");
    sorted.Expect(
        "SPEC-GAP ({{3, 1}, {1, 2}, {nan, 3}}, {{1, 6}, {5, 4}, {3, 2}}); FAIL ({{nan, 2}, {1, 1}, {3, 3}}, {{3, 4}, "
        "{5, 6}, {1, 2}})");
  }
  // Neither comes before the other: a tie.
  Sorted(true, "LT", "f32", "2", "{nan, 1}", "{1, 2}").Expect("EXACT ({nan, 1}, {1, 2}); FAIL ({1, nan}, {2, 1})");
}

TEST_CASE("many rows are in order if sorting them from the other end gives the same keys", "[acceptance]") {
  constexpr int kRows = 400;
  const auto keys = [](bool has_nan) {
    std::string text = "{";
    for (int i = 0; i < kRows; ++i)
      text += (i > 0 ? ", " : "") + (has_nan && i % 100 == 50 ? "nan" : std::to_string(i));
    return text + "}";
  };
  std::string values = "{";
  for (int i = 0; i < kRows; ++i) values += (i > 0 ? ", " : "") + std::to_string(i);
  values += "}";
  for (const bool has_nan : {false, true}) {
    const Judged sorted = Sorted(true, "GT", "f32", std::to_string(kRows), keys(has_nan), values);
    // The unchanged operands, in ascending order.
    CHECK(sorted.Is("(f32[400], s32[400]) (" + keys(has_nan) + ", " + values + ")") ==
          (has_nan ? Verdict::kSpecGap : Verdict::kFail));
  }
}

}  // namespace
}  // namespace assay::testing
