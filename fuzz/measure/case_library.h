// The cases of a corpus with the reference's results, and random ones like them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/golden.h"

namespace assay {

// A module with its inputs and the reference's result.
struct JudgedCase {
  std::string name;
  std::shared_ptr<const HloModule> module;
  DeviceValues arguments;
  std::vector<Literal> root_operands;  // of all devices, concatenated
  Literal want;
};

// The cases of a corpus by the ops that they execute, including called computations.
class CaseLibrary {
 public:
  static Result<CaseLibrary> Read(const std::string& corpus);
  const std::vector<JudgedCase>& cases() const { return cases_; }
  // Returns the cases of an op, the smallest first.
  std::vector<const JudgedCase*> OfBySize(std::string_view op) const;

 private:
  std::vector<JudgedCase> cases_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_op_;
};

// Returns `count` random instructions of an op; fewer if the op cannot be drawn.
std::vector<JudgedCase> RandomCases(std::string_view op, std::int64_t count, std::uint64_t seed);

}  // namespace assay
