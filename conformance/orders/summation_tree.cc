#include "conformance/orders/summation_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// Builds a tree from the sizes of common sums.
class TreeFinder {
 public:
  TreeFinder(int terms, const SizeOfCommonSum& common) : common_(common) { tree_.terms = terms; }

  Result<SummationTree> Find() {
    std::vector<int> all(static_cast<std::size_t>(tree_.terms));
    std::iota(all.begin(), all.end(), 0);
    ASSAY_TRY(const Part part, Split(all, tree_.terms));
    if (!tree_.IsTerm(part.top)) tree_.sums.push_back(part.added);
    return std::move(tree_);
  }

 private:
  // A sum that is not yet a node of the tree, or a term.
  struct Part {
    int top = 0;             // the term; otherwise not a term
    std::vector<int> added;  // the nodes that the sum adds
    int size = 1;            // the size of the sum in the whole tree
  };

  // Splits terms that form a sum, or some of the nodes of a sum of `outer` terms that adds several at once.
  Result<Part> Split(const std::vector<int>& terms, int outer) {
    std::map<int, std::vector<int>> by_size;
    for (std::size_t i = 1; i < terms.size(); ++i) {
      ASSAY_TRY(const int size, common_(terms[0], terms[i]));
      by_size[size].push_back(terms[i]);
    }
    Part part = {terms[0], {}, 1};
    int below = 1;
    for (const auto& [size, others] : by_size) {
      below += static_cast<int>(others.size());
      if (size != below && size != outer) return NoTree(terms[0], others[0], size);
      ASSAY_TRY(Part other, Split(others, size));
      std::vector<int> added = {AddNode(std::move(part))};
      if (other.size == size && !tree_.IsTerm(other.top)) {
        added.insert(added.end(), other.added.begin(), other.added.end());
      } else {
        added.push_back(AddNode(std::move(other)));
      }
      part = {tree_.terms, std::move(added), size};
    }
    return part;
  }

  int AddNode(Part part) {
    if (tree_.IsTerm(part.top)) return part.top;
    tree_.sums.push_back(std::move(part.added));
    return tree_.root();
  }

  static Error NoTree(int a, int b, int size) {
    return {ErrorCode::kUnsupported, fmt::format("no tree of additions explains the results: terms {} and {} seem to "
                                                 "meet in a sum of {} terms, which other pairs contradict",
                                                 a, b, size)};
  }

  const SizeOfCommonSum& common_;
  SummationTree tree_;
};

}  // namespace

std::vector<int> SummationTree::Sizes() const {
  std::vector<int> sizes(static_cast<std::size_t>(terms), 1);
  for (const std::vector<int>& added : sums) {
    int size = 0;
    for (const int node : added) size += sizes[static_cast<std::size_t>(node)];
    sizes.push_back(size);
  }
  return sizes;
}

std::vector<int> SummationTree::FirstTerms() const {
  std::vector<int> first(static_cast<std::size_t>(terms));
  std::iota(first.begin(), first.end(), 0);
  for (const std::vector<int>& added : sums) first.push_back(first[static_cast<std::size_t>(added[0])]);
  return first;
}

std::string SummationTree::Brackets() const {
  std::vector<std::string> texts;
  for (int term = 0; term < terms; ++term) texts.push_back(std::to_string(term));
  for (const std::vector<int>& added : sums) {
    std::vector<std::string> parts;
    for (const int node : added) parts.push_back(std::move(texts[static_cast<std::size_t>(node)]));
    texts.push_back(fmt::format("({})", JoinText(parts, " ")));
  }
  return texts.back();
}

nlohmann::json SummationTree::ToJson() const { return {{"terms", terms}, {"sums", sums}}; }

Result<SummationTree> FindSummationTree(int terms, const SizeOfCommonSum& common) {
  return TreeFinder(terms, common).Find();
}

}  // namespace assay
