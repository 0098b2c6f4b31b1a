// An instruction with its exact result, and judgements of other results.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/numbers_in_rows.h"

namespace assay::testing {

// Checks rows "VERDICT VALUE" or "PROFILE VERDICT VALUE", with a semicolon between two: the verdict on a value of this
// shape under the profile, or else under xla. "off N" is the value N steps of its format away, "at I NUMBER" the value
// with another number at component I, and "at E.I NUMBER" with one in element E of a tuple.
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
    const bool has_shape = value.starts_with("off ") || value.starts_with("at ") || value.find('[') != value.npos;
    const std::string text = has_shape ? "" : shape.ToStringWithoutLayout() + " ";
    CHECK(VerdictName(verdict_on(text + std::string(value), profile)) == verdict);
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
      if (value.starts_with("at ")) return At(value.substr(3), BuiltInProfile(profile));
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
    return Changed(
               element, at, [value](float) { return value; }, profile)
        .verdict;
  }
  // Judges the result after a change of the component.
  template <class Change>
  Judgement Changed(std::optional<std::size_t> element, std::size_t at, const Change& change,
                    const Profile& profile = XlaProfile()) const {
    Literal got = want_;
    Literal& array = element && got.shape().IsTuple() ? got.mutable_elements()[*element] : got;
    float value = 0;
    std::memcpy(&value, array.data() + at * sizeof value, sizeof value);
    value = change(value);
    std::memcpy(array.mutable_data() + at * sizeof value, &value, sizeof value);
    return Of(got, profile);
  }
  // Returns the verdict if the result is some steps of its format away.
  Verdict Off(std::int32_t steps, const Profile& profile = XlaProfile()) const {
    std::int32_t bits = 0;
    std::memcpy(&bits, want_.data(), sizeof bits);
    return With(0, std::bit_cast<float>(bits + steps), profile);
  }

 private:
  // Returns the verdict on a change "I NUMBER" or "E.I NUMBER". The number is one of C, or a sum such as 1+3u or
  // 2-5ulp: u is 2^-24, the unit roundoff of f32, and ulp is 2^-23.
  Verdict At(const std::string& change, const Profile& profile) const {
    std::string_view text = change;
    const auto take_index = [&] {
      std::size_t index = 0;
      text.remove_prefix(std::from_chars(text.data(), text.data() + text.size(), index).ptr - text.data());
      return index;
    };
    std::size_t place = take_index();
    std::optional<std::size_t> element;
    if (text.starts_with('.')) {
      element = place;
      text.remove_prefix(1);
      place = take_index();
    }
    auto number = TakeNumber<float>(text);
    if (!text.empty()) {
      const auto count = TakeNumber<float>(text);
      number += count * (text == "ulp" ? 0x1p-23F : 0x1p-24F);
    }
    return WithPart(element, place, number, profile);
  }

  std::unique_ptr<HloModule> module_;
  std::vector<Literal> operands_;
  Literal want_;
};

// A program or an instruction as the root of an entry, its arguments with a semicolon between two, and the verdicts on
// results as Expect takes them. A row without a name is about the same as the one before it.
struct VerdictRow {
  std::string_view name;
  std::string text;
  std::string_view arguments, verdicts;
};

template <class Subject>
void CheckRows(const std::vector<VerdictRow>& rows) {
  for (const auto& [name, text, arguments, verdicts] : rows) {
    INFO(name << ": " << text);
    std::vector<std::string_view> values;
    for (std::size_t start = 0, end = 0; end != arguments.npos; start = end + 2) {
      end = arguments.find("; ", start);
      values.push_back(arguments.substr(start, end - start));
    }
    Subject(text, values).Expect(verdicts);
  }
}

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
