// Every record is complete, and says so where it is not evaluated.
#include <set>
#include <string>

#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/op.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

bool IsSentence(std::string_view text) { return !text.empty() && text.ends_with('.'); }

}  // namespace

TEST_CASE("every op has a name, a meaning of one sentence and operand counts that make sense") {
  std::set<std::string_view> names;
  for (const Op* op : AllOps()) {
    INFO(op->name);
    CHECK(names.insert(op->name).second);
    CHECK(FindOp(op->name) == op);
    CHECK(IsSentence(op->meaning));
    CHECK(op->arity.min >= 0);
    CHECK((op->arity.max == Arity::kVariadic || op->arity.max >= op->arity.min));
  }
  CHECK(names.size() >= 133);
}

TEST_CASE("every op infers its shape") {
  for (const Op* op : AllOps()) {
    INFO(op->name);
    CHECK(op->infer != nullptr);
  }
}

TEST_CASE("an op is evaluated, or its record says why it is not") {
  for (const Op* op : AllOps()) {
    INFO(op->name);
    CHECK(op->IsEvaluated() == op->not_evaluated.empty());
  }
}

TEST_CASE("the default profile has an allowance for every op that is judged by ULP") {
  for (const Op* op : AllOps()) {
    INFO(op->name);
    const auto has_one = [&](PrimitiveType type) { return !XlaProfile().AllowanceOf(op->name, type).source.empty(); };
    CHECK((op->acceptance == Acceptance::kUlp) == has_one(F32));
    const bool is_complex = op->types.contains(C64) && op->RuleForComplex() == Acceptance::kUlp;
    CHECK(is_complex == has_one(C64));
  }
}

TEST_CASE("the op that ends another exists and takes its result") {
  for (const Op* op : AllOps()) {
    if (op->done.empty()) continue;
    INFO(op->name);
    const Op* done = FindOp(op->done);
    REQUIRE(done != nullptr);
    CHECK(done->arity.min >= 1);
  }
}

}  // namespace assay
