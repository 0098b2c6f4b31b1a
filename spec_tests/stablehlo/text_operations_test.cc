// Operations of StableHLO text in forms that the jaxlib of the tests does not print: the program is that of the generic
// form. text_forms_test.py compares the forms of all operations with jaxlib itself.
#include <fmt/format.h>

#include "spec_tests/catch.h"
#include "spec_tests/stablehlo/program_dump.h"

namespace assay::stablehlo {
namespace {

std::string DumpOrError(const std::string& text) {
  const auto program = ParseText(text);
  if (program) return DumpProgram(*program);
  return fmt::format("{}:{}: {}", program.error().location.line, program.error().location.column,
                     program.error().message);
}

// Returns a program with one operation on values of the types that the tests need.
std::string ProgramOf(std::string_view operation) {
  return fmt::format(
      "func.func @f(%a: tensor<4xf32>, %m: tensor<2x2xf32>, %s: tensor<f32>, %p: tensor<4xi1>, %c: "
      "tensor<4xcomplex<f32>>, %i: tensor<i32>, %n: tensor<4xi32>, %t: !stablehlo.token) {{\n{}\n  return\n}}\n"
      "sdy.mesh @mesh = <[\"x\"=2]>\n",
      operation);
}

struct Forms {
  std::string_view own, generic;
};
constexpr Forms kPairs[] = {
    {"%0:2 = stablehlo.custom_call @\"a b\"(%a, %i) {api_version = 1 : i32, has_side_effect = false} : (tensor<4xf32>, "
     "tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>)",
     R"(%0:2 = "stablehlo.custom_call"(%a, %i) <{call_target_name = "a b"}> : (tensor<4xf32>, tensor<i32>) ->
        (tensor<4xf32>, tensor<4xf32>))"},
    {"%0 = stablehlo.composite \"a.b\" %a {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>",
     R"(%0 = "stablehlo.composite"(%a) <{composite_attributes = {}, decomposition = @f, name = "a.b",
        version = 0 : i32}> :
        (tensor<4xf32>) -> tensor<4xf32>)"},
    {"%0, %1 = chlo.top_k(%a, k = 2, is_stable = false) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)",
     R"(%0:2 = "chlo.top_k"(%a) <{is_stable = false, k = 2 : i64}> : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>))"},
    {R"(%0:2 = chlo.scan(%a) inits (%s) dimension = 0 attributes {is_reverse = true} {
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          stablehlo.return %x, %y : tensor<f32>, tensor<f32>
        } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>))",
     R"(%0:2 = "chlo.scan"(%a, %s) <{dimension = 0 : i64, is_reverse = true,
        operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()
        }) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>))"},
    {"%0 = mhlo.add %a, %a : tensor<4xf32>",
     R"(%0 = "mhlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)"},
    {"%0 = mhlo.compare LT, %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>",
     R"(%0 = "mhlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction LT>}> :
        (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>)"},
    // The next two are from jaxlib 0.12.0.1; older ones know sums alone.
    {R"(%0 = sdy.all_reduce max {"x"} %m out_sharding=<@mesh, [{}, {}]> : tensor<2x2xf32>)",
     R"(%0 = "sdy.all_reduce"(%m) <{out_sharding = #sdy.sharding<@mesh, [{}, {}]>,
        reduction_axes = #sdy<axis_ref_list{"x"}>, reduction_op = 1 : i32}> : (tensor<2x2xf32>) -> tensor<2x2xf32>)"},
    {R"(%0 = sdy.reduce_scatter [{"x"}, {}] %m out_sharding=<@mesh, [{"x"}, {}]> : tensor<2x2xf32>)",
     R"(%0 = "sdy.reduce_scatter"(%m) <{out_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>,
        reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, reduction_op = 0 : i32}> :
        (tensor<2x2xf32>) -> tensor<2x2xf32>)"},
};

TEST_CASE("the form of an operation is the same program as its generic form") {
  for (const Forms& pair : kPairs) {
    const std::string own = DumpOrError(ProgramOf(pair.own));
    INFO(pair.own);
    CHECK(own.find("builtin.module") != std::string::npos);
    CHECK(own == DumpOrError(ProgramOf(pair.generic)));
  }
}

TEST_CASE("a program has its attributes, functions, types and locations") {
  CHECK(DumpOrError(R"(module @m attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%arg0: tensor<f32> {jax.a = true}) -> (tensor<f32> {jax.x}) {
    %0 = call @g(%arg0) : (tensor<f32>) -> tensor<f32> loc("jit(f)/g")
    return %0 : tensor<f32>
  }
  func.func private @g(tensor<f32>) -> tensor<f32>
})") == R"( = builtin.module() {mhlo.num_replicas = s32 2, sym_name = "m"} "" []
 region
  block 
    = func.func() {arg_attrs = [{jax.a = true}], function_type = (tensor f32[]) -> (tensor f32[]), )"
        R"(res_attrs = [{jax.x = unit}], sym_name = "main"} "" []
    region
     block 0: tensor f32[]
      1: tensor f32[] = func.call(0) {callee = @g} "jit(f)/g" []
       = func.return(1) {} "" []
    = func.func() {function_type = (tensor f32[]) -> (tensor f32[]), sym_name = "g", sym_visibility = "private"} "" []
    region
)");
}

TEST_CASE("an operation knows its place in the text") {
  const auto program =
      ParseText("module {\n  func.func @f() {\n    %0 = stablehlo.iota dim = 0 : tensor<2xi32>\n    return\n  }\n}");
  REQUIRE(program);
  const Operation& function = program->module.regions[0].blocks[0].operations[0];
  const Operation& iota = function.regions[0].blocks[0].operations[0];
  CHECK(function.place.line == 2);
  CHECK(iota.place.line == 3);
  CHECK(iota.place.column == 5);
}

TEST_CASE("names of values end with their region, and isolated regions see none from outside") {
  const std::string body = "%0 = stablehlo.iota dim = 0 : tensor<2xi32>\n";
  const auto nested = [&](std::string_view inside, std::string_view after) {
    return DumpOrError(
        ProgramOf(fmt::format("\"stablehlo.if\"(%q) ({{\n{}\nstablehlo.return\n}}, {{\nstablehlo.return\n}}) : "
                              "(tensor<i1>) -> ()\n{}",
                              inside, after)
                      .insert(0, "%q = stablehlo.constant dense<true> : tensor<i1>\n")));
  };
  CHECK(nested(body, body).find("builtin.module") != std::string::npos);
  CHECK(nested(body, "stablehlo.custom_call @g(%0) : (tensor<2xi32>) -> ()") ==
        "10:26: the value %0 must be defined before its use");
  CHECK(DumpOrError(ProgramOf("func.func @g() { return %a : tensor<4xf32> }")) ==
        "2:25: the value %a must be defined before its use");
  CHECK(DumpOrError(ProgramOf(body + body)) == "3:1: the value %0 is defined twice");
  CHECK(DumpOrError(ProgramOf("%0:2 = stablehlo.optimization_barrier %a, %s : tensor<4xf32>, tensor<f32>\n%1 = "
                              "stablehlo.abs %0#2 : tensor<f32>")) ==
        "3:20: the value %0 has 2 parts, found the number 2");
}

struct Failing {
  std::string_view operation, message;
};
constexpr Failing kFailing[] = {
    {"%0 = stablehlo.ad %a, %a : tensor<4xf32>",
     "2:6: there is no operation stablehlo.ad, did you mean stablehlo.add?"},
    {"%0 = \"stablehlo.exponentail\"(%a) : (tensor<4xf32>) -> tensor<4xf32>",
     "2:6: there is no operation stablehlo.exponentail, did you mean stablehlo.exponential?"},
    {"%0 = stablehlo.gather %a, %a : tensor<4xf32>",
     "2:6: stablehlo.gather has the generic form alone: expected \"stablehlo.gather\"(...)"},
    {"%0 = stablehlo.add %a, %s : tensor<4xf32>",
     "2:29: the type of an operand is not that of its value: expected tensor<f32>, found tensor<4xf32>"},
    {"%0 = \"stablehlo.add\"(%a, %a) : (tensor<4xf32>) -> tensor<4xf32>",
     "2:32: expected the types of 2 operands, found 1"},
    {"%0:2 = stablehlo.add %a, %a : tensor<4xf32>", "2:31: stablehlo.add has 1 results, but 2 before '='"},
    {"%0 = stablehlo.add %a %a : tensor<4xf32>", "2:23: expected ':', found '%a'"},
    {"%0 = stablehlo.select %p, %a, %a : tensor<4xf32>",
     "2:36: expected the types of the predicate and of the result, or the type of a function"},
    {"%0 = stablehlo.complex %a, %a : tensor<4xf32>", "2:33: expected the type of a tensor of complex numbers"},
    {"%0 = stablehlo.constant 1.0 : tensor<4xf32>",
     "2:25: a value must be a tensor: expected elements such as dense<1.0> : tensor<f32>"},
    {"%0 = stablehlo.constant 1.0 : f32",
     "2:25: a value must be a tensor: expected elements such as dense<1.0> : tensor<f32>"},
    {"%0 = stablehlo.reduce_precision %a, format = e5x10 : tensor<4xf32>",
     "2:46: expected a format such as e5m10, found 'e5x10'"},
    {"%0 = stablehlo.reduce(%a init: %s) applies stablehlo.maximun across dimensions = [0] : (tensor<4xf32>, "
     "tensor<f32>) -> tensor<f32>",
     "2:44: there is no operation stablehlo.maximun, did you mean stablehlo.maximum?"},
    {"\"stablehlo.add\"(%a, %a)[^bb0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
     "2:24: stablehlo.add cannot have successors: StableHLO has no branches"},
    {"%0 = stablehlo.iota dim = 0 {iota_dimension = 1 : i64} : tensor<2xi32>",
     "2:29: the attribute iota_dimension is given twice"},
    {"%0 = stablehlo.constant {value = 1 : i64} dense<1.0> : tensor<f32>",
     "2:6: stablehlo.constant has the attribute value twice"},
    {"%0 = stablehlo.dot_general %m, %m, contracting_dims = [1] x [0], precision : tensor<f32>",
     "2:76: expected '=', found ':'"},
    {"%0 = stablehlo.abs %a : tensor<4xf32> loc(\"f.py\":1)", "2:51: expected ':', found ')'"},
};

TEST_CASE("a wrong operation is an error that says what was expected, and where") {
  for (const Failing& failing : kFailing) {
    CHECK(DumpOrError(ProgramOf(failing.operation)) == failing.message);
  }
}

}  // namespace
}  // namespace assay::stablehlo
