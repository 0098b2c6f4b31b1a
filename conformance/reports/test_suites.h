// The results of a test suite, such as JAX's, on two devices: a plugin that is graded, and assay.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

enum class TestOutcome { kPassed, kSkipped, kFailed };

struct TestResult {
  TestOutcome outcome = TestOutcome::kPassed;
  std::string message;  // the first line of the failure, or the reason of the skip
};

// The results of a run by the names of the tests, "class::name".
using TestSuite = std::map<std::string, TestResult>;

// Reads a JUnit report, as pytest --junitxml writes it. If a test was run again, its last result counts.
Result<TestSuite> ReadTestSuite(const std::string& path);

// The part that is to blame for a test that fails on a plugin.
enum class Culprit {
  kPlugin,     // the test passes on assay, whose arithmetic is exact
  kTest,       // the assertion fails on assay too: the test's tolerance or expected value is wrong
  kJax,        // both devices end with the same exception, which no device raised
  kUndecided,  // assay skipped the test, lacks it, or could not run it
};

// Returns "plugin", "test", "jax" or "undecided".
std::string CulpritName(Culprit culprit);

struct BlamedTest {
  std::string name;
  Culprit culprit = Culprit::kUndecided;
  std::string reason;
  TestResult on_plugin;
};

struct SuiteComparison {
  std::vector<BlamedTest> failures;             // of the plugin, by name
  std::vector<std::string> fail_on_assay_only;  // names
};

// Finds the culprit for each test that fails on the plugin.
SuiteComparison CompareSuites(const TestSuite& on_plugin, const TestSuite& on_assay);

}  // namespace assay
