// What of the operation set programs have touched: ops with types, classes of their attributes' values, and ops that
// follow one another.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <unordered_set>

#include "interpreter/hlo/module.h"

namespace assay {

// Sets of cells, each a line of words.
struct Coverage {
  std::set<std::string> types;       // "add f32": the type of operand 0, or of the result where there is none
  std::set<std::string> attributes;  // "pad f32 padding negative"
  std::set<std::string> neighbours;  // "pad add": add takes what pad gives

  void Add(const HloModule& module);
  void Add(const Coverage& other);
  std::int64_t ops() const;
  // Of the attributes' values, whatever the types.
  std::int64_t classes() const;

 private:
  // Whether these three have not been there before: nearly all have, and need not be put into words again.
  bool IsNew(const Op& op, const void* other, std::uint64_t number);

  std::unordered_set<std::uint64_t> seen_;  // hashes of three
};

nlohmann::json ToJson(const Coverage& coverage);
// Throws nlohmann::json::exception where something is missing or of another kind.
Coverage CoverageFromJson(const nlohmann::json& json);

}  // namespace assay
