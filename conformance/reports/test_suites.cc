#include "conformance/reports/test_suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <string_view>

#include "backends/files.h"
#include "interpreter/types/ascii.h"

namespace assay {
namespace {

std::string FirstLineWithText(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(start);
  return std::string(text.substr(0, text.find_first_of("\r\n")));
}

TestResult ResultOf(const pugi::xml_node& test) {
  for (const pugi::xml_node& child : test.children()) {
    const std::string_view kind = child.name();
    const bool is_skip = kind == "skipped";
    if (!is_skip && kind != "failure" && kind != "error") continue;
    std::string message = FirstLineWithText(child.attribute("message").as_string());
    if (message.empty()) message = FirstLineWithText(child.text().as_string());
    return {is_skip ? TestOutcome::kSkipped : TestOutcome::kFailed, std::move(message)};
  }
  return {};
}

// Returns the class at the start of "package.Class: text", without the package; empty if the message has none.
std::string_view ExceptionOf(std::string_view message) {
  std::string_view name = message.substr(0, message.find(':'));
  const auto is_part = [](char c) { return IsAsciiLetterOrDigit(c) || c == '_' || c == '.'; };
  if (!std::ranges::all_of(name, is_part)) return {};
  return name.substr(name.rfind('.') + 1);
}

// pytest writes "assert x == y" for the statement assert of Python.
bool IsAssertion(std::string_view message) {
  return ExceptionOf(message) == "AssertionError" || message.starts_with("assert ");
}

// The exceptions that carry an error of the device.
bool IsOfDevice(std::string_view exception) { return exception == "XlaRuntimeError" || exception == "JaxRuntimeError"; }

BlamedTest Blame(const std::string& name, const TestResult& on_plugin, const TestResult* on_assay) {
  BlamedTest blamed{name, Culprit::kUndecided, "assay did not run it", on_plugin};
  if (on_assay == nullptr) return blamed;
  if (on_assay->outcome == TestOutcome::kPassed) {
    blamed.culprit = Culprit::kPlugin;
    blamed.reason = "it passes on assay";
  } else if (on_assay->outcome == TestOutcome::kSkipped) {
    blamed.reason = fmt::format("assay skips it: {}", on_assay->message);
  } else if (IsAssertion(on_plugin.message) && IsAssertion(on_assay->message)) {
    blamed.culprit = Culprit::kTest;
    blamed.reason = fmt::format("its assertion fails on assay too: {}", on_assay->message);
  } else if (const std::string_view exception = ExceptionOf(on_plugin.message);
             !exception.empty() && !IsOfDevice(exception) && on_plugin.message == on_assay->message) {
    blamed.culprit = Culprit::kJax;
    blamed.reason = "assay ends with the same exception, which no device raised";
  } else {
    blamed.reason = fmt::format("assay fails in another way: {}", on_assay->message);
  }
  return blamed;
}

}  // namespace

Result<TestSuite> ReadTestSuite(const std::string& path) {
  Result<std::string> text = ReadFile(path);
  if (!text) return text.error();
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text->data(), text->size());
  if (!parsed) {
    return Error{ErrorCode::kInput,
                 fmt::format("{}: expected a JUnit report: at byte {}: {}", path, parsed.offset, parsed.description())};
  }
  TestSuite suite;
  for (const pugi::xpath_node& found : document.select_nodes("//testcase")) {
    const pugi::xml_node test = found.node();
    const std::string_view name = test.attribute("name").as_string();
    if (name.empty()) {
      return Error{ErrorCode::kInput, fmt::format("{}: at byte {}: a testcase without a name; JUnit reports name every "
                                                  "test",
                                                  path, test.offset_debug())};
    }
    suite[fmt::format("{}::{}", test.attribute("classname").as_string(), name)] = ResultOf(test);
  }
  if (suite.empty()) {
    return Error{ErrorCode::kInput, fmt::format("{}: expected a JUnit report, found no testcase", path)};
  }
  return suite;
}

std::string CulpritName(Culprit culprit) {
  constexpr const char* kNames[] = {"plugin", "test", "jax", "undecided"};
  return kNames[static_cast<std::size_t>(culprit)];
}

SuiteComparison CompareSuites(const TestSuite& on_plugin, const TestSuite& on_assay) {
  SuiteComparison comparison;
  for (const auto& [name, result] : on_plugin) {
    const auto other = on_assay.find(name);
    const TestResult* const same = other == on_assay.end() ? nullptr : &other->second;
    if (result.outcome == TestOutcome::kFailed) {
      comparison.failures.push_back(Blame(name, result, same));
    } else if (same != nullptr && same->outcome == TestOutcome::kFailed) {
      comparison.fail_on_assay_only.push_back(name);
    }
  }
  return comparison;
}

}  // namespace assay
