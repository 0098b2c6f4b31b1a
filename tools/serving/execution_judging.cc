// The request that judges an execution of a framework's program on a PJRT plugin (backends/pjrt/device/shadow/).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "backends/pjrt/device/whole_program.h"
#include "conformance/diagnosis/failure.h"
#include "conformance/diagnosis/subject.h"
#include "conformance/reports/report_json.h"
#include "fuzz/findings.h"
#include "interpreter/hlo/clone.h"
#include "tools/serving/judging_server.h"

namespace assay {
namespace {

using nlohmann::json;
using pjrt::ShardedValue;
using pjrt::WholeProgram;

// Returns the shapes of the buffers of values on one device. Frameworks pass a token as an array without elements.
std::vector<Shape> ShapesOfBuffers(const std::vector<ShardedValue>& values) {
  std::vector<Shape> shapes;
  for (const ShardedValue& value : values) {
    shapes.push_back(value.part.IsToken() ? ShapeUtil::MakeShape(PRED, {0}) : value.part);
  }
  return shapes;
}

DeviceValues WithTokens(DeviceValues parts, const std::vector<ShardedValue>& values) {
  for (std::vector<Literal>& of_device : parts) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].part.IsToken()) of_device[i] = Literal::MakeToken();
    }
  }
  return parts;
}

// Returns the different values of the module's results that the devices hold: the copies of an array need not be equal.
std::vector<PerDevice<Literal>> DifferentResults(const WholeProgram& program, const DeviceValues& parts) {
  std::vector<PerDevice<Literal>> all;
  for (std::int64_t partition = 0; partition < (program.runs_once() ? program.partitions() : 1); ++partition) {
    PerDevice<Literal> outputs = program.JoinResults(parts, partition);
    const bool is_known = std::ranges::any_of(all, [&](const PerDevice<Literal>& other) {
      return std::ranges::equal(other, outputs, [](const Literal& a, const Literal& b) { return a.BitwiseEqual(b); });
    });
    if (!is_known) all.push_back(std::move(outputs));
  }
  return all;
}

// Compares given outputs with the reference. The plugin runs parts of the module only if this process can open it; a
// device may allow one process only.
Result<ModuleReport> CompareGiven(const BackendOpener& open, const HloModule& module, const DeviceValues& arguments,
                                  const PerDevice<Literal>& outputs, const CompareOptions& options) {
  GivenOutputs given(open, module, arguments, outputs);
  ASSAY_TRY(ModuleReport report, CompareModule(given, module, arguments, options));
  if (!given.opening_error()) return report;
  GivenOutputs alone(nullptr, module, arguments, outputs);
  return CompareModule(alone, module, arguments, options);
}

std::string TextField(const json& request, const char* field) {
  const json value = request.value(field, json(""));
  return value.is_string() ? value.get<std::string>() : "";
}

// Reads a list of shardings as texts. Returns nothing if the request has none.
Result<std::optional<std::vector<std::string>>> ShardingsOf(const json& request, const char* field) {
  if (!request.contains(field)) return std::optional<std::vector<std::string>>();
  const json& list = request[field];
  if (list.is_array() && std::ranges::all_of(list, [](const json& one) { return one.is_string(); })) {
    return std::optional(list.get<std::vector<std::string>>());
  }
  return Error{ErrorCode::kInput, fmt::format("{} must be a list of texts", field)};
}

// Writes a failure to the folder of findings. Returns the path of its subfolder.
Result<std::string> WriteFinding(const json& request, const std::string& folder, const ModuleReport& report,
                                 const WholeProgram& program, const DeviceValues& arguments) {
  const HloModule& module = program.module();
  const Subject subject = {CloneModule(module), arguments};
  Finding finding = {
      .signature = SignatureOf(FailureOf(report, module), subject, ""),
      .verdict = std::string(VerdictName(report.verdict)),
      .reason = report.reason,
      .backend = TextField(request, "backend"),
      .version = TextField(request, "version"),
      .profile = TextField(request, "profile"),
      .pass = "",
      .source = fmt::format("execution {} of {}", JsonText(request.value("execution", json(0))), program.name()),
      .number = Finding::kNotDrawn,
      .instructions = SizeOf(subject).instructions,
      .replicas = module.replica_count,
      .partitions = module.num_partitions};
  ASSAY_TRY(FindingsFolder findings, FindingsFolder::Open(folder));
  if (!findings.Has(finding.signature)) ASSAY_CHECK_OK(findings.Add(finding, subject));
  return fmt::format("{}/{}", folder, finding.signature);
}

}  // namespace

Result<json> JudgingServer::JudgeExecution(const json& request, const std::string& path) {
  ASSAY_TRY(const std::string bytes, ReadFile(path));
  ASSAY_TRY(pjrt::ProgramSource source, pjrt::ProgramSource::Deserialize(bytes));
  pjrt::EntryShardings shardings;
  ASSAY_TRY(shardings.parameters, ShardingsOf(request, "parameter_shardings"));
  ASSAY_TRY(shardings.results, ShardingsOf(request, "result_shardings"));
  ASSAY_TRY(const WholeProgram program, WholeProgram::Read(std::move(source), shardings));
  if (std::ranges::any_of(program.results(), [](const pjrt::ShardedValue& result) { return result.tiles.is_sum(); })) {
    return Error{ErrorCode::kUnsupported, "a result is unreduced: a sum over devices that is yet to be made"};
  }
  const std::int64_t devices = program.replicas() * program.partitions();
  ASSAY_TRY(DeviceValues inputs, ReadLists(request, "inputs", devices, ShapesOfBuffers(program.parameters())));
  ASSAY_TRY(DeviceValues outputs, ReadLists(request, "outputs", devices, ShapesOfBuffers(program.results())));
  const DeviceValues arguments = program.JoinArguments(WithTokens(std::move(inputs), program.parameters()));
  outputs = WithTokens(std::move(outputs), program.results());
  ASSAY_TRY(const CompareOptions compare, OptionsOf(request));
  const bool runs_pieces = request.value("runs_pieces", json(false)) == json(true);
  const BackendOpener open = runs_pieces ? [&] { return OpenNamed(request); } : BackendOpener();
  std::optional<ModuleReport> worst;
  for (const PerDevice<Literal>& results : DifferentResults(program, outputs)) {
    ASSAY_TRY(ModuleReport report, CompareGiven(open, program.module(), arguments, results, compare));
    if (!worst || report.verdict > worst->verdict) worst = std::move(report);
  }
  json reply = {{"report", ReportToJson(program.name(), *worst)}, {"profile", compare.profile.name()}};
  const std::string folder = TextField(request, "findings");
  if (!IsFailure(worst->verdict) || folder.empty()) return reply;
  ASSAY_TRY(reply["finding"], WriteFinding(request, folder, *worst, program, arguments));
  return reply;
}

}  // namespace assay
