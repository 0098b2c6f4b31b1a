// The classes that the value of an attribute is of: a bug shows with one, and not with another one.
#pragma once

#include <boost/container/static_vector.hpp>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay::generate {

inline constexpr std::string_view kAbsent = "absent";

struct AttributeClass {
  const AttributeSpec* attribute = nullptr;  // one of an op's record
  std::string_view name;                     // kAbsent, "negative"
};

// Those that an instruction's attribute is of.
using ClassNames = boost::container::static_vector<std::string_view, 8>;
ClassNames ClassesOf(const HloInstruction& instruction, const AttributeSpec& attribute);
bool IsOf(const HloInstruction& instruction, const AttributeClass& wanted);
bool IsOf(const AttributeSpec& attribute, const AttributeValue& value, std::string_view name);

// All that the kinds of an op's attributes have, in the order of the record. Rules of the op may forbid some.
std::vector<AttributeClass> ClassesOfRecord(const Op& op);

}  // namespace assay::generate
