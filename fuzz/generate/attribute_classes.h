// Classes of attribute values: a bug may show with one class and not with another.
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

// The classes of an instruction's attribute.
using ClassNames = boost::container::static_vector<std::string_view, 8>;
ClassNames ClassesOf(const HloInstruction& instruction, const AttributeSpec& attribute);
bool IsOf(const HloInstruction& instruction, const AttributeClass& wanted);
bool IsOf(const AttributeSpec& attribute, const AttributeValue& value, std::string_view name);

// Returns all classes of the kinds of an op's attributes, in the order of the record. Rules of the op may forbid some.
std::vector<AttributeClass> ClassesOfRecord(const Op& op);

}  // namespace assay::generate
