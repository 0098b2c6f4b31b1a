#include "conformance/exporting/suite_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/cases/golden.h"
#include "conformance/exporting/npz.h"
#include "conformance/exporting/sha256.h"
#include "conformance/exporting/suite_texts.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/stablehlo/from_hlo.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int kSchema = 1;

struct SuiteText {
  const char* name;
  const char* text;
  bool is_pytest = false;
};
constexpr SuiteText kTexts[] = {
    {"run_suite.py", kRunSuite},         {"suite_cases.py", kSuiteCases},
    {"interpret.py", kInterpret},        {"xla_cpu.py", kXlaCpu},
    {"iree_cpu.py", kIreeCpu},           {"stablehlo_cpu.py", kStableHloCpu},
    {"test_suite.py", kTestSuite, true}, {"conftest.py", kConftest, true},
};

// "add/f32" of "add/f32/ties"
std::string FileOf(const std::string& case_name) { return case_name.substr(0, case_name.rfind('/')); }

json NamesToJson(const std::map<std::string, std::vector<std::string>>& names_by_reason) {
  json rows = json::object();
  for (auto [reason, names] : names_by_reason) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());  // a neighbour of several refused cases
    rows[reason] = std::move(names);
  }
  return rows;
}

}  // namespace

void SuiteWriter::LeaveOut(const std::string& name, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  left_out_[reason].push_back(name);
}

Status SuiteWriter::Write(const std::string& path, const std::string& bytes) {
  const fs::path whole = fs::path(folder_) / path;
  std::error_code error;
  fs::create_directories(whole.parent_path(), error);
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", whole.parent_path().string(), error.message())};
  ASSAY_CHECK_OK(WriteFileAtomically(whole.string(), bytes));
  std::string digest = Sha256(bytes);
  const std::lock_guard lock(mutex_);
  files_[path] = std::move(digest);
  return {};
}

Result<std::string> SuiteWriter::WriteModule(const GoldenCase& golden, const HloModule& module) {
  const std::string entry = golden.entry.empty() ? "" : "." + golden.entry;
  std::string path = fmt::format("modules/{}{}{}", FileOf(golden.name), entry, format_.extension);
  {
    const std::lock_guard lock(mutex_);
    if (files_.contains(path)) return path;
  }
  ASSAY_TRY(const std::string text, format_.print(module));
  ASSAY_CHECK_OK(Write(path, text));
  return path;
}

Result<json> SuiteWriter::ExportRefused(const GoldenFile& file, GoldenModules& modules, const GoldenCase& golden) {
  if (!format_.takes_refused) {
    return Error{ErrorCode::kUnsupported, "an illegal module, which a backend must refuse, has no translation"};
  }
  ASSAY_TRY(const std::unique_ptr<HloModule> module, modules.Refused(golden));
  json row = {{"name", golden.name}, {"why", golden.reason}, {"refused", golden.refused}};
  ASSAY_TRY(row["module"], WriteModule(golden, *module));
  ASSAY_TRY(const NamedCase neighbour, FindNeighbour(file, golden));
  GoldenModules legal(neighbour.file);
  ASSAY_TRY(row["neighbour"], Export(neighbour.file, legal, neighbour.golden));
  return row;
}

Result<json> SuiteWriter::Export(const GoldenFile& file, GoldenModules& modules, const GoldenCase& golden) {
  if (golden.has_host()) return Error{ErrorCode::kUnsupported, "infeed and outfeed need a host"};
  if (!golden.refused.empty()) return ExportRefused(file, modules, golden);
  ASSAY_TRY(const std::unique_ptr<HloModule> module, modules.WithEntry(golden.entry));
  ASSAY_TRY(std::string path, WriteModule(golden, *module));
  ASSAY_TRY(const ExportedCase exported, ExportCase(file, golden, *module, options_.profile, options_.limits));
  json row = CaseToJson(exported);
  if (format_.has_npz) {
    row["npz"] = fmt::format("arrays/{}.npz", golden.name);
    ASSAY_CHECK_OK(Write(row["npz"], NpzBytes(CaseToArrays(exported))));
    for (const char* list : {"inputs", "outputs"}) {
      for (json& array : row[list]) array = {{"shape", array["shape"]}};
    }
  }
  row["name"] = golden.name;
  row["why"] = golden.reason;
  row["module"] = std::move(path);
  if (module->device_count() > 1) {
    row["devices"] = {{"replicas", module->replica_count}, {"partitions", module->num_partitions}};
  }
  if (exported.accepted.undecided.empty()) return row;
  row["undecided"] = exported.accepted.undecided;
  const std::lock_guard lock(mutex_);
  undecided_[exported.accepted.undecided].push_back(golden.name);
  return row;
}

Status SuiteWriter::AddCases(const CaseFile& file, json& cases) {
  Status written;
  const Status read = VisitCases(
      file.path, options_, [&](const GoldenFile& golden_file, GoldenModules& modules, const GoldenCase& golden) {
        if (!written) return;
        Result<json> row = WithoutThrowing([&] { return Export(golden_file, modules, golden); });
        if (row) {
          cases.push_back(*std::move(row));
        } else if (row.error().code == ErrorCode::kIo) {
          written = row.error();
        } else {
          LeaveOut(golden.name, row.error().message);
        }
      });
  if (!read) LeaveOut(file.path, read.error().message);
  return written;
}

Status SuiteWriter::Add(const CaseFile& file) {
  if (file.is_model) {
    LeaveOut(ModelName(file.path), "a model is judged instruction by instruction");
    return {};
  }
  json cases = json::array();
  ASSAY_CHECK_OK(AddCases(file, cases));
  if (cases.empty()) return {};
  const std::string name = FileOf(cases[0]["name"]);
  {
    const std::lock_guard lock(mutex_);
    exported_ += std::ssize(cases);
  }
  return Write(fmt::format("cases/{}.json", name), JsonText({{"schema", kSchema}, {"cases", std::move(cases)}}) + "\n");
}

Result<json> SuiteWriter::Finish(json run) {
  for (const SuiteText& text : kTexts) {
    if (!text.is_pytest || format_.has_pytest) ASSAY_CHECK_OK(Write(text.name, text.text));
  }
  run["schema"] = kSchema;
  run["format"] = format_.name;
  run["cases"] = exported_;
  run["undecided"] = NamesToJson(undecided_);
  run["not_exported"] = NamesToJson(left_out_);
  run["files"] = files_;
  ASSAY_CHECK_OK(WriteFileAtomically((fs::path(folder_) / "manifest.json").string(), JsonText(run, 1) + "\n"));
  return run;
}

namespace {

Result<std::string> AsHlo(const HloModule& module) { return PrintHloModule(module, PrintOptions::Exact()); }

Result<std::string> AsStableHlo(const HloModule& module) {
  ASSAY_TRY(const stablehlo::Program program, stablehlo::FromHlo(module));
  return stablehlo::ToText(program);
}

// Programs of StableHLO keep their text, with the types and operations that HLO lacks.
Result<std::string> AsItCame(const HloModule& module) {
  const std::string* source = module.source ? SourceOf(module, PrintHloModule(module, PrintOptions::Exact())) : nullptr;
  return source != nullptr ? Result<std::string>(*source) : AsStableHlo(module);
}

constexpr SuiteFormat kFormats[] = {
    {.name = "stablehlo", .extension = ".mlir", .print = AsStableHlo},
    {.name = "stablehlo-source", .extension = ".mlir", .print = AsItCame},
    {.name = "hlo", .extension = ".hlo", .print = AsHlo, .takes_refused = true},
    {.name = "npz", .extension = ".mlir", .print = AsStableHlo, .has_npz = true},
    {.name = "pytest", .extension = ".mlir", .print = AsStableHlo, .has_pytest = true},
};

}  // namespace

std::span<const SuiteFormat> SuiteFormats() { return kFormats; }

}  // namespace assay
