// What is drawn is every op, with every attribute, legal, the same for a seed, and readable again.
#include "generate/instructions.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

std::string FullText(const HloModule& module) {
  return PrintHloModule(module, {.large_constants = true, .reads_back = true});
}

// Attributes that are not drawn, by the reason.
const std::map<std::string_view, std::set<std::string_view>> kNotDrawn = {
};

TEST_CASE("every evaluated op is drawn", "[generate]") {
  const auto drawable = DrawableOps();
  for (const Op* op : AllOps()) {
    INFO(op->name);
    CHECK((std::ranges::find(drawable, op) != drawable.end()) == op->IsEvaluated());
  }
}

TEST_CASE("stats", "[.stats]") {
  Random random(1);
  const int n = std::getenv("N") ? std::atoi(std::getenv("N")) : 200;
  const char* only = std::getenv("ONLY");
  for (const Op* op : DrawableOps()) {
    if (only && op->name != only) continue;
    int refused = 0, errors = 0, unread = 0;
    std::map<std::string, int> why, whynot;
    std::map<std::string_view, std::set<std::string>> values;
    for (int i = 0; i < n; ++i) {
      auto drawn = TryDrawInstruction(random, *op);
      if (!drawn) { ++refused; ++whynot[drawn.error().message.substr(0, 160)]; continue; }
      const std::string text = FullText(*drawn->module);
      const auto again = ParseHloModule(text);
      if (!again || FullText(**again) != text) { if (unread++ == 0) { std::puts(text.c_str()); if (again) std::puts(FullText(**again).c_str()); else std::puts(again.error().message.c_str());} }
      EvaluationOptions options;
      options.from_host = drawn->from_host;
      auto value = EvaluateTogether(*drawn->module, drawn->operands, options);
      if (!value) { ++errors; if (why[value.error().message]++ == 0 && why.size() < 3) {std::puts(text.c_str());} }
      for (const AttributeSpec& spec : op->attributes) {
        const Attribute* found = nullptr;
        for (const Attribute& a : drawn->drawn->attributes) if (a.name == spec.name) found = &a;
        values[spec.name].insert(found ? fmt::format("{}", PrintInstruction(*drawn->drawn)) : "absent");
      }
    }
    fmt::print("{} refused {}% errors {} unread {}\n", op->name, 100.0 * refused / n, errors, unread);
    if (refused > 0) { int k = 0; for (const auto& [message, count] : whynot) if (k++ < 6) fmt::print("   refused {} x {}\n", count, message); }
    for (const auto& [message, count] : why) fmt::print("   {} x {}\n", count, message);
    for (const auto& [name, set] : values) if (set.size() < 2) fmt::print("   attribute {} has one value: {}\n", name, set.empty() ? "" : *set.begin());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace assay::testing
