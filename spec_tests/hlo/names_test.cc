#include "interpreter/hlo/names.h"

#include <set>
#include <string>
#include <utility>

#include "spec_tests/catch.h"

namespace assay {
namespace {

TEST_CASE("Names become unique by the digits after their last dot") {
  NameUniquer names;
  for (const auto& [name, unique] : {std::pair("add", "add"),
                                     {"add", "add.1"},
                                     {"add.1", "add.2"},
                                     {"add.7", "add.7"},
                                     {"add", "add.3"},
                                     {"a.b", "a.b"},
                                     {"a.b", "a.b.1"},
                                     {"x.-5", "x.-5"},
                                     {"x.-5", "x.-5.1"},
                                     {"f32", "f32_"},
                                     {"1 2", "a_2"}}) {
    CAPTURE(name);
    CHECK(names.Unique(name) == unique);
  }
}

TEST_CASE("Thousands of names, some of many digits, are all different") {
  NameUniquer names;
  std::set<std::string> seen;
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < 3000; ++i) {
      for (const std::string& root : {"r" + std::to_string(i), std::string("same"), "dot." + std::to_string(i)}) {
        CHECK(seen.insert(names.Unique(root)).second);
      }
    }
  }
}

}  // namespace
}  // namespace assay
