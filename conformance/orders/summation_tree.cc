#include "conformance/orders/summation_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

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

namespace {

// A sum as parts of one form that are added one after the other, or at once: part i is part 0 with `distance` * i added
// to the number of each term. A sum that has no such form is a fold of no parts.
struct Fold {
  int start = -1;  // a node to which the parts are added; -1: the sum begins with part 0
  int part = -1;   // part 0
  int count = 0;
  int distance = 0;
  bool is_at_once = false;
};

class Folds {
 public:
  explicit Folds(const SummationTree& tree) : tree_(tree), sizes_(tree.Sizes()), first_(tree.FirstTerms()) {}

  Fold Of(int node) const {
    const std::vector<int>& added = tree_.Added(node);
    if (added.size() > 2) return AtOnce(added);
    if (SizeOf(added[0]) == SizeOf(added[1])) return Pair(added[0], added[1]);
    return Chain(node);
  }

  int FirstOf(int node) const { return first_[static_cast<std::size_t>(node)]; }
  int SizeOf(int node) const { return sizes_[static_cast<std::size_t>(node)]; }

 private:
  // True if the nodes have the same form, `distance` apart.
  bool HaveDistance(int a, int b, int distance) const {
    if (SizeOf(a) != SizeOf(b) || FirstOf(b) - FirstOf(a) != distance) return false;
    if (tree_.IsTerm(a)) return true;
    return std::ranges::equal(tree_.Added(a), tree_.Added(b),
                              [&](int one, int other) { return HaveDistance(one, other, distance); });
  }

  Fold Pair(int a, int b) const {
    const int distance = FirstOf(b) - FirstOf(a);
    return HaveDistance(a, b, distance) ? Fold{-1, a, 2, distance} : Fold{};
  }

  Fold AtOnce(const std::vector<int>& added) const {
    const int distance = FirstOf(added[1]) - FirstOf(added[0]);
    for (std::size_t i = 1; i < added.size(); ++i) {
      if (!HaveDistance(added[i - 1], added[i], distance)) return {};
    }
    return {-1, added[0], static_cast<int>(added.size()), distance, true};
  }

  // Follows the larger parts down from the sum while the smaller ones have one form and distance.
  Fold Chain(int node) const {
    std::vector<int> parts;  // the last one first
    const auto fits = [&](int next) {
      if (parts.empty()) return true;
      const int distance = FirstOf(parts.back()) - FirstOf(next);
      return HaveDistance(next, parts.back(), parts.size() < 2 ? distance : DistanceOf(parts));
    };
    while (!tree_.IsTerm(node) && tree_.Added(node).size() == 2) {
      const std::vector<int>& added = tree_.Added(node);
      int smaller = added[0], larger = added[1];
      if (SizeOf(smaller) > SizeOf(larger)) std::swap(smaller, larger);
      const bool is_last = SizeOf(smaller) == SizeOf(larger);
      if (is_last && !fits(smaller)) std::swap(smaller, larger);
      if (is_last && parts.size() == 1 && !Continues(parts[0], smaller, larger)) std::swap(smaller, larger);
      if (!fits(smaller)) break;
      parts.push_back(smaller);
      node = larger;
      if (is_last) break;
    }
    const bool is_whole = fits(node);
    if (is_whole) parts.push_back(node);
    if (parts.size() < 2) return {};
    return {is_whole ? -1 : node, parts.back(), static_cast<int>(parts.size()), DistanceOf(parts)};
  }

  bool Continues(int last, int middle, int first) const {
    return FirstOf(last) - FirstOf(middle) == FirstOf(middle) - FirstOf(first);
  }
  int DistanceOf(const std::vector<int>& parts) const { return FirstOf(parts[0]) - FirstOf(parts[1]); }

  const SummationTree& tree_;
  const std::vector<int> sizes_, first_;
};

// Returns the number of terms that each sum adds at once to the one before it, in order, as matrix units do; 0 if the
// tree has another form.
int TermsAtOnce(const SummationTree& tree) {
  int next = 0, terms = 0;
  for (std::size_t i = 0; i < tree.sums.size(); ++i) {
    const std::vector<int>& added = tree.sums[i];
    const std::size_t before = i == 0 ? 0 : 1;  // the sum so far
    if (i > 0 && std::ranges::count(added, tree.terms + static_cast<int>(i) - 1) != 1) return 0;
    if (i == 0) terms = static_cast<int>(added.size());
    if (added.size() > before + static_cast<std::size_t>(terms)) return 0;
    for (std::size_t k = before; k < added.size(); ++k) {
      if (added[k] != next++) return 0;
    }
  }
  return terms > 2 && tree.sums.size() > 1 ? terms : 0;
}

// Returns "3, 5, ..., 9".
std::string Numbers(int first, int count, int distance) {
  const int last = first + (count - 1) * distance;
  if (count == 2) return fmt::format("{}, {}", first, last);
  return fmt::format("{}, {},{} {}", first, first + distance, count > 3 ? " ...," : "", last);
}

class Drawing {
 public:
  explicit Drawing(const SummationTree& tree) : tree_(tree), folds_(tree) {}

  void Draw(int node, int depth) {
    if (tree_.IsTerm(node)) return Line(depth, fmt::format("term {}", node));
    const Fold fold = folds_.Of(node);
    if (fold.count == 0) {
      Line(depth, fmt::format("{} different parts{}:", tree_.Added(node).size(),
                              tree_.Added(node).size() > 2 ? " at once" : ""));
      for (const int part : tree_.Added(node)) Draw(part, depth + 1);
      return;
    }
    if (fold.start >= 0) {
      Line(depth, fmt::format("to the next part, {} one after the other:", fold.count));
      Draw(fold.start, depth + 1);
      ++depth;
    }
    const char* const how = fold.is_at_once ? " at once" : fold.count > 2 ? " one after the other" : "";
    if (tree_.IsTerm(fold.part)) {
      Line(depth, fmt::format("{} terms{}: {}", fold.count, how, Numbers(fold.part, fold.count, fold.distance)));
      return;
    }
    Line(depth, fmt::format("{} parts{}, {} apart{}:", fold.count, how, std::abs(fold.distance),
                            fold.distance < 0 ? ", the last one first" : ""));
    Draw(fold.part, depth + 1);
  }

  std::string text;

 private:
  void Line(int depth, const std::string& line) { text += fmt::format("{:{}}{}\n", "", 2 * depth, line); }

  const SummationTree& tree_;
  const Folds folds_;
};

// Returns the folds of a regular part of a tree from the terms up; nothing for one that has another sum.
std::optional<std::vector<Fold>> FoldsBelow(const SummationTree& tree, const Folds& folds, int node) {
  std::vector<Fold> levels;
  while (!tree.IsTerm(node)) {
    const Fold fold = folds.Of(node);
    if (fold.count == 0 || fold.start >= 0) return std::nullopt;
    levels.push_back(fold);
    node = fold.part;
  }
  std::ranges::reverse(levels);
  return levels;
}

std::vector<Fold> Part(const std::vector<Fold>& levels, std::size_t first, std::size_t end) {
  return {levels.begin() + static_cast<std::ptrdiff_t>(first), levels.begin() + static_cast<std::ptrdiff_t>(end)};
}

// Returns how levels add their parts.
std::string HowAdded(const std::vector<Fold>& levels) {
  const Fold& fold = levels[0];
  if (std::ranges::all_of(levels, [](const Fold& level) { return level.count == 2 && !level.is_at_once; })) {
    return "pairwise";
  }
  if (levels.size() > 1) return fmt::format("in {} levels", levels.size());
  if (fold.is_at_once) return "at once";
  return fold.distance > 0 ? "sequential" : "sequential from the last to the first";
}

std::string DescribeLevels(const std::vector<Fold>& levels) {
  const Fold& terms = levels[0];
  const int step = std::abs(terms.distance);
  if (levels.size() == 1 && step == 1) {
    if (terms.is_at_once) return "all terms at once";
    return terms.distance > 0 ? "sequential, from the first term to the last"
                              : "sequential, from the last term to the first";
  }
  if (HowAdded(levels) == "pairwise") {
    if (std::ranges::is_sorted(levels, {}, &Fold::distance)) return "pairwise, neighbors first";
    if (std::ranges::is_sorted(levels, std::ranges::greater(), &Fold::distance)) {
      return "pairwise, the two halves folded onto each other";
    }
  }
  if (step == 1) {
    return fmt::format("blocks of {} terms, each {}, then the blocks {}", terms.count, HowAdded(Part(levels, 0, 1)),
                       HowAdded(Part(levels, 1, levels.size())));
  }
  // The levels that add the terms of one lane, those that add the lanes, and those that add blocks of lanes.
  std::size_t lane = 1, lanes = 1;
  const auto distance = [&](std::size_t level) { return std::abs(levels[level].distance); };
  while (lane < levels.size() && distance(lane) >= step) ++lane;
  for (lanes = lane; lanes < levels.size() && distance(lanes) < step;) ++lanes;
  if (lane == levels.size()) return fmt::format("in {} levels", levels.size());
  int block = step;
  for (std::size_t level = 0; level < lane; ++level) block *= levels[level].count;
  const std::string text = fmt::format("{0} lanes (term i in lane i mod {0}), each {1}, then the lanes {2}", step,
                                       HowAdded(Part(levels, 0, lane)), HowAdded(Part(levels, lane, lanes)));
  if (lanes == levels.size()) return text;
  return fmt::format("blocks of {} terms, each in {}, then the blocks {}", block, text,
                     HowAdded(Part(levels, lanes, levels.size())));
}

}  // namespace

std::string DrawTree(const SummationTree& tree) {
  if (const int at_once = TermsAtOnce(tree); at_once > 0) {
    return fmt::format("{} terms, {} at once to the sum so far: {}\n", tree.terms, at_once, Numbers(0, tree.terms, 1));
  }
  Drawing drawing(tree);
  drawing.Draw(tree.root(), 0);
  return drawing.text;
}

std::vector<Profile::Promise::Level> LevelsOf(const SummationTree& tree) {
  const auto folds = FoldsBelow(tree, Folds(tree), tree.root());
  if (!folds || std::ranges::any_of(*folds, &Fold::is_at_once)) return {};
  std::vector<Profile::Promise::Level> levels;
  for (const Fold& fold : *folds) levels.push_back({fold.distance, fold.count});
  return levels;
}

std::string DescribeTree(const SummationTree& tree) {
  if (tree.sums.empty()) return "one term";
  if (const int at_once = TermsAtOnce(tree); at_once > 0) {
    return fmt::format("sequential, {} terms at once to the sum so far", at_once);
  }
  const Folds folds(tree);
  if (const auto levels = FoldsBelow(tree, folds, tree.root())) return DescribeLevels(*levels);
  const Fold fold = folds.Of(tree.root());
  if (fold.start < 0 || tree.IsTerm(fold.start)) return "an irregular tree";
  const auto levels = FoldsBelow(tree, folds, fold.start);
  return fmt::format("a part of {} terms ({}), then the other {} one after the other", folds.SizeOf(fold.start),
                     levels ? DescribeLevels(*levels) : "an irregular tree", fold.count);
}

}  // namespace assay
