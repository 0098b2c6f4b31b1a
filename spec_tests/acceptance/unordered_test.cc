// The lawful results of a sort: by hand, and by the definition of a strict weak order.
#include "interpreter/acceptance/judge.h"
#include "spec_tests/acceptance/judged.h"

namespace assay::testing {
namespace {

// Keys of a type and s32 values, sorted along dimension 0.
Judged Sorted(bool is_stable, const std::string& comparison, const std::string& type, const std::string& sizes,
              std::string_view keys, std::string_view values) {
  const std::string key_shape = type + "[" + sizes + "]", value_shape = "s32[" + sizes + "]";
  return Judged("HloModule m\nbefore {\n a = " + type + "[] parameter(0)\n b = " + type + "[] parameter(1)\n" +
                    " c = s32[] parameter(2)\n d = s32[] parameter(3)\n" +
                    " ROOT r = pred[] compare(a, b), direction=" + comparison + "\n}\n" +
                    "ENTRY e {\n k = " + key_shape + " parameter(0)\n v = " + value_shape +
                    " parameter(1)\n ROOT s = (" + key_shape + ", " + value_shape +
                    ") sort(k, v), dimensions={0}, to_apply=before" + (is_stable ? ", is_stable=true\n}" : "\n}"),
                {key_shape + " " + std::string(keys), value_shape + " " + std::string(values)});
}

Judged FourSorted(bool is_stable, const std::string& comparison = "LT") {
  return Sorted(is_stable, comparison, "s32", "4", "{2, 1, 1, 0}", "{10, 20, 30, 40}");
}

TEST_CASE("an unstable sort may swap ties and nothing else", "[acceptance]") {
  const Judged sorted = FourSorted(false);
  CHECK(sorted.Is("(s32[4], s32[4]) ({0, 1, 1, 2}, {40, 20, 30, 10})") == Verdict::kExact);
  const Judgement tie = sorted.Of("(s32[4], s32[4]) ({0, 1, 1, 2}, {40, 30, 20, 10})");
  CHECK(tie.verdict == Verdict::kLegal);
  CHECK(tie.reason == "tie");
  // A value lost, a value under another key, keys out of order, keys that were never there.
  sorted.Expect(
      "FAIL (s32[4], s32[4]) ({0, 1, 1, 2}, {40, 20, 20, 10}); FAIL (s32[4], s32[4]) ({0, 1, 1, 2}, {40, 20, 10, 30}); "
      "FAIL (s32[4], s32[4]) ({1, 0, 1, 2}, {20, 40, 30, 10}); FAIL (s32[4], s32[4]) ({0, 1, 1, 3}, {40, 20, 30, 10})");
}

TEST_CASE("a stable sort has one result", "[acceptance]") {
  FourSorted(true).Expect(
      "EXACT (s32[4], s32[4]) ({0, 1, 1, 2}, {40, 20, 30, 10}); FAIL (s32[4], s32[4]) ({0, 1, 1, 2}, {40, 30, 20, "
      "10})");
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
    CHECK(sorted(is_stable).Is("(f32[4], s32[4]) ({3e-40, -1, 2e-40, 1}, {1, 4, 2, 3})", BuiltInProfile("xla-cpu")) ==
          Verdict::kFail);
    CHECK(sorted(is_stable).Is("(f32[4], s32[4]) ({-1, 3e-40, 2e-40, 1}, {4, 2, 1, 3})", BuiltInProfile("xla-cpu")) ==
          Verdict::kFail);
  }
  const Judged three = Sorted(true, "LT", "f32", "3", "{2e-40, 3e-40, 1e-40}", "{1, 2, 3}");
  CHECK(three.Is("(f32[3], s32[3]) ({2e-40, 3e-40, 1e-40}, {1, 2, 3})", BuiltInProfile("xla-cpu")) == Verdict::kLegal);
  CHECK(three.Is("(f32[3], s32[3]) ({3e-40, 2e-40, 1e-40}, {2, 1, 3})", BuiltInProfile("xla-cpu")) == Verdict::kFail);
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
    CHECK(sorted.Is("(s32[4], s32[4]) ({2, 1, 1, 0}, {10, 20, 20, 40})") == Verdict::kFail);
    // On distinct keys GE is an order.
    Sorted(is_stable, "GE", "s32", "3", "{1, 2, 3}", "{10, 20, 30}")
        .Expect("EXACT (s32[3], s32[3]) ({3, 2, 1}, {30, 20, 10}); FAIL (s32[3], s32[3]) ({2, 3, 1}, {20, 30, 10})");
  }
}

TEST_CASE("LT is no order of a slice in which a NaN is no tie of all, and is one of other slices", "[acceptance]") {
  for (const bool is_stable : {false, true}) {
    const Judged sorted =
        Sorted(is_stable, "LT", "f32", "3,2", "{{3, 3}, {nan, 2}, {1, 1}}", "{{1, 2}, {3, 4}, {5, 6}}");
    sorted.Expect(
        "SPEC-GAP (f32[3,2], s32[3,2]) ({{3, 1}, {1, 2}, {nan, 3}}, {{1, 6}, {5, 4}, {3, 2}}); FAIL (f32[3,2], "
        "s32[3,2]) ({{nan, 2}, {1, 1}, {3, 3}}, {{3, 4}, {5, 6}, {1, 2}})");
  }
  // Neither comes before the other: a tie.
  Sorted(true, "LT", "f32", "2", "{nan, 1}", "{1, 2}")
      .Expect("EXACT (f32[2], s32[2]) ({nan, 1}, {1, 2}); FAIL (f32[2], s32[2]) ({1, nan}, {2, 1})");
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
