// Every record is complete; a record without an evaluation says why.
#include <algorithm>
#include <set>
#include <string>

#include "backends/lawful/algorithms/algorithms.h"
#include "backends/lawful/noisy_numbers.h"
#include "backends/lawful/noisy_results.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/op.h"
#include "interpreter/kernels/kernels.h"
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
    CHECK(op->legality.arity.min >= 0);
    CHECK((op->legality.arity.max == Arity::kVariadic || op->legality.arity.max >= op->legality.arity.min));
  }
  CHECK(names.size() >= 133);
}

TEST_CASE("every op infers its shape") {
  for (const Op* op : AllOps()) {
    INFO(op->name);
    CHECK(op->legality.infer != nullptr);
  }
}

TEST_CASE("an op is evaluated, or its record says why it is not") {
  for (const Op* op : AllOps()) {
    INFO(op->name);
    CHECK(op->IsEvaluated() == op->evaluation.not_evaluated.empty());
  }
}

TEST_CASE("the default profile has an allowance for every op that is judged by ULP") {
  for (const Op* op : AllOps()) {
    INFO(op->name);
    const auto has_one = [&](PrimitiveType type) { return !XlaProfile().AllowanceOf(op->name, type).source.empty(); };
    CHECK((AcceptanceOf(*op).rule == Acceptance::kUlp) == has_one(F32));
    const bool is_complex = op->legality.types.contains(C64) && AcceptanceOf(*op).RuleForComplex() == Acceptance::kUlp;
    CHECK(is_complex == has_one(C64));
  }
}

TEST_CASE("every op has one row in the table of acceptance, which its copies share") {
  std::set<const Op*> ops;
  for (const OpAcceptance* row : AllAcceptances()) {
    REQUIRE(row->op != nullptr);
    INFO(row->op->name);
    CHECK(ops.insert(row->op).second);
    CHECK(&AcceptanceOf(*row->op) == row);
    CHECK(&AcceptanceOf(Op(*row->op)) == row);
    CHECK(&AcceptanceOf(WithKernel(*row->op)) == row);
  }
  CHECK(ops == std::set<const Op*>(AllOps().begin(), AllOps().end()));
  Op of_a_test;
  of_a_test.name = "of-a-test";
  CHECK(AcceptanceOf(of_a_test).rule == Acceptance::kExact);
}

TEST_CASE("every algorithm of a product says how far its sums may be off") {
  for (const Op* op : AllOps()) {
    if (AcceptanceOf(*op).Fact<AlgorithmFunction>() == nullptr) continue;
    INFO(op->name);
    const AttributeSpec& algorithm = *op->FindAttribute("algorithm");
    HloInstruction product;
    product.op = op;
    CHECK(algorithm.enumerators.size() > 1);
    for (const std::string_view name : algorithm.enumerators) {
      INFO(name);
      product.Set("algorithm", std::string(name));
      const auto found = AcceptanceOf(*op).Fact<AlgorithmFunction>()(product);
      CHECK((name == "unset" ? !found : found && found->name == name));
    }
  }
}

TEST_CASE("a record has the facts that its rule reads, and none that another rule reads") {
  for (const Op* op : AllOps()) {
    INFO(op->name);
    const OpAcceptance& acceptance = AcceptanceOf(*op);
    CHECK((acceptance.Fact<PropertiesFunction>() != nullptr) == (acceptance.rule == Acceptance::kProperties));
    CHECK((acceptance.Fact<ErrorBoundFunction>() != nullptr) == (acceptance.rule == Acceptance::kDerived));
    CHECK((acceptance.Fact<TransformFunction>() != nullptr) == (acceptance.rule == Acceptance::kTransform));
    CHECK((acceptance.Fact<RowOrderFunction>() != nullptr) == (acceptance.rule == Acceptance::kUnordered));
    CHECK((acceptance.Fact<DistributionFunction>() != nullptr) == (acceptance.rule == Acceptance::kStatistical));
    const bool is_fold = acceptance.rule == Acceptance::kCalled;
    CHECK((is_fold || (acceptance.Fact<FoldFacts>().has_fixed_order == nullptr &&
                       acceptance.Fact<FoldFacts>().compared_operand < 0)));
    const bool names_algorithm = acceptance.rule == Acceptance::kSum && op->FindAttribute("algorithm") != nullptr;
    CHECK(names_algorithm == (acceptance.Fact<AlgorithmFunction>() != nullptr));
    CHECK(acceptance.Fact<FoldFacts>().compared_operand < std::max(op->legality.arity.min, 0));
  }
}

TEST_CASE("a rule judges, disturbs and has noise, unless it chooses another rule") {
  std::set<std::string_view> names;
  for (const Rule* rule : AllRules()) {
    INFO(rule->name);
    CHECK(names.insert(rule->name).second);
    const bool judges = rule->make != nullptr;
    CHECK((judges || rule->choose != nullptr));
    CHECK((rule->disturb != nullptr) == judges);
    CHECK(rule->noise.empty() != judges);
    if (judges) CHECK(NoisyResults::Knows(rule->noise));
  }
  CHECK_FALSE(NoisyResults::Knows("noise of no rule"));
  CHECK(RecordOf(Acceptance::kUnordered).name == "unordered");
  CHECK(RecordOf(Acceptance::kTarget).make == nullptr);
}

TEST_CASE("a freedom has a name, a meaning and noise") {
  std::set<std::string_view> names;
  for (const Freedom freedom : AllFreedoms()) {
    const FreedomRecord& record = RecordOf(freedom);
    INFO(record.name);
    CHECK(names.insert(record.name).second);
    CHECK(!record.meaning.empty());
    CHECK(NoisyNumbers::Knows(record.noise));
  }
  CHECK(names.size() == kFreedomCount);
  CHECK_FALSE(NoisyNumbers::Knows("noise of no freedom"));
  CHECK(RecordOf(Freedom::kOutOfRange).name == "out_of_range");
}

TEST_CASE("lawful noise has an algorithm for every op whose rule needs one") {
  for (const Op* op : AllOps()) {
    INFO(op->name);
    CHECK((RecordOf(AcceptanceOf(*op).rule).noise == "algorithm") == (FindAlgorithm(op->name) != nullptr));
  }
}

TEST_CASE("an op that names groups or pairs of devices depends on its device") {
  for (const Op* op : AllOps()) {
    if (op->FindAttribute("replica_groups") == nullptr && op->FindAttribute("source_target_pairs") == nullptr) continue;
    INFO(op->name);
    CHECK(op->evaluation.depends_on_device);
  }
}

TEST_CASE("the op that ends another exists and takes its result") {
  for (const Op* op : AllOps()) {
    if (op->legality.done.empty()) continue;
    INFO(op->name);
    const Op* done = FindOp(op->legality.done);
    REQUIRE(done != nullptr);
    CHECK(done->legality.arity.min >= 1);
  }
}

}  // namespace assay
