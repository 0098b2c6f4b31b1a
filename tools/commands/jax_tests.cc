#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "backends/json/json_text.h"
#include "conformance/reports/test_suites.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct JaxTestsOptions {
  std::vector<std::string> reports;
  std::string format = "text";
};

constexpr Culprit kCulprits[] = {Culprit::kPlugin, Culprit::kTest, Culprit::kJax, Culprit::kUndecided};

std::int64_t CountOf(const SuiteComparison& comparison, Culprit culprit) {
  return std::ranges::count(comparison.failures, culprit, &BlamedTest::culprit);
}

std::string Totals(const TestSuite& suite) {
  std::int64_t counts[3] = {};
  for (const auto& [name, result] : suite) ++counts[static_cast<int>(result.outcome)];
  return fmt::format("{} tests, {} passed, {} failed, {} skipped", suite.size(), counts[0], counts[2], counts[1]);
}

nlohmann::json Document(const SuiteComparison& comparison) {
  nlohmann::json failures = nlohmann::json::array();
  for (const BlamedTest& test : comparison.failures) {
    failures.push_back({{"name", test.name},
                        {"culprit", CulpritName(test.culprit)},
                        {"reason", test.reason},
                        {"message", test.on_plugin.message}});
  }
  return {{"failures", std::move(failures)}, {"fail_on_assay_only", comparison.fail_on_assay_only}};
}

std::string Description(const SuiteComparison& comparison) {
  std::string text;
  for (const Culprit culprit : kCulprits) {
    for (const BlamedTest& test : comparison.failures) {
      if (test.culprit != culprit) continue;
      text += fmt::format("{:<9} {}\n          on the plugin: {}\n          {}\n", CulpritName(culprit), test.name,
                          Shortened(test.on_plugin.message), Shortened(test.reason));
    }
  }
  for (const std::string& name : comparison.fail_on_assay_only) text += fmt::format("fails on assay only: {}\n", name);
  text += fmt::format("{} failures:", comparison.failures.size());
  for (const Culprit culprit : kCulprits) {
    text +=
        fmt::format("{} {} {}", culprit == kCulprits[0] ? "" : ",", CountOf(comparison, culprit), CulpritName(culprit));
  }
  return text + fmt::format("; {} fail on assay only\n", comparison.fail_on_assay_only.size());
}

Result<int> RunJaxTests(const JaxTestsOptions& options) {
  if (options.reports.size() != 2) {
    return Error{ErrorCode::kUsage, fmt::format("--junit: expected two reports, the plugin's and assay's, found {}",
                                                options.reports.size())};
  }
  TestSuite suites[2];
  for (int i = 0; i < 2; ++i) {
    ASSAY_TRY(suites[i], ReadTestSuite(options.reports[i]));
  }
  const SuiteComparison comparison = CompareSuites(suites[0], suites[1]);
  if (options.format == "json") {
    fmt::print("{}\n", JsonText(Document(comparison), 2));
  } else {
    fmt::print("plugin: {}\nassay:  {}\n{}", Totals(suites[0]), Totals(suites[1]),
               ForTerminal(Description(comparison)));
  }
  return CountOf(comparison, Culprit::kPlugin) > 0 ? 1 : 0;
}

void AddJaxTestsOptions(CLI::App& command, JaxTestsOptions& options) {
  AddTexts(command, "--junit", options.reports, "the JUnit reports of the plugin and of assay, in this order");
  AddFormat(command, options.format);
}

}  // namespace

const Command command_jax_tests = {
    .name = "jax-tests",
    .help = "say who is to blame for the tests of JAX that fail on a plugin",
    .example = "assay jax-tests --junit plugin.xml assay.xml",
    .bind = BindCommand<JaxTestsOptions, AddJaxTestsOptions, RunJaxTests>,
};

}  // namespace assay
