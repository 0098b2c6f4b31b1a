// The verdicts of a backend for each op and each element type that the corpus covers.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Returns the element types of the result and of operand 0 of each instruction of the op in the module. The predicate
// of a select and the PRED result of a comparison of another type do not count.
std::set<PrimitiveType> TypesTested(const std::string& op, const HloModule& module);

class TypeMatrix {
 public:
  void Add(const std::string& op, PrimitiveType type, Verdict verdict);

  // Returns a line for each op: each verdict with its types. Ops that are UNSUPPORTED in every type share the last
  // line.
  std::string ToText() const;
  // Returns {"add": {"f32": {"verdict": "EXACT", "cases": 3}}}.
  nlohmann::json ToJson() const;

 private:
  struct Cell {
    Verdict worst = Verdict::kExact;
    int cases = 0;
  };
  std::map<std::string, std::map<PrimitiveType, Cell>> cells_;
};

}  // namespace assay
