// Custom calls as text, for the tests of library calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec_tests/acceptance/judged.h"

namespace assay::testing {

struct Call {
  std::string target;
  std::string result;
  std::vector<std::string_view> operands;  // for example "f32[2] {1, 2}"
  std::string config = {};                 // the backend_config; empty: none
  std::string attributes = {};             // further attributes: ", name=value"
};

// Returns the text of a module of the call alone.
std::string Text(const Call& call);

// A call with its exact result, and judgements of other results.
class JudgedCall : public Judged {
 public:
  JudgedCall(const std::string& text, const std::vector<std::string_view>& operands) : Judged(text, operands) {}
  explicit JudgedCall(const Call& call) : Judged(Text(call), call.operands) {}

  // True if result i is this.
  bool Gives(std::size_t i, std::string_view wanted) const {
    return (want().shape().IsTuple() ? want().elements()[i] : want()).BitwiseEqual(Value(wanted));
  }
};

// Returns the configuration of a matrix product with these fields.
std::string Gemm(std::string_view fields, std::string_view contracting = R"("1"],"rhs_contracting_dimensions":["0")");
// Returns attention of one query with two keys whose scores are 0 and whose values are 2 and 6.
Call Attention(std::string_view fields, std::vector<std::string_view> lengths = {});

}  // namespace assay::testing
