// Which freedoms a backend may use, and how far its functions may be off: the numbers are in profiles/*.json, each with
// its source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"

namespace assay {

enum class Freedom {
  kFlush,          // subnormal operands and results may count as the zero of their sign
  kReassociation,  // sums and what is made of them in any order
  kZeroSign,       // a zero may have either sign
  kNotFinite,      // nothing is said about infinities and NaNs
  kOutOfRange,     // approximations of a function may leave its range: a sine above 1
};
std::string_view FreedomName(Freedom freedom);

// How far a function may be off, in units of the last place.
struct Allowance {
  double ulp = 0;
  std::string source;
};

class Profile {
 public:
  // Reads the JSON of a profile; `place` is for error messages. A profile may extend a built-in one: what it says comes
  // on top.
  static Result<Profile> Parse(std::string_view text, const std::string& place);

  const std::string& name() const { return name_; }
  const std::string& meaning() const { return meaning_; }
  bool Allows(Freedom freedom) const { return !SourceOf(freedom).empty(); }
  // What opens the freedom; empty when it is closed.
  std::string_view SourceOf(Freedom freedom) const { return freedoms_[static_cast<int>(freedom)]; }
  // For a function of operands of a type; 0 ULP: only the correctly rounded value.
  const Allowance& AllowanceOf(std::string_view op, PrimitiveType type) const;
  // Whether an op that returns one of its operands may return either of two zeros of different signs; what says so,
  // empty where it may not.
  std::string_view SourceOfEitherZero(std::string_view op) const;
  // For functions that are asked for with result_accuracy={mode=highest}.
  const Allowance& highest() const { return highest_; }

 private:
  struct Row {
    std::string op;  // or *
    std::vector<PrimitiveType> types;
    Allowance allowance;
  };
  friend class ProfileReader;

  std::string name_;
  std::string meaning_;
  std::string freedoms_[5];
  std::vector<Row> rows_;  // the last one that fits counts
  std::vector<std::string> either_zero_ops_;
  std::string either_zero_source_;
  Allowance highest_;
};

// exact, ieee, xla, ftz, fast.
std::vector<std::string_view> BuiltInProfileNames();
// One of them; it must exist.
const Profile& BuiltInProfile(std::string_view name);
// Only the correctly rounded value.
inline const Profile& ExactProfile() { return BuiltInProfile("exact"); }
// What XLA's backends do by default.
inline const Profile& XlaProfile() { return BuiltInProfile("xla"); }

}  // namespace assay
