// The part of the operation set that programs have covered: ops with types, classes of their attributes' values, and
// pairs of an op and its user.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fuzz/generate/attribute_classes.h"
#include "fuzz/generate/modules.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Sets of cells, each a line of words.
struct Coverage {
  std::set<std::string> types;       // "add f32": the type of operand 0, or of the result if there is none
  std::set<std::string> attributes;  // "pad f32 padding negative"
  std::set<std::string> neighbours;  // "pad add": a result of pad is an operand of add

  void Add(const HloModule& module);
  void Add(const Coverage& other);
  std::int64_t ops() const;
  // Returns the number of attribute classes, whatever the types.
  std::int64_t classes() const;

 private:
  // True for a new triple. Nearly all are known, and their text need not be built again.
  bool IsNew(const Op& op, const void* other, std::uint64_t number);

  static constexpr std::size_t kRecent = 1 << 14;
  std::unordered_set<std::uint64_t> seen_;  // hashes of the triples
  // The last seen hash of each remainder by kRecent. It finds most triples without a search in seen_.
  std::vector<std::uint64_t> recent_;
};

// Returns the type that the cells of an instruction name: that of operand 0, or of the result if there is none; TUPLE
// if that is not an array.
PrimitiveType CoveredType(const HloInstruction& instruction);
// Calls visit(const AttributeSpec&, std::string_view) with the classes of an instruction's attributes.
template <class Visit>
void ForCoveredClasses(const HloInstruction& instruction, const Visit& visit) {
  for (const AttributeSpec& spec : instruction.op->syntax.attributes) {
    if (spec.print == PrintRule::kNever) continue;  // read and dropped
    for (const std::string_view one : generate::ClassesOf(instruction, spec)) visit(spec, one);
  }
}

nlohmann::json ToJson(const Coverage& coverage);
// Throws nlohmann::json::exception if a member is missing or of another type.
Coverage CoverageFromJson(const nlohmann::json& json);

// Returns target `number` of a seed, which depends on these two only. Every third target walks through the ops with
// their types; the others walk through the pairs of ops. The seed determines the order of each walk. A target has a
// class of an attribute of its op, if the op has any: a different one for each type and each producer, and the
// following one in the next walk.
generate::Target TargetAt(std::uint64_t seed, std::int64_t number);

}  // namespace assay
