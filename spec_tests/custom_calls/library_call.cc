#include "spec_tests/custom_calls/library_call.h"

namespace assay::testing {

std::string Text(const Call& call) {
  std::string parameters, names;
  const std::vector<Literal> operands = Values(call.operands);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    parameters += fmt::format("  a{} = {} parameter({})\n", i, operands[i].shape().ToString(), i);
    names += fmt::format("{}a{}", i == 0 ? "" : ", ", i);
  }
  return fmt::format("HloModule m\nENTRY e {{\n{}  ROOT r = {} custom-call({}){}, custom_call_target=\"{}\"{}\n}}\n",
                     parameters, call.result, names, call.attributes, call.target,
                     call.config.empty() ? "" : ", backend_config=" + call.config);
}

std::string Gemm(std::string_view fields, std::string_view contracting) {
  return fmt::format(
      R"({{"gemm_backend_config":{{"dot_dimension_numbers":{{"lhs_contracting_dimensions":[{}]}},{}}}}})", contracting,
      fields);
}

namespace {

constexpr std::string_view kHeadsFirst =
    R"("fmha_scale":1,"bmm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"],)"
    R"("rhs_contracting_dimensions":["3"],"lhs_batch_dimensions":["0","1"],"rhs_batch_dimensions":["0","1"]},)"
    R"("bmm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"],"rhs_contracting_dimensions":["2"],)"
    R"("lhs_batch_dimensions":["0","1"],"rhs_batch_dimensions":["0","1"]})";

}  // namespace

Call Attention(std::string_view fields, std::vector<std::string_view> lengths) {
  std::vector<std::string_view> operands = {"f32[1,1,1,1] {{{{0}}}}", "f32[1,1,2,1] {{{{1}, {2}}}}",
                                            "f32[1,1,2,1] {{{{2}, {6}}}}"};
  operands.insert(operands.end(), lengths.begin(), lengths.end());
  return {"__cudnn$fmhaSoftmax", "(f32[1,1,1,1], f32[1,1,1], u8[0])", operands,
          fmt::format(R"({{"cudnn_fmha_backend_config":{{{},{}}}}})", kHeadsFirst, fields)};
}

}  // namespace assay::testing
