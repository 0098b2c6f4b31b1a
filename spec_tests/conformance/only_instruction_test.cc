// One instruction has one verdict: `diff`, which also goes through sets, and `check`, which goes by the rule, agree.
#include "backends/reference/reference.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/judge_case.h"
#include "conformance/judging/judged_alone.h"
#include "spec_tests/acceptance/judged.h"
#include "spec_tests/conformance/function_backend.h"

namespace assay::testing {
namespace {

// An instruction whose other results are judged both ways.
class JudgedTwice {
 public:
  JudgedTwice(const std::string& text, const std::vector<std::string_view>& arguments)
      : module_(Parsed(WithParameters(text, arguments))), values_{Values(arguments)} {}

  Verdict OnDiff(const Literal& got, const Profile& profile) const {
    FunctionBackend backend = Returning(got);
    const auto report = CompareModule(backend, *module_, values_, {.profile = profile, .limits = {}});
    REQUIRE(report);
    return report->verdict;
  }
  Verdict OnCheck(const Literal& got, const Profile& profile) const {
    FunctionBackend backend = Returning(got);
    const Result<InstructionValues> reference = EvaluateRoot(*module_, values_, {});
    REQUIRE(reference);
    return JudgeCase(backend, *module_, values_, *reference, got, profile).verdict;
  }
  void Expect(std::string_view rows) const {
    CheckVerdicts(module_->entry->root->shape, rows, [this](std::string_view value, std::string_view profile) {
      const Literal got = Value(value);
      const Verdict verdict = OnCheck(got, BuiltInProfile(profile));
      CHECK(verdict == OnDiff(got, BuiltInProfile(profile)));
      return verdict;
    });
  }

 private:
  std::unique_ptr<HloModule> module_;
  DeviceValues values_;
};

std::string FoldOf(std::string_view op, std::string_view type) {
  return fmt::format("ROOT r = {0}[] reduce(x, z), dimensions={{0}}, to_apply={1}_{0}", type, op);
}

std::string TopK(std::string_view attribute) {
  return fmt::format("ROOT r = (s8[2,2], s32[2,2]) topk(x), k=2{}", attribute);
}

const std::string kFoldOfOne = "z = f32[] constant(0) ROOT r = f32[2] reduce(x, z), dimensions={1}, to_apply=add_f32";
const std::string kDot = "ROOT r = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}";
constexpr std::string_view kRows = "x = s8[2,4] {{7, 5, 7, 7}, {1, 2, 3, 4}}";
constexpr std::string_view kDivision = "x = s8[3] {7, -128, 7}; y = s8[3] {0, -1, 2}";

TEST_CASE("one instruction has one verdict", "[conformance][acceptance]") {
  CheckRows<JudgedTwice>({
      // The bits of 1.1 x 1.3 = 1.43, rounded to f32.
      {"a dot of one product is rounded once", kDot, "x = f32[1] {x3f8ccccd}; y = f32[1] {x3fa66666}",
       "EXACT x3fb70a3d; FAIL x3fb70a3c; FAIL x3fb70a3e"},
      {"a fold of one element is that element", kFoldOfOne, "x = f32[2,1] {{x3f8ccccd}, {x3f8cccce}}",
       "FAIL {x3f8ccccd, x3f8ccccf}; FAIL {x3f8cccce, x3f8cccce}"},
      {"a subnormal element may be flushed", kFoldOfOne, "x = f32[2,1] {{x00000001}, {1}}", "LEGAL {0, 1}"},
      {"the rows of a sort are a permutation of the operand's",
       R"(less { a = f8e4m3fnuz[] parameter(0)  b = f8e4m3fnuz[] parameter(1)
  ROOT l = pred[] compare(a, b), direction=LT, type=TOTALORDER }
ENTRY e { ROOT r = f8e4m3fnuz[3] sort(x), dimensions={0}, to_apply=less })",
       "x = f8e4m3fnuz[3] {2, nan, 1}", "FAIL {1, nan, nan}"},
      // (2 + 3) - 4 is a sum of few terms in a format of four bits: no order gives 2.
      {"a result that no order of a narrow sum gives is FAIL", FoldOf("add", "f8e4m3fn"),
       "x = f8e4m3fn[3] {2, 3, -4}; z = f8e4m3fn[] 0", "FAIL 2"},
      // The specification's example of a reduction inserts the initial value three times. 3 x 2 x 3 x 5 is 90, and each
      // further 3 is lawful: a device may start more partial results than it has elements. 30 lacks the initial value.
      {"no number of initial values gives a wrong product of integers", FoldOf("multiply", "s32"),
       "x = s32[3] {2, 3, 5}; z = s32[] 3",
       "EXACT 90; SPEC-GAP 270; SPEC-GAP 2430; SPEC-GAP 7290; FAIL 91; FAIL 30; exact FAIL 270"},
      // 400 wraps to -112 in s8, 500 to -12.
      {"a sum of integers wraps", FoldOf("add", "s8"), "x = s8[3] {100, 100, 100}; z = s8[] 100",
       "EXACT -112; SPEC-GAP -12; FAIL -11"},
      {"bits are folded", FoldOf("xor", "u8"), "x = u8[3] {1, 2, 4}; z = u8[] 8", "SPEC-GAP 7; FAIL 6"},
      {"an order may be chosen for a reducer that does not commute", FoldOf("subtract", "s32"),
       "x = s32[3] {2, 3, 5}; z = s32[] 3", "SPEC-GAP 1"},
      // XLA's attribute is_stable=false leaves the indices of equal elements open.
      {"topk without a stable order may return any index of equal elements", TopK(", is_stable=false"), kRows,
       "SPEC-GAP ({{7, 7}, {4, 3}}, {{3, 0}, {3, 2}}); FAIL ({{7, 7}, {4, 3}}, {{0, 2}, {3, 1}}); "
       "FAIL ({{7, 5}, {4, 3}}, {{0, 2}, {3, 2}})"},
      {"", TopK(""), kRows, "EXACT ({{7, 7}, {4, 3}}, {{0, 2}, {3, 2}}); FAIL ({{7, 7}, {4, 3}}, {{3, 0}, {3, 2}})"},
      {"", TopK(", is_stable=true"), kRows, "FAIL ({{7, 7}, {4, 3}}, {{3, 0}, {3, 2}})"},
      // The specification: integer division overflow "produces an implementation-defined value".
      {"a division of an integer by zero is the implementation's", "ROOT r = s8[3] divide(x, y)", kDivision,
       "EXACT {-1, -128, 3}; SPEC-GAP {0, 127, 3}; FAIL {-1, -128, 4}"},
      {"", "ROOT r = s8[3] remainder(x, y)", kDivision, "SPEC-GAP {0, 1, 1}; FAIL {7, 0, 0}"},
      {"", "ROOT r = f32[1] divide(x, y)", "x = f32[1] {1}; y = f32[1] {0}", "FAIL {5}"},
  });
}

TEST_CASE("both verdicts on a narrow sum far from its bound agree", "[conformance][acceptance]") {
  const JudgedTwice sum(FoldOf("add", "f8e4m3fn"), {"x = f8e4m3fn[3] {1.125, 17, 1.125}", "z = f8e4m3fn[] 0"});
  const Literal far = Value("f8e4m3fn[] 24");
  CHECK(sum.OnDiff(far, XlaProfile()) == sum.OnCheck(far, XlaProfile()));
}

TEST_CASE("a dot of one product is rounded once, to a number with other bits", "[conformance][acceptance]") {
  const std::vector<std::string_view> arguments = {"x = f32[1] {x3f8ccccd}", "y = f32[1] {x3fa66667}"};
  const JudgedTwice dot(kDot, arguments);
  const Literal exact = Evaluated(WithParameters(kDot, arguments), Values(arguments));
  const std::uint32_t bits = exact.values<std::uint32_t>()[0];
  dot.Expect(fmt::format("FAIL x{:08x}; FAIL x{:08x}", bits - 1, bits + 1));
}

}  // namespace
}  // namespace assay::testing
