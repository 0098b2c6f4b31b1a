// main() of the spec tests, and the record of their cases that tools/count_tests.py adds up.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#endif
#include <cstdlib>
#include <fstream>
#include <string>

#include "spec_tests/catch.h"

namespace {

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
    if (const char* path = std::getenv("ASSAY_TEST_RESULTS")) results_.open(path, std::ios::trunc);
  }
  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    name_ = info.name;
    results_ << "started " << name_ << std::endl;
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (stats.totals.testCases.failed == 0) results_ << "passed " << name_ << std::endl;
  }

 private:
  std::ofstream results_;
  std::string name_;
};

CATCH_REGISTER_LISTENER(CaseRecorder)

}  // namespace
