#include "conformance/tracing/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/tracing/ranges.h"
#include "conformance/tracing/trace_json.h"
#include "interpreter/types/float_format.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/trace_text.h"

namespace assay {
namespace {

constexpr std::int64_t kMostRuns = 10000;

struct TraceCommandOptions : ProgramOptions {
  std::vector<std::string> more_inputs;  // further files as --inputs, a run each
  std::int64_t runs = 1;                 // with inputs of the seed and the following ones
  std::string first;                     // an event; empty: nan, or with --all every one
  bool all = false;
  bool ranges = false;
  std::string types = "bf16,f16,f8e4m3fn,f8e5m2";
  std::string json;  // a file; empty: none
};

// Returns the arguments of each run: those of --inputs or of the seed, then those of --more-inputs or further seeds.
Result<std::vector<DeviceValues>> ReadRuns(const TraceCommandOptions& options, const LoadedModule& loaded) {
  ASSAY_TRY(Inputs inputs, LoadInputs(loaded, options.inputs));
  if (options.runs > 1 && !inputs.are_seeded) {
    return Error{ErrorCode::kUsage, "--runs makes inputs from further seeds: expected no given or recorded inputs"};
  }
  std::vector<DeviceValues> runs = {std::move(inputs.per_device)};
  const auto add = [&](InputOptions further) -> Status {
    further.written_file.clear();
    ASSAY_TRY(Inputs more, ReadInputs(*loaded.module, further));
    runs.push_back(std::move(more.per_device));
    return {};
  };
  for (std::int64_t i = 1; i < options.runs; ++i) {
    InputOptions further = options.inputs;
    further.seed += static_cast<std::uint64_t>(i);
    ASSAY_CHECK_OK(add(std::move(further)));
  }
  for (const std::string& file : options.more_inputs) {
    InputOptions further = options.inputs;
    further.inputs.clear();
    further.inputs_file = file;
    ASSAY_CHECK_OK(add(std::move(further)));
  }
  return runs;
}

Result<std::vector<TracedEvent>> EventsOf(const TraceCommandOptions& options) {
  if (options.first.empty()) return options.all ? AllTracedEvents() : std::vector<TracedEvent>{{FloatEvent::kNan}};
  Result<TracedEvent> event = ParseTracedEvent(options.first);
  if (!event) return Error{ErrorCode::kUsage, "--first: " + event.error().message};
  return std::vector<TracedEvent>{*event};
}

Result<std::vector<PrimitiveType>> TypesOfList(std::string_view list) {
  std::vector<PrimitiveType> types;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    const std::optional<PrimitiveType> type = PrimitiveTypeFromName(name);
    if (!type || !IsFloatingPointType(*type) || !FloatFormatOf(*type).has_zero) {
      return Error{ErrorCode::kUsage,
                   fmt::format("--types: expected float types that have a zero, as bf16,f8e4m3fn, found {}", name)};
    }
    types.push_back(*type);
  }
  if (types.empty()) return Error{ErrorCode::kUsage, "--types: expected a float type"};
  return types;
}

// The events and float types that the options name.
struct TraceRequest {
  std::vector<TracedEvent> events;  // empty: only ranges
  std::vector<PrimitiveType> types;
};

Result<TraceRequest> ReadRequest(const TraceCommandOptions& options) {
  TraceRequest request;
  if (options.ranges) {
    ASSAY_TRY(request.types, TypesOfList(options.types));
  }
  if (!options.ranges || !options.first.empty() || options.all) {
    ASSAY_TRY(request.events, EventsOf(options));
  }
  return request;
}

// The findings of a trace.
struct TraceOutcome {
  nlohmann::json json;
  bool has_events = false;  // an instruction makes one, or the results hold one
};

// Traces the module and prints what it finds.
Result<TraceOutcome> TraceRuns(const TraceCommandOptions& options, const TraceRequest& request, const HloModule& module,
                               std::span<const DeviceValues> runs) {
  TraceOutcome outcome = {{{"module", module.name}, {"runs", runs.size()}}};
  const EvaluationLimits limits = options.common.limits();
  if (options.ranges) {
    ASSAY_TRY(const std::vector<ValueRange> ranges, FindRanges(module, runs, request.types, limits));
    PrintRanges(ranges);
    outcome.json["ranges"] = RangesToJson(ranges);
  }
  if (request.events.empty()) return outcome;
  ASSAY_TRY(const EventTrace trace, TraceModule(module, runs, request.events, limits));
  PrintTrace(trace, request.events, options.all, runs.size());
  outcome.json.update(TraceToJson(trace, request.events));
  outcome.has_events = !trace.findings.empty() || std::ranges::any_of(trace.in_results, [](auto n) { return n > 0; });
  return outcome;
}

Result<int> RunTrace(const TraceCommandOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  ASSAY_TRY(const TraceRequest request, ReadRequest(options));
  const Result<LoadedModule> loaded = LoadModule(options.module, options.devices, options.inputs);
  if (!loaded) return ExitCode(loaded.error());
  ASSAY_TRY(const std::vector<DeviceValues> runs, ReadRuns(options, *loaded));
  const Result<TraceOutcome> outcome = TraceRuns(options, request, *loaded->module, runs);
  if (!outcome) return Fail(outcome.error(), loaded->file.file_name, loaded->file.text);
  if (!options.json.empty()) {
    ASSAY_CHECK_OK(WriteFileAtomically(options.json, JsonText(outcome->json, 2) + "\n"));
  }
  return !options.first.empty() && outcome->has_events ? 1 : 0;
}

void AddTraceOptions(CLI::App& command, TraceCommandOptions& options) {
  AddModule(command, options.module);
  AddText(command, "--first", options.first,
          "name the first instruction that makes this: nan, inf, subnormal, overflow or cancellation>2^K "
          "(default: nan)");
  AddFlag(command, "--all", options.all, "name every instruction that makes it; without --first, all of these");
  AddFlag(command, "--ranges", options.ranges, "the range of the values of each instruction, and how they fit types");
  AddText(command, "--types", options.types, "the float types of --ranges (default: bf16,f16,f8e4m3fn,f8e5m2)");
  AddNumber(command, "--runs", options.runs, "runs, with inputs of the seed and of those that follow it", 1, kMostRuns);
  AddTexts(command, "--more-inputs", options.more_inputs, "further files as --inputs, each for one more run");
  AddText(command, "--json", options.json, "a JSON file for everything that was found");
  AddProgram(command, options);
}

}  // namespace

const Command command_trace = {
    .name = "trace",
    .help = "name the first instruction that makes a NaN, an infinity, an overflow or a cancellation",
    .example = "assay trace m.hlo --first nan --input x.npy; assay trace m.hlo --ranges --types bf16,f8e4m3fn",
    .bind = BindCommand<TraceCommandOptions, AddTraceOptions, RunTrace>,
};

}  // namespace assay
