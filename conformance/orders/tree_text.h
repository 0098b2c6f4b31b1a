// Summation trees as text.
#pragma once

#include <string>
#include <vector>

#include "conformance/orders/summation_tree.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

// Returns the tree as an indented list. Equal parts of a sum whose terms are a constant distance apart share one entry,
// so the text of a regular tree is short whatever its number of terms:
//   2 parts, 4 apart:
//     8 terms one after the other: 0, 8, ..., 56
std::string DrawTree(const SummationTree& tree);

// Returns the levels of a regular tree, from the terms to the root: each one adds `count` parts, `distance` terms
// apart, one after the other. Returns nothing for another tree, and for one that adds several terms at once.
std::vector<Profile::Promise::Level> LevelsOf(const SummationTree& tree);

// Returns the order in words: "8 lanes (term i in lane i mod 8), each sequential, then the lanes pairwise".
std::string DescribeTree(const SummationTree& tree);

}  // namespace assay
