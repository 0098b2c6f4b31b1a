#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "backends/json/json_text.h"
#include "conformance/cases/statements.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/types/join_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"

namespace assay {
namespace {

struct SpecOptions {
  std::string name;  // of a statement, a heading, a function or a case; empty: all
  std::string op;
  std::string corpus, format = "text";
  bool is_without = false;  // only statements without a case, a text or a test
};

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c; });
  return text;
}

bool IsCalled(const StatementSection& section, const std::string& name) {
  const auto is_name = [&](const std::string& other) { return Lower(other) == Lower(name); };
  return is_name(section.heading) || is_name(section.name) || std::ranges::any_of(section.names, is_name) ||
         std::ranges::any_of(section.ops, is_name) || section.id() == name || section.page == name;
}

bool HasCase(const Statement& statement, const std::string& name) {
  return std::ranges::any_of(statement.cases,
                             [&](const CasePin& pin) { return std::ranges::binary_search(pin.found, name); });
}

// Returns the sections with the chosen statements. Fails with kUsage if the name or the op is unknown.
Result<std::vector<StatementSection>> Choose(const Specification& specification, const SpecOptions& options) {
  std::vector<StatementSection> chosen;
  std::vector<std::string_view> names;
  bool is_known = options.name.empty();
  for (const StatementSection& section : specification.sections) {
    names.insert(names.end(), {section.heading, section.name});
    names.insert(names.end(), section.names.begin(), section.names.end());
    const bool is_called = options.name.empty() || IsCalled(section, options.name);
    const bool is_about = options.op.empty() || std::ranges::count(section.ops, options.op) > 0;
    StatementSection part = section;
    std::erase_if(part.statements, [&](const Statement& statement) {
      const bool is_named = is_called || statement.id == options.name || HasCase(statement, options.name);
      is_known |= is_named;
      return !is_named || !is_about || (options.is_without && statement.IsPinned());
    });
    if (!part.statements.empty()) chosen.push_back(std::move(part));
  }
  if (!is_known) {
    return Error{ErrorCode::kUsage, fmt::format("{} is not a heading, a function or a statement of the "
                                                "specification, nor a case of one{}\nassay spec prints all of them",
                                                options.name, Suggest(options.name, names))};
  }
  if (!options.op.empty() && FindOp(options.op) == nullptr) {
    return Error{ErrorCode::kUsage, fmt::format("{} is not an operation: assay ops prints all of them", options.op)};
  }
  return chosen;
}

nlohmann::json ToJson(const std::vector<NamedPin>& pins) {
  nlohmann::json list = nlohmann::json::array();
  for (const NamedPin& pin : pins) list.push_back({{"file", pin.file}, {"name", pin.name}});
  return list;
}

nlohmann::json ToJson(const StatementSection& section, const Statement& statement) {
  nlohmann::json cases = nlohmann::json::array();
  for (const CasePin& pin : statement.cases) {
    cases.push_back({{"patterns", pin.patterns}, {"has", pin.has}, {"found", pin.found}});
  }
  nlohmann::json row = {{"id", statement.id},
                        {"heading", section.heading},
                        {"names", section.names},
                        {"ops", section.ops},
                        {"kind", statement.kind},
                        {"text", statement.text},
                        {"cases", std::move(cases)},
                        {"legality", ToJson(statement.legality)},
                        {"tests", ToJson(statement.tests)},
                        {"mutants", statement.mutants}};
  if (!statement.none.empty()) row["none"] = statement.none;
  return row;
}

void PrintAsJson(const std::vector<StatementSection>& sections, const std::vector<StatementReason>& reasons) {
  nlohmann::json rows = nlohmann::json::array(), named = nlohmann::json::object();
  for (const StatementSection& section : sections) {
    for (const Statement& statement : section.statements) rows.push_back(ToJson(section, statement));
  }
  for (const StatementReason& reason : reasons) named[reason.name] = reason.text;
  fmt::print("{}\n", JsonText({{"statements", rows}, {"reasons", named}}, 2));
}

// Prints what pins a statement. `in_full` lists every case.
void PrintPins(const Statement& statement, bool in_full) {
  for (const CasePin& pin : statement.cases) {
    fmt::print("      {} cases: {}\n", pin.found.size(), JoinText(pin.patterns, " "));
    if (in_full) {
      for (const std::string& name : pin.found) fmt::print("        {}\n", name);
    }
  }
  for (const NamedPin& pin : statement.legality) fmt::print("      legality {}: {}\n", pin.file, pin.name);
  for (const NamedPin& pin : statement.tests) fmt::print("      test {}: {}\n", pin.file, pin.name);
  if (!statement.none.empty()) fmt::print("      none: {}\n", statement.none);
}

void PrintAsText(const std::vector<StatementSection>& sections) {
  int all = 0, with_cases = 0, pinned = 0;
  std::map<std::string, int> without;
  const bool in_full = sections.size() == 1 && sections[0].statements.size() == 1;
  for (const StatementSection& section : sections) {
    fmt::print("{}: {}{}\n", section.id(), section.heading,
               section.ops.empty() ? "" : " (" + JoinText(section.ops, ", ") + ")");
    for (const Statement& statement : section.statements) {
      fmt::print("  {} {}: {}\n", statement.id.substr(section.id().size() + 1), statement.kind, statement.text);
      PrintPins(statement, in_full);
      ++all;
      with_cases += !statement.cases.empty();
      pinned += statement.IsPinned();
      if (!statement.none.empty()) ++without[statement.none];
    }
  }
  fmt::print("{} statement{}: {} with cases, {} with legality texts or tests only, {} without", all,
             all == 1 ? "" : "s", with_cases, pinned - with_cases, all - pinned);
  std::string_view separator = " (";
  for (const auto& [reason, count] : without) {
    fmt::print("{}{} {}", separator, count, reason);
    separator = ", ";
  }
  fmt::print("{}\n", without.empty() ? "" : ")");
}

Result<int> PrintSpec(const SpecOptions& options) {
  ASSAY_TRY(const Specification specification, ReadSpecification(options.corpus));
  ASSAY_TRY(const std::vector<StatementSection> chosen, Choose(specification, options));
  if (options.format == "json") {
    PrintAsJson(chosen, specification.reasons);
  } else {
    PrintAsText(chosen);
  }
  return 0;
}

void AddSpecOptions(CLI::App& command, SpecOptions& options) {
  AddText(command, "name", options.name,
          "a heading of the specification, a function of XlaBuilder, an operation, a case, or the id of a statement");
  AddText(command, "--op", options.op, "only statements about this operation");
  AddFlag(command, "--without", options.is_without, "only statements that no case, legality text or test pins");
  AddFormat(command, options.format);
  AddCorpus(command, options.corpus);
}

}  // namespace

const Command command_spec = {
    .name = "spec",
    .help = "list the statements of the specification and the cases that pin them",
    .example = "assay spec ReduceWindow",
    .bind = BindCommand<SpecOptions, AddSpecOptions, PrintSpec>,
};

}  // namespace assay
