// An instruction with its exact result, and judgements of other results.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {

// Checks rows "VERDICT VALUE" or "PROFILE VERDICT VALUE", with a semicolon between two: the verdict on a value of this
// shape under the profile, or else under xla. "off N" is the value N steps of its format away.
template <class VerdictOn>
void CheckVerdicts(const Shape& shape, std::string_view rows, const VerdictOn& verdict_on) {
  const auto next = [](std::string_view& text, std::string_view separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + separator.size(), text.size()));
    return word;
  };
  while (!rows.empty()) {
    std::string_view value = next(rows, "; ");
    INFO(value);
    std::string_view verdict = next(value, " ");
    const std::string_view profile = FindVerdict(verdict) ? "xla" : std::exchange(verdict, next(value, " "));
    const std::string text = shape.IsTuple() ? "" : shape.ToStringWithoutLayout() + " ";
    CHECK(VerdictName(verdict_on(value.starts_with("off ") ? std::string(value) : text + std::string(value),
                                 profile)) == verdict);
  }
}

// An instruction as the root of an entry whose parameters are its operands, with the exact result.
class Judged {
 public:
  Judged(const std::string& text, const std::vector<std::string_view>& operands)
      : module_(Parsed(WithParameters(text, operands))),
        operands_(Values(operands)),
        want_(Evaluated(*module_, operands_)) {}

  const Literal& want() const { return want_; }
  Judgement Of(const Literal& got, const Profile& profile = XlaProfile()) const {
    return JudgeInstruction(*module_->entry->root, operands_, want_, got, profile);
  }
  Judgement Of(std::string_view got, const Profile& profile = XlaProfile()) const { return Of(Value(got), profile); }
  Verdict Is(std::string_view got, const Profile& profile = XlaProfile()) const { return Of(got, profile).verdict; }

  void Expect(std::string_view rows) const {
    CheckVerdicts(want_.shape(), rows, [this](const std::string& value, std::string_view profile) {
      if (value.starts_with("off ")) return Off(std::stoi(value.substr(4)), BuiltInProfile(profile));
      return Is(value, BuiltInProfile(profile));
    });
  }

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
  return Judged("a = " + shape + " parameter(0)\nROOT r = " + shape + " " + opcode + "(a)", {operand});
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
