// The targets of drawn programs cover every op, class and producer, and the programs contain their targets.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "fuzz/coverage.h"
#include "fuzz/generate/instructions.h"
#include "spec_tests/catch.h"

namespace assay::testing {
using namespace generate;
namespace {

TEST_CASE("targets have every op with every class of its attributes, and with every producer", "[fuzz]") {
  const auto ops = static_cast<std::int64_t>(DrawableOps().size());
  for (const std::uint64_t seed : {1, 2}) {
    std::map<const Op*, std::set<std::pair<const AttributeSpec*, std::string_view>>> classes;
    std::set<std::pair<const Op*, const Op*>> pairs;
    for (std::int64_t i = 0; i < ops * ops * 3 / 2 + 3; ++i) {
      const Target target = TargetAt(seed, i);
      if (target.producer != nullptr) pairs.emplace(target.op, target.producer);
      if (target.attribute_class)
        classes[target.op].emplace(target.attribute_class->attribute, target.attribute_class->name);
    }
    CHECK(static_cast<std::int64_t>(pairs.size()) == ops * ops);
    for (const Op* op : DrawableOps()) {
      INFO(op->name);
      CHECK(classes[op].size() == ClassesDrawn(*op).size());
    }
  }
}

TEST_CASE("an instruction of a module has the class of its target", "[fuzz]") {
  int targets = 0, met = 0;
  for (std::int64_t i = 0; i < 3000; ++i) {
    const Target target = TargetAt(3, i);
    if (!target.attribute_class) continue;
    Random random(static_cast<std::uint64_t>(i));
    const DrawnModule drawn = DrawModule(random, {.least_draws = 0,
                                                  .most_draws = 0,
                                                  .may_have_devices = target.op->evaluation.depends_on_device,
                                                  .targets = {target}});
    ++targets;
    met += std::ranges::any_of(drawn.module->entry->instructions,
                               [&](const auto& instruction) {
                                 return instruction->op == target.op && IsOf(*instruction, *target.attribute_class);
                               })
               ? 1
               : 0;
  }
  CHECK(targets > 1000);
  // The type, or a single device, lacks the remaining classes.
  CHECK(met > targets * 0.9);
}

}  // namespace
}  // namespace assay::testing
