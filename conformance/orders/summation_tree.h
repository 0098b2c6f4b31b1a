// The order in which a sum adds its terms, as a tree.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "interpreter/acceptance/profile.h"
#include "interpreter/types/result.h"

namespace assay {

// Nodes [0, terms) are the terms. Node terms + i is the sum of the nodes sums[i], which have smaller numbers and are
// sorted by their first term. A sum of more than two nodes adds them at once, with one rounding. The last sum is the
// root; a tree of one term has none.
struct SummationTree {
  int terms = 0;
  std::vector<std::vector<int>> sums;

  int root() const { return terms + static_cast<int>(sums.size()) - 1; }
  bool IsTerm(int node) const { return node < terms; }
  // The nodes that a sum adds; `node` must not be a term.
  const std::vector<int>& Added(int node) const { return sums[static_cast<std::size_t>(node - terms)]; }
  // Returns the number of terms below each node.
  std::vector<int> Sizes() const;
  // Returns the term with the least number below each node.
  std::vector<int> FirstTerms() const;
  // Returns "((0 1) 2)": terms by their numbers, a pair of parentheses for each sum.
  std::string Brackets() const;
  // Returns {"terms": 3, "sums": [[0, 1], [3, 2]]}.
  nlohmann::json ToJson() const;
};

// Returns the number of terms of the smallest sum that contains both terms, which are different.
using SizeOfCommonSum = std::function<Result<int>(int, int)>;

// Finds the tree of `terms` >= 1 terms by the method of FPRev (Xie, Gao, Wang, Xue, "FPRev: Revealing the Order of
// Floating-Point Summation", 2024): the sizes of the sums that contain the first term and another one split the others
// into the sums that are added to the first term one after the other; each of them is split in the same way. Asks for
// terms - 1 pairs of a sequential sum, and for at most terms^2 / 2. Fails with kUnsupported if no tree has these sizes,
// and with the error of `common`.
Result<SummationTree> FindSummationTree(int terms, const SizeOfCommonSum& common);

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
