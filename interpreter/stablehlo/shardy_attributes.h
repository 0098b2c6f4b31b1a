// The attributes of Shardy: their fields, and their text, whose syntax is not that of other dialects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// Returns the fields of a dialect's attribute or of a dictionary; none for null and for an attribute of another kind.
const Dictionary& FieldsOf(const Attribute* attribute);
// Returns a field that is a list; empty if it is absent or of another kind. The functions below return a default in the
// same cases.
const std::vector<Attribute>& ListOf(const Dictionary& fields, std::string_view name);
std::int64_t NumberOf(const Dictionary& fields, std::string_view name, std::int64_t if_absent);
std::string NameOf(const Dictionary& fields);

// Returns `#sdy.sharding<@mesh, [{"x"}, {?}]>`.
std::string ShardyText(const DialectAttribute& attribute);
// Returns `<["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>`.
std::string MeshText(const Dictionary& mesh);
// Returns `"x"`, or `"x":(1)2` for a part of it.
std::string AxisText(const Dictionary& axis);
// Returns the sharding of one value in the form of a list: `#sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>`.
std::string TextPerValue(const DialectAttribute& sharding);

}  // namespace assay::stablehlo
