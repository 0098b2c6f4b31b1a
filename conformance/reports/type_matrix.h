// What a backend makes of each op with each element type, as far as the corpus has cases of it.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/module.h"

namespace assay {

// The element types of the result and of operand 0 of each of the module's instructions of the op, except the predicate
// of a select and the answers of comparisons of another type.
std::set<PrimitiveType> TypesTested(const std::string& op, const HloModule& module);

class TypeMatrix {
 public:
  void Add(const std::string& op, PrimitiveType type, Verdict verdict);

  // A line an op: each verdict with its types. The ops that are UNSUPPORTED in every type share the last line.
  std::string ToText() const;
  // {"add": {"f32": {"verdict": "EXACT", "cases": 3}}}
  nlohmann::json ToJson() const;

 private:
  struct Cell {
    Verdict worst = Verdict::kExact;
    int cases = 0;
  };
  std::map<std::string, std::map<PrimitiveType, Cell>> cells_;
};

}  // namespace assay
