// Classes of attribute values, because a bug may show with one class and not with another; and random values of
// attributes whose kind alone determines the legal values.
#pragma once

#include <boost/container/static_vector.hpp>
#include <string_view>
#include <vector>

#include "fuzz/generate/random.h"
#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/result_accuracy.h"

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

// Draws a flag, a word of the record's list, a small integer, or the precision of two operands. Returns nothing for
// other kinds, and for attributes that are read and never printed.
AttributeValue DrawAttributeValue(Random& random, const AttributeSpec& spec);
ResultAccuracy DrawResultAccuracy(Random& random);

}  // namespace assay::generate
