// Summation trees as text.
#pragma once

#include <string>

#include "conformance/orders/summation_tree.h"

namespace assay {

// Returns the tree as an indented list. Equal parts of a sum whose terms are a constant distance apart share one entry,
// so the text of a regular tree is short whatever its number of terms:
//   2 parts, 4 apart:
//     8 terms one after the other: 0, 8, ..., 56
std::string DrawTree(const SummationTree& tree);

// Returns the order in words: "8 lanes (term i in lane i mod 8), each sequential, then the lanes pairwise".
std::string DescribeTree(const SummationTree& tree);

}  // namespace assay
