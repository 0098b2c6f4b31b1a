// main() of the spec tests, and the record of their cases that tools/count_tests.py adds up.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#endif
#include <cstdlib>
#include <fstream>
#include <string>

#include "spec_tests/catch.h"
#include "spec_tests/nightly.h"

namespace {

std::ofstream results;

#if __has_include(<catch2/catch_all.hpp>)
using Listener = Catch::EventListenerBase;
#else
using Listener = Catch::TestEventListenerBase;
#endif

// Writes "started NAME" and then "passed NAME" for each case to the file named by ASSAY_TEST_RESULTS. A case that
// started and did not pass has failed, so a case that ends the process needs no handling.
class CaseRecorder : public Listener {
 public:
  using Listener::Listener;

  void testRunStarting(const Catch::TestRunInfo&) override {
    if (const char* path = std::getenv("ASSAY_TEST_RESULTS")) results.open(path, std::ios::trunc);
  }
  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    name_ = info.name;
    results << "started " << name_ << std::endl;
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (stats.totals.testCases.failed == 0) results << "passed " << name_ << std::endl;
  }

 private:
  std::string name_;
};

CATCH_REGISTER_LISTENER(CaseRecorder)

}  // namespace

namespace assay::testing {

bool IsNightly(const std::string& part) {
  const char* setting = std::getenv("ASSAY_NIGHTLY");
  if (setting != nullptr && setting == std::string("1")) return true;
  results << "nightly " << part << std::endl;
  return false;
}

}  // namespace assay::testing
