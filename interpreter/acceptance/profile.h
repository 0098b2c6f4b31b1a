// Which freedoms a backend may use, and how far its functions may be off: the numbers are in profiles/*.json, each with
// its source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/freedom.h"
#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"

namespace assay {

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
  // Whether a freedom is open for an op; without one, for all ops.
  bool Allows(Freedom freedom, std::string_view op = {}) const { return !SourceOf(freedom, op).empty(); }
  // What opens it; empty when it is closed.
  std::string_view SourceOf(Freedom freedom, std::string_view op = {}) const;
  // The liberties that the freedoms permit which are open for an op; without one, for all ops.
  LawfulArithmetic ArithmeticOf(std::string_view op = {}) const;
  // Whether any freedom is open for any op.
  bool AllowsAnything() const;
  // For a function of operands of a type; 0 ULP: only the correctly rounded value.
  const Allowance& AllowanceOf(std::string_view op, PrimitiveType type) const;
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
  struct Opening {
    std::string source;            // empty: closed
    std::vector<std::string> ops;  // empty: for all
  };
  Opening freedoms_[kFreedomCount];
  std::vector<Row> rows_;  // the last one that fits counts
  Allowance highest_;
};

// The names of the built-in profiles, which are the files of profiles/.
std::vector<std::string_view> BuiltInProfileNames();
// One of them; it must exist.
const Profile& BuiltInProfile(std::string_view name);
// Only the correctly rounded value.
inline const Profile& ExactProfile() { return BuiltInProfile("exact"); }
// What XLA's backends do by default.
inline const Profile& XlaProfile() { return BuiltInProfile("xla"); }

}  // namespace assay
