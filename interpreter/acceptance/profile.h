// The freedoms that a backend may use, and the allowed errors of its functions. The numbers are in profiles/*.json,
// each with its source.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/sum_algorithm.h"
#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

struct HloInstruction;

// The allowed error of a function, in units of the last place.
struct Allowance {
  double ulp = 0;
  std::string source;
  // Units in addition for each unit of |ln y|, y the exact result. An exponential that multiplies its operand by log2 e
  // first has an error that grows with the operand. Only of real functions.
  double ulp_per_log = 0;

  // Returns the units for an exact result; those for the least normal number of f64 for zeros and infinities.
  double UlpAt(double exact) const {
    if (ulp_per_log == 0) return ulp;
    const double log = std::log(std::fabs(exact));
    return ulp + ulp_per_log * (std::isfinite(log) ? std::fabs(log) : 709);
  }
};

class Profile {
 public:
  // Reads the JSON of a profile; `place` is for error messages. A profile may extend a built-in one: its own entries
  // override those of the built-in one.
  static Result<Profile> Parse(std::string_view text, const std::string& place);

  const std::string& name() const { return name_; }
  const std::string& meaning() const { return meaning_; }
  // True if a freedom is open for an op, or for all ops if `op` is empty.
  bool Allows(Freedom freedom, std::string_view op = {}) const { return !SourceOf(freedom, op).empty(); }
  // Returns the source that opens a freedom; empty if it is closed.
  std::string_view SourceOf(Freedom freedom, std::string_view op = {}) const;
  // Returns the liberties of the freedoms that are open for an op, or for all ops if `op` is empty.
  LawfulArithmetic ArithmeticOf(std::string_view op = {}) const;
  // Returns the profile for what a partitioner makes of a module: of a sum of products it makes a sum over devices,
  // whose additions may be narrow if those of an addition may.
  Profile OfPartitioned() const;
  // True if any freedom is open for any op.
  bool AllowsAnything() const;
  // Returns the allowance of a function of operands of a type. 0 ULP accepts the correctly rounded value only.
  const Allowance& AllowanceOf(std::string_view op, PrimitiveType type) const;
  // The errors of sums of products, for instructions that name no algorithm.
  struct Precision {
    std::vector<PrimitiveType> types;  // of the widest operand
    std::vector<std::string> levels;   // of operand_precision, the highest of the operands
    SumAlgorithm algorithm;
    std::string source;
  };
  // Returns the errors of dots and convolutions of these operands; null if each product is exact and the operands' type
  // or a wider one adds them up.
  const Precision* PrecisionOf(PrimitiveType widest, std::string_view level) const;
  // The order in which a backend promises to add the terms of a sum (docs/promised_orders.md).
  struct Promise {
    // Adds `count` parts, `distance` terms apart, one after the other; the last part first if the distance is negative.
    struct Level {
      std::int64_t distance = 1;
      std::int64_t count = 0;  // 0: as many as the sum has
    };
    std::string op;
    std::vector<PrimitiveType> types;  // of the result
    std::vector<Dimensions> operands;  // of the first operands, 0 for any size above 1; empty: all shapes
    std::int64_t terms = 0;            // of the sum; 0: any number that the levels divide
    std::vector<Level> levels;         // from the terms to the result
    PrimitiveType accumulator = F32;
    bool is_fused = false;  // a product is not rounded before it is added, except the first one of a part
    std::string source;
  };
  // Returns the promise for a sum of an instruction with a result of a type; null if there is none.
  const Promise* PromiseOf(const HloInstruction& instruction, PrimitiveType type, std::int64_t terms) const;
  bool HasPromises() const { return !promises_.empty(); }
  // Returns the allowance of functions with result_accuracy={mode=highest}.
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
  std::vector<Row> rows_;              // the last one that matches counts
  std::vector<Precision> precisions_;  // likewise
  std::vector<Promise> promises_;      // likewise
  Allowance highest_;
};

// Returns the names of the built-in profiles, which are the files of profiles/.
std::vector<std::string_view> BuiltInProfileNames();
// Returns a built-in profile; it must exist.
const Profile& BuiltInProfile(std::string_view name);
// Returns the profile that accepts the correctly rounded value only.
inline const Profile& ExactProfile() { return BuiltInProfile("exact"); }
// Returns the profile of the default behaviour of XLA's backends.
inline const Profile& XlaProfile() { return BuiltInProfile("xla"); }

}  // namespace assay
