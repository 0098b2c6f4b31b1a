// What programs are drawn around, so that together they cover what there is (coverage.h): every op with every element
// type and every class of its attributes' values, and every op behind every other one.
#pragma once

#include <cstdint>

#include "generate/modules.h"

namespace assay {

// Target `number` of a seed, which depends on nothing but these two. Of three in a row one walks through the ops
// with their types, and two through the pairs of ops, each in an order of the seed's own. Each has a class of an
// attribute of its op, if that has any: another one for each type and each producer, and in the next walk the next one.
generate::Target TargetAt(std::uint64_t seed, std::int64_t number);

}  // namespace assay
