// Trees of sums that are known, found again from the sizes of their common sums.
#include "conformance/orders/summation_tree.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

// A nested list of terms, the tree in a form that the code under test does not have.
struct Nest {
  int term = -1;
  std::vector<Nest> parts;

  bool Has(int one) const {
    return term == one || std::ranges::any_of(parts, [&](const Nest& part) { return part.Has(one); });
  }
  int Size() const {
    int size = term >= 0 ? 1 : 0;
    for (const Nest& part : parts) size += part.Size();
    return size;
  }
  int SizeOfCommon(int a, int b) const {
    for (const Nest& part : parts) {
      if (part.Has(a) && part.Has(b)) return part.SizeOfCommon(a, b);
    }
    return Size();
  }
};

Nest Term(int term) { return {term, {}}; }
Nest Sum(std::vector<Nest> parts) { return {-1, std::move(parts)}; }

// Adds count terms one after the other: first, first + step, ...
Nest Sequential(int first, int count, int step) {
  Nest sum = Term(first);
  for (int i = 1; i < count; ++i) sum = Sum({std::move(sum), Term(first + i * step)});
  return sum;
}

Nest Pairwise(int first, int count, const std::function<Nest(int)>& block, int size) {
  if (count == size) return block(first);
  return Sum({Pairwise(first, count / 2, block, size), Pairwise(first + count / 2, count / 2, block, size)});
}

// Adds lanes of `count` terms, and the lanes in pairs.
Nest Lanes(int first, int count, int lanes) {
  const auto lane = [&](int i) { return Sequential(first + i, count / lanes, lanes); };
  return Pairwise(0, lanes, lane, 1);
}

SummationTree Found(const Nest& nest) {
  const Result<SummationTree> tree =
      FindSummationTree(nest.Size(), [&](int a, int b) -> Result<int> { return nest.SizeOfCommon(a, b); });
  REQUIRE(tree.has_value());
  return *tree;
}

TEST_CASE("trees are found with their brackets", "[conformance]") {
  CHECK(Found(Term(0)).Brackets() == "0");
  CHECK(Found(Sequential(0, 4, 1)).Brackets() == "(((0 1) 2) 3)");
  CHECK(Found(Sequential(3, 4, -1)).Brackets() == "(0 (1 (2 3)))");
  CHECK(Found(Pairwise(0, 4, Term, 1)).Brackets() == "((0 1) (2 3))");
  CHECK(Found(Lanes(0, 4, 2)).Brackets() == "((0 2) (1 3))");
  CHECK(Found(Sum({Term(0), Term(1), Term(2), Term(3)})).Brackets() == "(0 1 2 3)");
  const Nest chain = Sum({Sum({Term(0), Term(1), Term(2)}), Term(3), Term(4)});
  CHECK(Found(chain).Brackets() == "((0 1 2) 3 4)");
  CHECK(Found(Sum({Term(0), Sum({Term(1), Term(2), Term(3)})})).Brackets() == "(0 (1 2 3))");
  CHECK(Found(Sum({Term(0), Sum({Term(1), Term(3)}), Term(2)})).Brackets() == "(0 (1 3) 2)");
}

TEST_CASE("the JSON of a tree lists its sums with those that they use before them", "[conformance]") {
  CHECK(Found(Pairwise(0, 4, Term, 1)).ToJson() ==
        nlohmann::json::parse(R"({"terms": 4, "sums": [[0, 1], [2, 3], [4, 5]]})"));
}

TEST_CASE("a sequential sum needs one question for each term", "[conformance]") {
  const Nest nest = Sequential(0, 100, 1);
  int questions = 0;
  const auto common = [&](int a, int b) -> Result<int> {
    ++questions;
    return nest.SizeOfCommon(a, b);
  };
  REQUIRE(FindSummationTree(100, common).has_value());
  CHECK(questions == 99);
}

TEST_CASE("sizes that no tree has are an error", "[conformance]") {
  const auto exact = FindSummationTree(4, [](int, int) -> Result<int> { return 2; });
  REQUIRE_FALSE(exact.has_value());
  CHECK(exact.error().code == ErrorCode::kUnsupported);
  CHECK(exact.error().message.starts_with("no tree of additions explains the results: terms 0 and 1"));
}

TEST_CASE("the error of a run ends the search", "[conformance]") {
  const auto failed = FindSummationTree(3, [](int, int) -> Result<int> { return Error{ErrorCode::kBackend, "died"}; });
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().message == "died");
}

Nest DrawNest(std::vector<int> terms, const std::function<int(int)>& below) {
  if (terms.size() == 1) return Term(terms[0]);
  const int parts = std::min<int>(static_cast<int>(terms.size()), below(3) == 0 ? 2 + below(3) : 2);
  std::vector<std::vector<int>> split(static_cast<std::size_t>(parts));
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto part = i < split.size() ? i : static_cast<std::size_t>(below(parts));
    split[part].push_back(terms[i]);
  }
  Nest sum;
  for (const std::vector<int>& part : split) sum.parts.push_back(DrawNest(part, below));
  return sum;
}

TEST_CASE("every tree is found again from its sizes", "[conformance]") {
  unsigned state = 1;
  const auto below = [&](int n) {
    state = state * 1103515245 + 12345;
    return static_cast<int>(state >> 16) % n;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<int> terms;
    for (int term = 0; term < 1 + below(24); ++term) terms.push_back(term);
    const Nest nest = DrawNest(terms, below);
    const SummationTree tree = Found(nest);
    // The found tree has the same sizes for all pairs.
    std::vector<Nest> nodes;
    for (const int term : terms) nodes.push_back(Term(term));
    for (const std::vector<int>& added : tree.sums) {
      Nest sum;
      for (const int node : added) sum.parts.push_back(nodes[static_cast<std::size_t>(node)]);
      nodes.push_back(std::move(sum));
    }
    for (const int a : terms) {
      for (int b = 0; b < a; ++b) CHECK(nodes.back().SizeOfCommon(a, b) == nest.SizeOfCommon(a, b));
    }
  }
}

TEST_CASE("regular orders are named in words", "[conformance]") {
  const auto words = [](const Nest& nest) { return DescribeTree(Found(nest)); };
  CHECK(words(Term(0)) == "one term");
  CHECK(words(Sequential(0, 9, 1)) == "sequential, from the first term to the last");
  CHECK(words(Sequential(8, 9, -1)) == "sequential, from the last term to the first");
  CHECK(words(Pairwise(0, 16, Term, 1)) == "pairwise, neighbors first");
  CHECK(words(Sum({Sum({Term(0), Term(2)}), Sum({Term(1), Term(3)})})) ==
        "pairwise, the two halves folded onto each other");
  CHECK(words(Lanes(0, 16, 8)) == "8 lanes (term i in lane i mod 8), each pairwise, then the lanes pairwise");
  CHECK(words(Lanes(0, 32, 8)) == "8 lanes (term i in lane i mod 8), each sequential, then the lanes pairwise");
  CHECK(words(Sum({Term(0), Term(1), Term(2)})) == "all terms at once");
  const Nest unit = Sum({Sum({Sum({Term(0), Term(1), Term(2)}), Term(3), Term(4), Term(5)}), Term(6)});
  CHECK(words(unit) == "sequential, 3 terms at once to the sum so far");
  CHECK(DrawTree(Found(unit)) == "7 terms, 3 at once to the sum so far: 0, 1, ..., 6\n");
  // Lanes that are added pairwise inside: ((0 2) (4 6)), ((1 3) (5 7)).
  const auto lane = [](int first) {
    return Sum({Sum({Term(first), Term(first + 2)}), Sum({Term(first + 4), Term(first + 6)})});
  };
  Nest three = lane(0);
  CHECK(words(Sum({lane(0), lane(1)})) == "2 lanes (term i in lane i mod 2), each pairwise, then the lanes pairwise");
  const auto block = [](int first) { return Lanes(first, 32, 8); };
  CHECK(words(Pairwise(0, 128, block, 32)) ==
        "blocks of 32 terms, each in 8 lanes (term i in lane i mod 8), each sequential, then the lanes pairwise, then "
        "the blocks pairwise");
  Nest chain = Lanes(0, 8, 2);
  for (int first = 8; first < 32; first += 8) chain = Sum({std::move(chain), Lanes(first, 8, 2)});
  CHECK(words(chain) ==
        "blocks of 8 terms, each in 2 lanes (term i in lane i mod 2), each sequential, then the lanes pairwise, then "
        "the blocks sequential");
  CHECK(words(Sum({Sum({Lanes(0, 32, 8), Term(32)}), Term(33)})) ==
        "a part of 32 terms (8 lanes (term i in lane i mod 8), each sequential, then the lanes pairwise), then the "
        "other 2 one after the other");
  CHECK(words(Sum({Sum({Term(0), Term(3)}), Sum({Term(1), Sum({Term(2), Term(4)})})})) == "an irregular tree");
}

TEST_CASE("the drawing of a regular tree is short", "[conformance]") {
  CHECK(DrawTree(Found(Sequential(0, 100, 1))) == "100 terms one after the other: 0, 1, ..., 99\n");
  CHECK(DrawTree(Found(Sequential(2, 3, -1))) == "3 terms one after the other: 2, 1, 0\n");
  CHECK(DrawTree(Found(Lanes(0, 64, 4))) ==
        "2 parts, 2 apart:\n  2 parts, 1 apart:\n    16 terms one after the other: 0, 4, ..., 60\n");
  CHECK(DrawTree(Found(Sum({Sum({Lanes(0, 32, 2), Term(32)}), Term(33)}))) ==
        "to the next part, 2 one after the other:\n"
        "  2 parts, 1 apart:\n"
        "    16 terms one after the other: 0, 2, ..., 30\n"
        "  2 terms: 32, 33\n");
  CHECK(DrawTree(Found(Sum({Term(0), Sum({Term(1), Term(2), Term(3)})}))) ==
        "2 different parts:\n  term 0\n  3 terms at once: 1, 2, 3\n");
}

}  // namespace
}  // namespace assay::testing
