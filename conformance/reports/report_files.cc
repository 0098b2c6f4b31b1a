#include "conformance/reports/report_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/reports/report_page.h"
#include "conformance/running/check_run.h"
#include "interpreter/types/replace_all.h"

namespace assay {
namespace {

using nlohmann::json;

// Replaces control characters that XML does not allow even as escapes.
std::string XmlText(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') c = '?';
  }
  return text;
}

struct Suite {
  std::vector<const json*> cases;
  int failures = 0, errors = 0, skipped = 0;
};

// Returns the JUnit element for a standing; null for a test that passed.
const char* ElementOf(const std::string& standing) {
  if (standing == "failed" || standing == "unexpected" || standing == "flaky") return "failure";
  if (standing == "unjudged") return "error";
  return standing == "unsupported" || standing == "expected" ? "skipped" : nullptr;
}

std::string MessageOf(const json& entry) {
  return fmt::format("{}: {}", entry["verdict"].get<std::string>(), entry.value("reason", ""));
}

// Without a "<" no text in the script element can look like markup: neither its end nor "<!--<script>", after which an
// HTML parser skips the end. JSON has "<" in strings only.
std::string ForScript(const std::string& json) { return ReplaceAll(json, "<", "\\u003c"); }

// Returns what a browser without scripts shows of a report, as HTML: the outcome, the claim, and the causes that fail
// the check.
std::string SummaryForHtml(const json& document) {
  std::string text =
      fmt::format("{} {}\n{}\n{}\n\n", document["backend"]["name"].get<std::string>(),
                  document["backend"]["version"].get<std::string>(), document.value("outcome", ""), ClaimOf(document));
  for (const auto& [verdict, count] : document["totals"].items()) {
    text += fmt::format("{:<12}{:>6}\n", verdict, count.get<int>());
  }
  text += "\n";
  for (const json& cause : document["clusters"]) {
    if (ElementOf(cause["standing"]) == nullptr || cause["standing"] == "expected") continue;
    text +=
        fmt::format("{:<8} {}: {} ({} cases)\n", cause["verdict"].get<std::string>(),
                    cause["witness"].get<std::string>(), cause["reason"].get<std::string>(), cause["cases"].get<int>());
  }
  text += "\nA browser with scripts shows the cases here; results.json and junit.xml have them too.";
  return ReplaceAll(ReplaceAll(std::move(text), "&", "&amp;"), "<", "&lt;");
}

void AddTest(const json& entry, const std::string& suite, pugi::xml_node parent) {
  pugi::xml_node test = parent.append_child("testcase");
  test.append_attribute("name") = XmlText(entry["name"]).c_str();
  test.append_attribute("classname") = suite.c_str();
  const double seconds = entry.value("reference_seconds", 0.0) + entry.value("backend_seconds", 0.0);
  test.append_attribute("time") = fmt::format("{:.3f}", seconds).c_str();
  const char* const element = ElementOf(entry["standing"]);
  if (element == nullptr) return;
  pugi::xml_node result = test.append_child(element);
  result.append_attribute("message") = XmlText(MessageOf(entry)).c_str();
  if (element == std::string_view("skipped")) return;
  result.append_attribute("type") = entry["verdict"].get<std::string>().c_str();
  std::string text = entry.value("place", "");
  if (entry.contains("worst")) text += "\n" + JsonText(entry["worst"], 2);
  result.text() = XmlText(text).c_str();
}

void AddSuite(pugi::xml_node node, const std::string& name, const Suite& suite) {
  node.append_attribute("name") = XmlText(name).c_str();
  node.append_attribute("tests") = suite.cases.size();
  node.append_attribute("failures") = suite.failures;
  node.append_attribute("errors") = suite.errors;
  node.append_attribute("skipped") = suite.skipped;
  for (const json* entry : suite.cases) AddTest(*entry, XmlText(name), node);
}

// Adds a suite without a test. Not all readers accept properties outside of suites.
void AddClaim(const json& document, pugi::xml_node root) {
  pugi::xml_node node = root.append_child("testsuite");
  AddSuite(node, "claim", {});
  pugi::xml_node properties = node.append_child("properties");
  const auto add = [&](const char* name, const std::string& value) {
    if (value.empty()) return;
    pugi::xml_node property = properties.append_child("property");
    property.append_attribute("name") = name;
    property.append_attribute("value") = XmlText(value).c_str();
  };
  add("claim", ClaimOf(document));
  add("ended_by", document.value("ended_by", ""));
}

}  // namespace

std::string JUnitText(const json& document) {
  std::map<std::string, Suite> suites;
  const auto add = [&](const json& entry, const std::string& name) {
    Suite& suite = suites[name];
    suite.cases.push_back(&entry);
    const char* const element = ElementOf(entry["standing"]);
    const std::string_view result = element == nullptr ? "" : element;
    suite.failures += result == "failure";
    suite.errors += result == "error";
    suite.skipped += result == "skipped";
  };
  for (const json& entry : document["cases"]) add(entry, entry["op"]);
  for (const json& entry : document["models"]) add(entry, "models");

  pugi::xml_document xml;
  pugi::xml_node declaration = xml.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = xml.append_child("testsuites");
  root.append_attribute("name") =
      XmlText(fmt::format("assay check of {} {}", document["backend"]["name"].get<std::string>(),
                          document["backend"]["version"].get<std::string>()))
          .c_str();
  AddClaim(document, root);
  for (const auto& [name, suite] : suites) AddSuite(root.append_child("testsuite"), name, suite);
  std::ostringstream text;
  xml.save(text, " ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

std::string ReportPage(const json& document, const std::string& changes) {
  std::string page = kReportPage;
  // From the last mark to the first: no text that was filled in is searched.
  const std::pair<std::string_view, std::string> texts[] = {{"@CHANGES@", ForScript(changes)},
                                                            {"@REPORT@", ForScript(JsonText(document))},
                                                            {"@SUMMARY@", SummaryForHtml(document)},
                                                            {"@STYLE@", kReportStyle}};
  for (const auto& [mark, text] : texts) page.replace(page.find(mark), mark.size(), text);
  return page;
}

Result<std::string> WriteReportFiles(const std::string& folder, const json& document) {
  const std::string path = folder + "/results.json";
  ASSAY_CHECK_OK(WriteFileAtomically(path, JsonText(document, 1) + "\n"));
  // JsonText returns valid UTF-8, which XML parsers require.
  const json written = *ParseJson(JsonText(document));
  ASSAY_CHECK_OK(WriteFileAtomically(folder + "/junit.xml", JUnitText(written)));
  ASSAY_CHECK_OK(WriteFileAtomically(folder + "/report.html", ReportPage(written)));
  return fmt::format("report: {}, junit.xml, report.html\n", path);
}

Result<std::shared_ptr<const ReportFolder>> ReportFolder::Open(const std::string& path) {
  ASSAY_CHECK_OK(PrepareFolder(path));
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return Error{ErrorCode::kIo, fmt::format("{}: {}", path, std::strerror(errno))};
  std::shared_ptr<const ReportFolder> folder(new ReportFolder(descriptor));
  // Some network file systems cannot lock a folder. Only the journal is locked there.
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return folder;
  return Error{ErrorCode::kUsage, fmt::format("{}: another check writes its report there: wait until it has ended, or "
                                              "choose another folder",
                                              path)};
}

ReportFolder::~ReportFolder() { close(descriptor_); }

}  // namespace assay
