// Answers of a backend that are written and read again: each question gets its own answer.
#include "conformance/certificates/recorded_runs.h"

#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

PerDevice<Literal> One(std::string_view value) { return PerDevice<Literal>(1, Value(value)); }

// Writes answers to one question, reads them, and asks again: the answers are those expected.
void CheckAnswers(const std::vector<std::string>& given, const std::vector<std::string>& expected) {
  const auto module = Parsed(Entry("  ROOT a = f32[] parameter(0)"));
  const std::string key = RecordedRuns::Key(*module, {Values({"f32[] 1"})});
  RecordedRuns written, read;
  for (const std::string& answer : given) written.Add(key, One(answer));
  REQUIRE(read.Read(written.ToText()));
  for (const std::string& answer : expected) {
    const Result<PerDevice<Literal>> found = read.Take(*module, key);
    REQUIRE(found);
    CHECK((*found)[0].BitwiseEqual(Value(answer)));
  }
}

TEST_CASE("a question that was asked several times gets its answers in order", "[conformance]") {
  CheckAnswers({"f32[] 1", "f32[] 2"}, {"f32[] 1", "f32[] 2", "f32[] 2"});
}

TEST_CASE("an answer that was given twice before another one is given twice again", "[conformance]") {
  CheckAnswers({"f32[] 1", "f32[] 1", "f32[] 2", "f32[] 2"}, {"f32[] 1", "f32[] 1", "f32[] 2", "f32[] 2", "f32[] 2"});
}

}  // namespace
}  // namespace assay::testing
