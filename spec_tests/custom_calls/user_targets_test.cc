// Custom-call targets that are C functions of the user.
#include "interpreter/custom_calls/user_targets.h"

#include "interpreter/acceptance/judge.h"
#include "interpreter/builder/control.h"
#include "spec_tests/builder/built.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
using namespace xla;
namespace {

// The example of XLA, Operation Semantics: CustomCall. Its result begins with the first element.
extern "C" void myfunc(void* out, void** in) {
  float(&x)[2] = *static_cast<float(*)[2]>(in[0]);
  float(&y)[2][3] = *static_cast<float(*)[2][3]>(in[1]);
  float(&z)[3][3] = *static_cast<float(*)[3][3]>(out);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) z[i][j] = x[i % 2] + y[1][j];
  }
  z[0][0] = x[1] + y[1][0];
}

// (s8[2], (), f64[]) from (token, (f64[], s8[2])): the operand's elements in the other order.
extern "C" void swap_elements(void* out, void** in) {
  auto* const pair = static_cast<void**>(in[1]);
  auto* const results = static_cast<void**>(out);
  static_cast<signed char*>(results[0])[0] = static_cast<signed char*>(pair[1])[0];
  static_cast<signed char*>(results[0])[1] = static_cast<signed char*>(pair[1])[1];
  *static_cast<double*>(results[2]) = in[0] == nullptr ? *static_cast<double*>(pair[0]) : -1;
}

// The six s32 of an operand in memory order.
extern "C" void memory_order(void* out, void** in) {
  for (int i = 0; i < 6; ++i) static_cast<int*>(out)[i] = static_cast<int*>(in[0])[i];
}

// Doubles the first of two s32 if the operand is the result.
extern "C" void double_in_place(void* out, void** in) {
  if (out == in[0]) *static_cast<int*>(out) *= 2;
}
extern "C" void double_element_in_place(void* out, void** in) {
  auto* const result = static_cast<void**>(out)[1];
  if (result == static_cast<void**>(in[0])[0]) *static_cast<int*>(result) *= 2;
}

extern "C" void nothing(void*, void**) {}

template <class... Arguments>
void Register(std::string_view name, void (*function)(Arguments...)) {
  if (const Status status = RegisterCustomCall(name, function); !status) FAIL(status.error().message);
}

std::string Entry(const std::string& body) { return "HloModule m\nENTRY e {\n" + body + "\n}"; }

TEST_CASE("the function of the documentation's example of a custom call", "[custom_call]") {
  Register("myfunc", myfunc);
  const Literal result = Evaluated(Entry(R"(
    x = f32[2] parameter(0)  y = f32[2,3] parameter(1)
    ROOT z = f32[3,3] custom-call(x, y), custom_call_target="myfunc")"),
                                   Values({"f32[2] {1, 2}", "f32[2,3] {{10, 20, 30}, {40, 50, 60}}"}));
  CHECK(result.BitwiseEqual(Value("f32[3,3] {{42, 51, 61}, {42, 52, 62}, {41, 51, 61}}")));
}

TEST_CASE("the same from the builder", "[custom_call]") {
  Register(
      "sum_of_firsts", +[](void* out, void** in) {
        *static_cast<float*>(out) = static_cast<float*>(in[0])[0] + static_cast<float*>(in[1])[0];
      });
  XlaBuilder builder("custom_call");
  const XlaOp x = Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {2}), "x");
  const XlaOp y = Parameter(&builder, 1, ShapeUtil::MakeShape(F32, {2, 3}), "y");
  CustomCall(&builder, "sum_of_firsts", {x, y}, ShapeUtil::MakeShape(F32, {}));
  CHECK(
      Run(builder, Values({"f32[2] {1, 2}", "f32[2,3] {{10, 20, 30}, {40, 50, 60}}"})).BitwiseEqual(Value("f32[] 11")));
}

TEST_CASE("tuples are arrays of pointers, tokens null", "[custom_call]") {
  Register("swap_elements", swap_elements);
  const Literal result = Evaluated(Entry(R"(
    a = f64[] parameter(0)  b = s8[2] parameter(1)  pair = (f64[], s8[2]) tuple(a, b)  none = token[] after-all()
    ROOT r = (s8[2], (), f64[]) custom-call(none, pair), custom_call_target="swap_elements")"),
                                   Values({"f64[] 2.5", "s8[2] {3, -4}"}));
  CHECK(result.BitwiseEqual(Value("(s8[2], (), f64[]) ({3, -4}, (), 2.5)")));
}

TEST_CASE("arrays lie in the order of their layouts", "[custom_call]") {
  Register("memory_order", memory_order);
  const auto run = [](const std::string& parameter, const std::string& call) {
    return Evaluated(Entry("x = " + parameter + " parameter(0)\nROOT r = " + call),
                     {Value("s32[2,3] {{1,2,3},{4,5,6}}")});
  };
  const Literal column_major = Value("s32[6] {1, 4, 2, 5, 3, 6}");
  const std::string target = R"(, custom_call_target="memory_order")";
  CHECK(run("s32[2,3]", "s32[6] custom-call(x)" + target).BitwiseEqual(Value("s32[6] {1, 2, 3, 4, 5, 6}")));
  CHECK(run("s32[2,3]{0,1}", "s32[6] custom-call(x)" + target).BitwiseEqual(column_major));
  // The function sees the layout of the constraint, whatever the operand's own layout is.
  CHECK(run("s32[2,3]{1,0}", "s32[6] custom-call(x), operand_layout_constraints={s32[2,3]{0,1}}" + target)
            .BitwiseEqual(column_major));
  // The bytes 1, 2, ... 6, read column by column into two rows.
  CHECK(
      run("s32[2,3]", "s32[2,3]{0,1} custom-call(x)" + target).BitwiseEqual(Value("s32[2,3] {{1, 3, 5}, {2, 4, 6}}")));
}

TEST_CASE("aliases share memory, and leave the operand's value alone", "[custom_call]") {
  Register("double_in_place", double_in_place);
  Register("double_element_in_place", double_element_in_place);
  const Literal whole = Evaluated(Entry(R"(
    x = s32[2] parameter(0)
    r = s32[2] custom-call(x), custom_call_target="double_in_place", output_to_operand_aliasing={{}: (0, {})}
    ROOT both = (s32[2], s32[2]) tuple(x, r))"),
                                  Values({"s32[2] {5, 7}"}));
  CHECK(whole.BitwiseEqual(Value("(s32[2], s32[2]) ({5, 7}, {10, 7})")));
  const Literal element = Evaluated(Entry(R"(
    x = s32[2] parameter(0)  t = (s32[2]) tuple(x)
    ROOT r = (f32[], s32[2]) custom-call(t), custom_call_target="double_element_in_place",
      output_to_operand_aliasing={{1}: (0, {0})})"),
                                    Values({"s32[2] {5, 7}"}));
  CHECK(element.BitwiseEqual(Value("(f32[], s32[2]) (0, {10, 7})")));
}

TEST_CASE("targets that cannot be registered are errors", "[custom_call]") {
  Register("nothing", nothing);
  CHECK(RegisterCustomCall("nothing", nothing).error().message ==
        "the custom-call target nothing is registered already");
  CHECK(RegisterCustomCall("Sharding", nothing).error().message == "the custom-call target Sharding is built in");
  CHECK(RegisterCustomCall("", nothing).error().code == ErrorCode::kUsage);
  CHECK(RegisterCustomCall("null", CustomCallFunction()).error().code == ErrorCode::kUsage);
}

TEST_CASE("an unknown target is named, and legal", "[custom_call]") {
  const Error error = WhyNot(Entry(R"(ROOT r = f32[] custom-call(), custom_call_target="nobody")"), {});
  CHECK(error.code == ErrorCode::kUnsupported);
  CHECK(error.message.find("the target \"nobody\" is unknown: neither built in nor registered") != std::string::npos);
  CHECK(error.location.line == 3);
}

TEST_CASE("a call of a Python function says what to do", "[custom_call]") {
  for (const std::string target : {"xla_ffi_python_cpu_callback", "xla_python_cpu_callback",
                                   "xla_ffi_partitioned_python_cpu_callback", "xla_ffi_python_gpu_callback"}) {
    const Error error = WhyNot(Entry("ROOT r = f32[] custom-call(), custom_call_target=\"" + target + "\""), {});
    CHECK(error.code == ErrorCode::kUnsupported);
    CHECK(error.message.find("the program calls back to Python (" + target + ")") != std::string::npos);
    CHECK(error.message.find("JAX_PLATFORMS=assay") != std::string::npos);
  }
}

TEST_CASE("a call of a Python function that is not executed is no error", "[custom_call]") {
  const std::string module = R"(HloModule m
    good { ROOT p = f32[] parameter(0) }
    bad { q = f32[] parameter(0)  ROOT c = f32[] custom-call(q), custom_call_target="xla_ffi_python_cpu_callback" }
    ENTRY e { i = s32[] parameter(0)  x = f32[] parameter(1)
      ROOT r = f32[] conditional(i, x, x), branch_computations={good, bad} })";
  CHECK(Evaluated(module, Values({"s32[] 0", "f32[] 3"})).BitwiseEqual(Values({"f32[] 3"})[0]));
  CHECK(WhyNot(module, Values({"s32[] 1", "f32[] 3"})).code == ErrorCode::kUnsupported);
}

TEST_CASE("calls that a user's target does not support are errors", "[custom_call]") {
  Register("fixed", nothing);
  const Error typed = WhyNot(
      Entry(R"(ROOT r = f32[] custom-call(), custom_call_target="fixed", api_version=API_VERSION_TYPED_FFI)"), {});
  CHECK(typed.code == ErrorCode::kUnsupported);
  CHECK(typed.message.find("fixed is called by API_VERSION_TYPED_FFI, which a user's target is not") !=
        std::string::npos);
  const Error dynamic = WhyNot(Entry(R"(
    x = f32[4] parameter(0)  n = s32[] parameter(1)  d = f32[<=4] set-dimension-size(x, n), dimensions={0}
    ROOT r = f32[] custom-call(d), custom_call_target="fixed")"),
                               Values({"f32[4] {1, 2, 3, 4}", "s32[] 2"}));
  CHECK(dynamic.message.find("fixed: a user's target takes and returns values of fixed size") != std::string::npos);
}

TEST_CASE("targets that return a status", "[custom_call]") {
  Register(
      "half", +[](void* out, void** in, XlaCustomCallStatus* status) {
        const int operand = *static_cast<int*>(in[0]);
        *static_cast<int*>(out) = operand / 2;
        const std::string_view message = "odd\n";
        if (operand % 2 != 0) XlaCustomCallStatusSetFailure(status, message.data(), 3);
        if (operand == 1) XlaCustomCallStatusSetSuccess(status);
      });
  Register(
      "opaque_length", +[](void* out, void**, const char* opaque, std::size_t length, XlaCustomCallStatus* status) {
        *static_cast<int*>(out) = static_cast<int>(length);
        if (length > 0 && opaque[0] == '!') XlaCustomCallStatusSetFailure(status, opaque, length);
      });
  const std::string half = Entry(R"(
    x = s32[] parameter(0)
    ROOT r = s32[] custom-call(x), custom_call_target="half", api_version=API_VERSION_STATUS_RETURNING)");
  CHECK(Evaluated(half, Values({"s32[] 6"})).IntegerAt(0) == 3);
  CHECK(Evaluated(half, Values({"s32[] 1"})).IntegerAt(0) == 0);
  const Error error = WhyNot(half, Values({"s32[] 7"}));
  CHECK(error.code == ErrorCode::kInput);
  CHECK(error.message == "custom-call: half has failed: odd");
  CHECK(error.location.line == 5);
  const auto unified = [](const std::string& config) {
    return Entry(R"(ROOT r = s32[] custom-call(), custom_call_target="opaque_length",
      api_version=API_VERSION_STATUS_RETURNING_UNIFIED)" +
                 config);
  };
  CHECK(Evaluated(unified(""), {}).IntegerAt(0) == 0);
  CHECK(Evaluated(unified(R"(, backend_config="a\"\n\000b")"), {}).IntegerAt(0) == 5);
  CHECK(WhyNot(unified(R"(, backend_config="!no")"), {}).message == "custom-call: opaque_length has failed: !no");
}

TEST_CASE("a dead call runs when it has a side effect", "[custom_call]") {
  static int runs;
  runs = 0;
  Register(
      "count_runs", +[](void*, void**) { ++runs; });
  const auto module = [](const std::string& flag) {
    return Entry("c = f32[] custom-call(), custom_call_target=\"count_runs\"" + flag + "\nROOT x = f32[] parameter(0)");
  };
  Evaluated(module(""), Values({"f32[] 1"}));
  CHECK(runs == 0);
  Evaluated(module(", custom_call_has_side_effect=true"), Values({"f32[] 1"}));
  CHECK(runs == 1);
}

TEST_CASE("placement targets return their operand", "[custom_call]") {
  const auto text = [](const std::string& target, const std::string& result) {
    return Entry("x = f32[2,2] parameter(0)\nROOT r = " + result + " custom-call(x), custom_call_target=\"" + target +
                 "\"");
  };
  const Literal x = Value("f32[2,2] {{1, nan}, {-0, 4}}");
  for (const char* target : {"Sharding", "annotate_device_placement", "LayoutConstraint", "MoveToHost", "MoveToDevice",
                             "SPMDFullToShardShape", "SPMDShardToFullShape"}) {
    CHECK(Evaluated(text(target, "f32[2,2]{0,1}"), {x}).BitwiseEqual(x));
  }
  CHECK(WhyNot(text("Sharding", "f32[4]"), {x}).code == ErrorCode::kIllegal);
  const Error partitioned = WhyNot(text("SPMDFullToShardShape", "f32[1,2]"), {x});
  CHECK(partitioned.code == ErrorCode::kUnsupported);
  CHECK(partitioned.message.find("SPMDFullToShardShape needs the mesh and the shardings of its module") !=
        std::string::npos);
}

TEST_CASE("placement targets keep run-time sizes", "[custom_call]") {
  const Literal result = Evaluated(Entry(R"(
    x = s32[4] parameter(0)  n = s32[] parameter(1)  d = s32[<=4] set-dimension-size(x, n), dimensions={0}
    s = s32[<=4] custom-call(d), custom_call_target="Sharding"
    size = s32[] get-dimension-size(s), dimensions={0}
    ROOT r = (s32[<=4], s32[]) tuple(s, size))"),
                                   Values({"s32[4] {1, 2, 3, 4}", "s32[] 2"}));
  CHECK(result.elements()[0].dynamic_size(0) == 2);
  CHECK(result.elements()[1].IntegerAt(0) == 2);
  CHECK(result.elements()[0].values<std::int32_t>()[1] == 2);
}

TEST_CASE("a user's target has one result", "[custom_call]") {
  Register(
      "answer", +[](void* out, void**) { *static_cast<float*>(out) = 42; });
  const auto module = Parsed(Entry(R"(ROOT r = f32[] custom-call(), custom_call_target="answer")"));
  const Literal want = Evaluated(*module, {});
  const HloInstruction& call = *module->entry->root;
  CHECK(JudgeInstruction(call, std::span<const Literal>(), want, Value("f32[] 42"), XlaProfile()).verdict ==
        Verdict::kExact);
  CHECK(JudgeInstruction(call, std::span<const Literal>(), want, Value("f32[] 41.999996"), XlaProfile()).verdict ==
        Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
