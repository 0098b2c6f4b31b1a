// Parses text and returns the verifier's errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/catch.h"

namespace assay::testing {

inline std::vector<Error> ErrorsOf(std::string_view text) {
  const auto module = ParseHloModule(text);
  if (!module.has_value()) FAIL("does not parse: " << module.error().message);
  return FindIllegal(**module);
}

// Returns the one error of a module that violates one rule.
inline Error OneError(std::string_view text) {
  std::vector<Error> errors = ErrorsOf(text);
  for (const Error& error : errors) UNSCOPED_INFO(error.message);
  REQUIRE(errors.size() == 1);
  return errors[0];
}

// Returns its message. The rule must be one of the operation set.
inline std::string WhyIllegal(std::string_view text) {
  const Error error = OneError(text);
  CHECK(error.code == ErrorCode::kIllegal);
  return error.message;
}

inline bool IsLegal(std::string_view text) {
  const std::vector<Error> errors = ErrorsOf(text);
  for (const Error& error : errors) UNSCOPED_INFO(error.message);
  return errors.empty();
}

// Returns a module with `instructions` as the body of the entry, and a sum of two f32 numbers, `sum`.
inline std::string Module(std::string_view instructions, std::string_view header = "") {
  return "HloModule m" + std::string(header) + R"(
sum {
  sum.a = f32[] parameter(0)
  sum.b = f32[] parameter(1)
  ROOT sum.add = f32[] add(sum.a, sum.b)
}
ENTRY entry {
)" + std::string(instructions) +
         "\n}\n";
}

}  // namespace assay::testing
