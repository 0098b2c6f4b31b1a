// An instruction with its exact result, and judgements of other results.
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {

// An instruction as the root of an entry whose parameters are its operands, with the exact result.
class Judged {
 public:
  Judged(const std::string& text, const std::vector<std::string_view>& operands)
      : module_(Parsed(text)), operands_(Values(operands)), want_(Evaluated(*module_, operands_)) {}

  const Literal& want() const { return want_; }
  Judgement Of(const Literal& got, const Profile& profile = XlaProfile()) const {
    return JudgeInstruction(*module_->entry->root, operands_, want_, got, profile);
  }
  Judgement Of(std::string_view got, const Profile& profile = XlaProfile()) const { return Of(Value(got), profile); }
  Verdict Is(std::string_view got, const Profile& profile = XlaProfile()) const { return Of(got, profile).verdict; }

  // Returns the verdict if component `at` of the f32 (or c64) result has another value.
  Verdict With(std::size_t at, float value, const Profile& profile = XlaProfile()) const {
    return WithPart({}, at, value, profile);
  }
  // Does the same in one element of a tuple.
  Verdict WithPart(std::optional<std::size_t> element, std::size_t at, float value,
                   const Profile& profile = XlaProfile()) const {
    Literal got = want_;
    Literal& array = element ? got.mutable_elements()[*element] : got;
    std::memcpy(array.mutable_data() + at * sizeof value, &value, sizeof value);
    return Of(got, profile).verdict;
  }
  // Returns the verdict if the result is some steps of its format away.
  Verdict Off(std::int32_t steps, const Profile& profile = XlaProfile()) const {
    std::int32_t bits = 0;
    std::memcpy(&bits, want_.data(), sizeof bits);
    return With(0, std::bit_cast<float>(bits + steps), profile);
  }

 private:
  std::unique_ptr<HloModule> module_;
  std::vector<Literal> operands_;
  Literal want_;
};

inline std::string Entry(const std::string& instructions) {
  return "HloModule m\nENTRY e {\n" + instructions + "\n}\n";
}

inline Judged Unary(const std::string& opcode, const std::string& shape, std::string_view operand) {
  return Judged(Entry("a = " + shape + " parameter(0)\nROOT r = " + shape + " " + opcode + "(a)"), {operand});
}

inline Judged Binary(const std::string& opcode, const std::string& shape, std::string_view a, std::string_view b) {
  return Judged(Entry("a = " + shape + " parameter(0)\nb = " + shape + " parameter(1)\nROOT r = " + shape + " " +
                      opcode + "(a, b)"),
                {a, b});
}

inline Judged Dot(const std::string& type, int n, std::string_view a, std::string_view b) {
  const std::string shape = type + "[" + std::to_string(n) + "]";
  return Judged(Entry("a = " + shape + " parameter(0)\nb = " + shape + " parameter(1)\nROOT r = " + type +
                      "[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
                {a, b});
}

}  // namespace assay::testing
