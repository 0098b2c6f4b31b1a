// The instructions in loops of the backend simd, as a replayed program and on the evaluator.
#include "spec_tests/backends/simd_loops.h"

namespace assay::simd {
namespace {

TEST_CASE("a loop's element-wise ops have the evaluator's bits, for every type and remainder") {
  for (const std::string type : {"f32", "f64", "bf16", "f16", "s32", "u32", "s64", "u64", "s8", "u8", "s16"}) {
    for (const std::string dimensions : {"", "1", "3", "8", "16", "5,7", "64"}) {
      const std::string shape = fmt::format("{}[{}]", type, dimensions);
      for (const std::string op :
           {"add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder", "power"}) {
        CheckProgram({shape, shape}, fmt::format("  n0 = {0} {1}(x0, x1)\n  n1 = {0} copy(x0)\n", shape, op), 3);
      }
      for (const std::string direction : {"EQ", "NE", "LT", "LE", "GT", "GE", "LT, type=TOTALORDER"}) {
        if (direction.size() > 2 && type[0] != 'f') continue;
        CheckProgram({shape, shape},
                     fmt::format("  c = pred[{1}] compare(x0, x1), direction={2}\n"
                                 "  n0 = {0} select(c, x1, x0)\n  n1 = {0} add(x1, n0)\n",
                                 shape, dimensions, direction),
                     3);
      }
    }
  }
  for (const std::string op :
       {"exponential", "tanh", "sqrt", "floor", "sine", "negate", "abs", "is-finite", "logistic"}) {
    for (const std::string type : {"f32", "f64", "bf16"}) {
      const bool is_test = op == "is-finite";
      CheckProgram({fmt::format("{}[9]", type)},
                   fmt::format("  r = {1}[9] {0}(x0)\n  n0 = {2}[9] {3}(r)\n", op, is_test ? "pred" : type, type,
                               is_test ? "convert" : "copy"));
    }
  }
  CheckProgram({"c64[5]", "c128[3]", "pred[9]"},
               "  n0 = c64[5] multiply(x0, x0)\n  n1 = c128[3] sine(x1)\n  n2 = pred[9] not(x2)\n");
}

TEST_CASE("a loop's conversions and scalar operands have the evaluator's bits") {
  const std::vector<std::string> types = {"f32", "f64", "bf16", "f16", "s32", "u32", "s64", "s8", "u8", "pred", "s4"};
  for (const std::string& from : types) {
    for (const std::string& to : types) {
      for (const std::string dimensions : {"", "11"}) {
        CheckProgram({fmt::format("{}[{}]", from, dimensions), fmt::format("{}[{}]", to, dimensions)},
                     fmt::format("  n1 = {1}[{2}] convert(x0)\n  n0 = {0}[{2}] convert(x1)\n", from, to, dimensions),
                     2);
      }
    }
  }
  CheckProgram(
      {"f32[7]", "f32[]", "f32[]", "pred[]"},
      "  n0 = f32[7] clamp(x1, x0, x2)\n  n1 = f32[] negate(x1)\n  n2 = f32[] add(x1, x2)\n  n3 = pred[] not(x3)\n");
  CheckProgram({"f32[7]", "f32[7]", "pred[]"},
               "  n0 = f32[7] select(x2, x0, x1)\n  n1 = f32[7] negate(x0)\n  n2 = pred[] not(x2)\n");
}

TEST_CASE("a loop's movements have the evaluator's bits") {
  CheckProgram({"f32[3,4]", "f32[4]"},
               R"(  b = f32[3,4] broadcast(x1), dimensions={1}
  s = f32[3,4] add(x0, b)  q = f32[4,3] transpose(s), dimensions={1,0}
  r = f32[3,4] reshape(q)  n0 = f32[3,4] reverse(r), dimensions={0,1}
  c = f32[1,2] slice(n0), slice={[1:2], [0:3:2]}
  d = f32[2] reshape(c)  e = f32[2] slice(x1), slice={[2:4]}
  n1 = f32[4] concatenate(d, e), dimensions={0})");
  // Start indices of several types, in and out of bounds, and as one vector.
  CheckProgram({"f32[9]", "u8[]", "s64[]"}, R"(  a = f32[3] dynamic-slice(x0, x1), dynamic_slice_sizes={3}
  b = f32[2] dynamic-slice(x0, x2), dynamic_slice_sizes={2}
  u = f32[9] dynamic-update-slice(x0, a, x2)  n0 = f32[9] dynamic-update-slice(u, b, x1)  c = u8[] constant(3)
  n1 = u8[] add(x1, c)  n2 = s64[] negate(x2))");
  CheckProgram({"f32[4,6]", "u64[]", "s32[2]"}, R"(  a = f32[2,2] dynamic-slice(x0, x2), dynamic_slice_sizes={2,2}
  n0 = f32[4,6] dynamic-update-slice(x0, a, x1, x1)  c = u64[] constant(18446744073709551000)  n1 = u64[] add(x1, c)
  d = s32[] constant(5)  ds = s32[2] broadcast(i), dimensions={}
  n2 = s32[2] add(x2, ds))");
}

TEST_CASE("ops of whole values within a loop run as in the evaluator") {
  CheckProgram({"f32[1,16]", "f32[16,16]"},
               R"(  d = f32[1,16] dot(x0, x1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  h = f32[1,16] tanh(d)  z = f32[] constant(0)  s = f32[1] reduce(h, z), dimensions={1}, to_apply=add_f32
  b = f32[1,16] broadcast(s), dimensions={0}
  n0 = f32[1,16] add(h, b)  n1 = f32[16,16] copy(x1))");
  for (const std::string type : {"f32", "f64", "s32", "u32", "bf16", "s8"}) {
    // Products of matrices as they are, transposed, and in a batch; reductions of rows, columns and both ends.
    CheckProgram(
        {type + "[3,5]", type + "[5,3]", type + "[2,3,4]"},
        fmt::format(R"(  d = {0}[3,3] dot(x0, x1), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  n1 = {0}[5,3] dot(x0, d), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}
  e = {0}[2,4,4] dot(x2, x2), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{1}},
    rhs_contracting_dims={{1}}
  z = {0}[] constant(1)  r = {0}[3] reduce(x0, z), dimensions={{1}}, to_apply=fold
  c = {0}[5] reduce(x0, z), dimensions={{0}}, to_apply=fold
  b = {0}[4] reduce(e, z), dimensions={{0,2}}, to_apply=fold
  q = {0}[3,5] broadcast(r), dimensions={{0}}
  p5 = {0}[3,5] broadcast(c), dimensions={{1}}
  n0 = {0}[3,5] subtract(q, p5)  n2 = {0}[2,3,4] broadcast(b), dimensions={{2}})",
                    type),
        5, fmt::format("fold {{ a = {0}[] parameter(0) b = {0}[] parameter(1) ROOT r = {0}[] add(b, a) }}", type));
  }
  CheckProgram({"f32[12]", "s32[12]"},
               R"(  s = (f32[12], s32[12]) sort(x0, x1), dimensions={0}, to_apply=less, is_stable=true
  n1 = s32[12] get-tuple-element(s), index=1
  v = f32[12] get-tuple-element(s), index=0
  k = s32[12] iota(), iota_dimension=0
  f = f32[12] convert(k)  n0 = f32[12] subtract(f, v))",
               7,
               "less { a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3) "
               "ROOT r = pred[] compare(a, b), direction=LT }");
  CheckProgram({"f32[8]"}, R"(  three = s32[] constant(3)  is.late = pred[] compare(i, three), direction=GT
  n0 = f32[8] conditional(is.late, x0, x0), true_computation=twice, false_computation=none)",
               7, "twice { a = f32[8] parameter(0) ROOT r = f32[8] add(a, a) }\nnone { ROOT a = f32[8] parameter(0) }");
  // A large array that stays is an operand as it is.
  CheckProgram({"f32[100,100]", "f32[100]"}, R"(  n0 = f32[100,100] copy(x0)
  d = f32[100] dot(x1, x0), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  n1 = f32[100] tanh(d))");
}

}  // namespace
}  // namespace assay::simd
