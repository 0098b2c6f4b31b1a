// Programs judged on the backend's intermediate values, by backends that return the values of the test.
#include "conformance/judging/self_consistency.h"

#include "backends/reference/reference.h"
#include "spec_tests/acceptance/program.h"
#include "spec_tests/conformance/function_backend.h"

namespace assay::testing {
namespace {

// Returns the verdict for a program, or a whole module, whose instructions return `values`, in order; the last one is
// the root.
Verdict VerdictOnValues(const std::string& body, const std::vector<std::string_view>& arguments,
                        const std::vector<std::string_view>& values, std::string_view profile = "xla") {
  const bool is_module = body.find("ENTRY") != std::string::npos;
  const auto module = Parsed(is_module ? body : Entry(body));
  std::vector<Literal> outputs = Values(values);
  const Literal got = outputs.back();
  FunctionBackend backend = Returning(outputs.size() == 1 ? got : Literal::MakeTuple(std::move(outputs)));
  ModuleReport report;
  const auto own = JudgeSelfConsistency(backend, *module, Values(arguments), got,
                                        {.profile = BuiltInProfile(profile), .limits = {}}, report);
  REQUIRE(own);
  CHECK(own->leads_to_result);
  return own->verdict;
}

// The interval of a set contains more than the values that the specification leaves open.
TEST_CASE("an open element has one of the values that are allowed, also on the backend's own values", "[acceptance]") {
  const std::string topk = R"(  x = f32[4] parameter(0)  n = f32[4] negate(x)
  r = (f32[2], s32[2]) topk(n), k=2, largest=true, is_stable=false
  ROOT i = s32[2] get-tuple-element(r), index=1)";
  const auto verdict_of_index = [&](std::string_view indices) {
    return VerdictOnValues(topk, {"f32[4] {-1, -9, -2, -9}"}, {"f32[4] {1, 9, 2, 9}", "f32[2] {9, 9}", indices});
  };
  CHECK(verdict_of_index("s32[2] {1, 3}") == Verdict::kExact);
  CHECK(verdict_of_index("s32[2] {3, 1}") == Verdict::kSpecGap);
  CHECK(verdict_of_index("s32[2] {1, 2}") == Verdict::kFail);

  const std::string scatter = R"(last { a = s32[] parameter(0)  ROOT b = s32[] parameter(1) }
ENTRY e {   u = s32[2] parameter(0)  n = s32[2] negate(u)  t = s32[2] constant({0, 0})
  i = s32[2,1] constant({{0}, {0}})
  ROOT r = s32[2] scatter(t, i, n), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
  index_vector_dim=1, to_apply=last })";
  const auto verdict_of_update = [&](std::string_view result) {
    return VerdictOnValues(scatter, {"s32[2] {-10, -20}"}, {"s32[2] {10, 20}", result});
  };
  CHECK(verdict_of_update("s32[2] {20, 0}") == Verdict::kExact);
  CHECK(verdict_of_update("s32[2] {10, 0}") == Verdict::kSpecGap);
  CHECK(verdict_of_update("s32[2] {15, 0}") == Verdict::kFail);
}

// x007f is subnormal. A backend may compute the negation again for the comparison, and flush it there.
TEST_CASE("an operand that is computed again may be flushed", "[acceptance][flush]") {
  const std::string body = R"(  x = bf16[] parameter(0)  y = bf16[] parameter(1)  n = bf16[] negate(x)
  c = bf16[] copy(n)  ROOT less = pred[] compare(c, y), direction=LT)";
  const std::vector<std::string_view> arguments = {"bf16[] x807f", "bf16[] x007f"};
  const auto verdict = [&](std::string_view less, std::string_view profile) {
    return VerdictOnValues(body, arguments, {"bf16[] x007f", "bf16[] x007f", less}, profile);
  };
  CHECK(verdict("pred[] false", "xla") == Verdict::kExact);
  CHECK(verdict("pred[] true", "xla") == Verdict::kWeak);
  CHECK(verdict("pred[] true", "ieee") == Verdict::kFail);
}

TEST_CASE("an operand that is computed again may have another number for a NaN", "[acceptance]") {
  const std::string body = R"(  x = f16[] parameter(0)  n = f16[] negate(x)
  ROOT b = f16[2] broadcast(n), dimensions={})";
  const auto verdict = [&](std::string_view profile) {
    return VerdictOnValues(body, {"f16[] nan"}, {"f16[] 1", "f16[2] {2, 2}"}, profile);
  };
  CHECK(!IsFailure(verdict("fast")));
  CHECK(verdict("xla") == Verdict::kFail);
}

TEST_CASE("a comparison flushes both of its operands or none", "[acceptance][flush]") {
  const std::string body = R"(  x = bf16[] parameter(0)  y = bf16[] parameter(1)
  ROOT less = pred[] compare(x, y), direction=LT)";
  CHECK(VerdictOnValues(body, {"bf16[] x007f", "bf16[] x007f"}, {"pred[] true"}) == Verdict::kFail);
  CHECK(VerdictOnValues(body, {"bf16[] x007e", "bf16[] x007f"}, {"pred[] false"}) == Verdict::kLegal);
}

TEST_CASE("a comparison of normal numbers has one result", "[acceptance][flush]") {
  const std::string body = R"(  x = bf16[] parameter(0)  n = bf16[] negate(x)
  ROOT less = pred[] compare(n, x), direction=LT)";
  CHECK(VerdictOnValues(body, {"bf16[] 1"}, {"bf16[] -1", "pred[] true"}) == Verdict::kExact);
  CHECK(VerdictOnValues(body, {"bf16[] 1"}, {"bf16[] -1", "pred[] false"}) == Verdict::kFail);
}

// The sum is 105, which f8e5m2 rounds to 112. Its set is too wide to prove anything. XLA:GPU computes on with 105.
TEST_CASE("a product of sums may be that of the unrounded sum", "[acceptance]") {
  const std::string module =
      R"(x = f8e5m2[30] parameter(0)  p = f8e5m2[] parameter(1)  z = f8e5m2[] constant(0)
  s = f8e5m2[] reduce(x, z), dimensions={0}, to_apply=add_f8e5m2
  m = f8e5m2[] multiply(s, p)  ROOT r = f8e5m2[] multiply(m, m))";
  std::string x = "f8e5m2[30] {3.5";
  for (int i = 1; i < 30; ++i) x += ", 3.5";
  x += "}";
  const auto verdict = [&](std::string_view square, std::string_view profile) {
    const std::vector<std::string_view> values = {"f8e5m2[] 112", "f8e5m2[] 28", square};
    return VerdictOnValues(module, {x, "f8e5m2[] 0.25"}, values, profile);
  };
  CHECK(verdict("f8e5m2[] 768", "xla") == Verdict::kExact);
  CHECK(verdict("f8e5m2[] 640", "xla") == Verdict::kLegal);  // 26.25 * 26.25 is 689
  CHECK(verdict("f8e5m2[] 448", "xla") == Verdict::kWeak);
  CHECK(verdict("f8e5m2[] 640", "ieee") == Verdict::kFail);
}

// Judges values of a program whose samples found its outputs far from lawful ones, or not. Alone, instructions return
// `alone`.
Verdict VerdictWithPieces(const std::string& module_text, const std::vector<Literal>& arguments,
                          const std::vector<std::string_view>& values, std::string_view alone, bool is_far = false) {
  const auto module = Parsed(module_text);
  const std::vector<Literal> outputs = Values(values);
  const Literal all = Literal::MakeTuple(Values(values)), piece = Value(alone);
  FunctionBackend backend([&](const HloModule& part, const DeviceValues&) {
    const bool is_tuple = part.entry->root->shape.IsTuple();
    return Result<PerDevice<Literal>>(PerDevice<Literal>{is_tuple ? all : piece});
  });
  ModuleReport report;
  if (is_far) report.verdict = Verdict::kSuspect;
  const auto own = JudgeSelfConsistency(backend, *module, arguments, outputs.back(), {.limits = {}}, report);
  REQUIRE(own);
  CHECK(own->leads_to_result);
  return own->verdict;
}

// A compiler may compute the sum again, in another order: 1 + 2^-24 + 2^-24 is 1 from the left, 1 + 2^-23 from the
// right. A kernel of the negation has no sum.
TEST_CASE("what a region explains fails if it is wrong alone", "[conformance]") {
  const std::string module = R"(x = f32[3] parameter(0)  z = f32[] constant(0)
  s = f32[] reduce(x, z), dimensions={0}, to_apply=add_f32  ROOT n = f32[] negate(s))";
  const std::vector<Literal> x = Values({"f32[3] {1, 5.9604645e-08, 5.9604645e-08}"});
  const std::vector<std::string_view> values = {"f32[] 1", "f32[] -1.0000001"};
  CHECK(VerdictWithPieces(module, x, values, "f32[] -1") == Verdict::kLegal);
  CHECK(VerdictWithPieces(module, x, values, "f32[] -1.0000001") == Verdict::kFail);
}

// XLA:CPU makes one reduction of both, and returns the sums of the columns beside it: (1e8 + 1) - 1e8 + 2.5 may be 0.
TEST_CASE("a sum of sums may be one sum, though the backend returns the inner sums", "[conformance]") {
  const std::string module = R"(x = f32[2,2] parameter(0)  z = f32[] constant(0)
  s = f32[2] reduce(x, z), dimensions={0}, to_apply=add_f32
  ROOT r = f32[] reduce(s, z), dimensions={0}, to_apply=add_f32)";
  const std::vector<Literal> x = Values({"f32[2,2] {{1e8, 1}, {-1e8, 2.5}}"});
  CHECK(VerdictWithPieces(module, x, {"f32[2] {0, 3.5}", "f32[] 0"}, "f32[] 3.5") == Verdict::kWeak);
  CHECK(VerdictWithPieces(module, x, {"f32[2] {0, 3.5}", "f32[] 1000"}, "f32[] 3.5") == Verdict::kFail);
}

// The bound of any order of 1,024 terms is a hundred times as wide as the errors of real orders.
TEST_CASE("the set of a sum does not explain what its tests or samples find", "[conformance]") {
  const std::string module = R"(x = f32[1024] parameter(0)  z = f32[] constant(0)  n = f32[] constant(1024)
  s = f32[] reduce(x, z), dimensions={0}, to_apply=add_f32  ROOT r = f32[] divide(s, n))";
  std::vector<Literal> x = {Literal(ShapeUtil::MakeShape(F32, {1024}))};
  for (int i = 0; i < 1024; ++i) x[0].mutable_values<float>()[i] = static_cast<float>((37 * i) % 101) / 97;
  const double sum = Evaluate(*Parsed(module), x)->values<float>()[0] * 1024.0;
  const auto verdict = [&](double of_sum, double of_mean, bool is_far) {
    const std::string s = fmt::format("f32[] {}", of_sum), r = fmt::format("f32[] {}", of_mean);
    return VerdictWithPieces(module, x, {s, r}, r, is_far);
  };
  CHECK(verdict(sum, sum / 1024, true) <= Verdict::kLegal);
  CHECK(verdict(1.00003 * sum, 1.00003 * sum / 1024, false) == Verdict::kSuspect);
  CHECK(verdict(sum, 1.00003 * sum / 1024, true) >= Verdict::kSuspect);
}

TEST_CASE("an instruction whose operand is smaller than its shape says does not fail for that", "[acceptance]") {
  const std::string module =
      R"(x = f32[4] parameter(0)  n = s32[] constant(3)  d = f32[<=4] dynamic-reshape(x, n)  y = f32[4] reshape(d)
  z = f32[] constant(0)  ROOT r = f32[] reduce(y, z), dimensions={0}, to_apply=add_f32)";
  const auto verdict = [&](std::string_view sum) {
    const std::string_view part = "f32[3] {1, 0.1, 0.01}";
    return VerdictOnValues(module, {"f32[4] {1, 0.1, 0.01, 7}"}, {part, part, sum});
  };
  CHECK(verdict("f32[] 1.1100001") <= Verdict::kWeak);
}

TEST_CASE("an exact loop is one exact piece, however often its body runs", "[conformance]") {
  const auto module = Parsed(R"(condition { p = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  one = s32[] constant(1)  j = s32[] add(i, one)  y = f32[] tanh(x)  ROOT r = (s32[], f32[]) tuple(j, y) }
ENTRY e { t = (s32[], f32[]) parameter(0)  ROOT l = (s32[], f32[]) while(t), condition=condition, body=body })");
  const std::vector<Literal> arguments = {Literal::MakeTuple({Value("s32[] 0"), Value("f32[] 1")})};
  const auto judged = [&](Backend& backend) {
    const Result<PerDevice<Literal>> got = backend.Run(*module, {arguments});
    REQUIRE(got);
    ModuleReport report;
    const auto own = JudgeSelfConsistency(backend, *module, arguments, (*got)[0],
                                          {.profile = BuiltInProfile("xla"), .limits = {}}, report);
    REQUIRE(own);
    return *own;
  };
  ReferenceBackend reference;
  CHECK(judged(reference).verdict == Verdict::kExact);
  CHECK(judged(reference).pieces == 1);
  CHECK(judged(reference).pieces_exact == 1);
}

// The window at -1 is out of bounds, where a scatter has another reading, and its terms may be added in any order: its
// set says nothing. Its result may be just below 76, which is 80 once it is rounded to f16 and then to f8e4m3fnuz.
TEST_CASE("an operand whose set is open may be unrounded where it is used", "[acceptance]") {
  const std::string module = R"(
sum { a = f8e4m3fnuz[] parameter(0)  b = f8e4m3fnuz[] parameter(1)  ROOT s = f8e4m3fnuz[] add(a, b) }
ENTRY e { x = f8e4m3fnuz[1] parameter(0)  i = s32[1,9] parameter(1)  u = f8e4m3fnuz[1,9] parameter(2)
  s = f8e4m3fnuz[1] scatter(x, i, u), update_window_dims={0}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=sum
  ROOT d = f8e4m3fnuz[1] add(s, s) })";
  const std::vector<std::string_view> arguments = {"f8e4m3fnuz[1] {x94}", "s32[1,9] {{-1, 0, 0, 0, 0, 0, 0, 0, 0}}",
                                                   "f8e4m3fnuz[1,9] {{0, xde, x5b, xc2, xe2, xbb, xf8, x59, x70}}"};
  const auto verdict = [&](std::string_view sum, std::string_view profile) {
    return VerdictOnValues(module, arguments, {"f8e4m3fnuz[1] {-80}", sum}, profile);
  };
  CHECK(verdict("f8e4m3fnuz[1] {-144}", "xla") <= Verdict::kSpecGap);
  CHECK(verdict("f8e4m3fnuz[1] {-128}", "xla") == Verdict::kFail);
  CHECK(verdict("f8e4m3fnuz[1] {-144}", "ieee") == Verdict::kFail);
}

TEST_CASE("the start of a copy is among the values of its backend", "[conformance]") {
  const std::string body = R"(  x = f32[] parameter(0)  s = (f32[], f32[], u32[]) copy-start(x)
  ROOT d = f32[] copy-done(s))";
  const auto module = Parsed(Entry(body));
  ReferenceBackend backend;
  ModuleReport report;
  const std::vector<Literal> arguments = Values({"f32[] 1"});
  const auto own = JudgeSelfConsistency(backend, *module, arguments, arguments[0], {}, report);
  REQUIRE(own);
  CHECK(own->leads_to_result);
}

TEST_CASE("the start of a collective is not among the values of its backend", "[conformance]") {
  for (const std::string_view body :
       {R"(  x = f32[1] parameter(0)  s = (f32[1], f32[1]) all-gather-start(x), replica_groups={}, dimensions={0}
  ROOT d = f32[1] all-gather-done(s))",
        R"(  x = f32[1] parameter(0)  s = ((f32[1]), f32[1], u32[]) negate-start(x)
  ROOT d = f32[1] negate-done(s))"}) {
    const auto module = Parsed(Entry(std::string(body)));
    ReferenceBackend backend;
    ModuleReport report;
    const std::vector<Literal> arguments = Values({"f32[1] {1}"});
    CHECK_FALSE(JudgeSelfConsistency(backend, *module, arguments, arguments[0], {}, report));
  }
}

}  // namespace
}  // namespace assay::testing
