#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "backends/json/json_text.h"
#include "conformance/orders/order_promise.h"
#include "conformance/orders/sum_arithmetic.h"
#include "conformance/orders/sum_probe.h"
#include "conformance/orders/summation_tree.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

// Beyond this number of terms the brackets do not help a reader.
constexpr int kMostTermsInBrackets = 32;

struct OrderOptions {
  ModuleOptions module;
  std::string backend;
  std::string op = "reduce";
  std::string type = "f32";
  std::int64_t size = 32;
  std::int64_t element = -1;
  std::int64_t trials = 100;
  std::int64_t seed = 0;
  std::string format = "text";
  double case_timeout = 60;
  CommonOptions common;
};

struct FoundOrder {
  SummationTree tree;
  SumArithmetic arithmetic;
  OrderTrials trials;
};

Result<std::unique_ptr<HloModule>> ModuleOfOptions(const OrderOptions& options) {
  if (!options.module.file.empty()) {
    ASSAY_TRY(LoadedModule loaded, LoadModule(options.module, {}, {}));
    return std::move(loaded.module);
  }
  const auto type = PrimitiveTypeFromName(options.type);
  if (!type || !IsFloatingPointType(*type)) {
    return Error{ErrorCode::kUsage, fmt::format("--type {}: expected a float type", options.type)};
  }
  return MakeSumModule(options.op, *type, options.size);
}

// A sum that keeps every term beneath a mask is exact.
Result<bool> IsExact(SumProbe& probe) {
  if (probe.terms() < 3) return false;
  for (const auto& [a, b] : {std::pair(0, 1), {0, 2}, {1, 2}}) {
    ASSAY_TRY(const int size, probe.SizeOfCommonSum(a, b));
    if (size > 2) return false;
  }
  return true;
}

Result<FoundOrder> FindOrder(SumProbe& probe, const OrderOptions& options) {
  FoundOrder found;
  ASSAY_TRY(found.tree, FindSummationTree(probe.terms(), [&](int a, int b) { return probe.SizeOfCommonSum(a, b); }));
  ASSAY_TRY(found.arithmetic, MeasureArithmetic(probe, found.tree));
  ASSAY_TRY(found.trials,
            TryOrder(probe, found.tree, found.arithmetic, options.trials, static_cast<std::uint64_t>(options.seed)));
  return found;
}

// Returns the members of a profile that promise what was found; an empty object if a profile cannot say it. `source` is
// the backend.
nlohmann::json ProfileOf(const HloModule& module, const SumProbe& probe, const FoundOrder& found,
                         const std::string& source) {
  nlohmann::json profile = nlohmann::json::object();
  const int bits = probe.term_format().precision();
  const bool is_wide =
      std::ranges::all_of(found.arithmetic.sums, [&](const PartialSum& sum) { return sum.precision > bits; });
  if (probe.term_format().bits() <= 16 && is_wide) profile["freedoms"] = {{"narrow_accumulator", nullptr}};
  const bool is_complete = found.trials.equal == found.trials.trials;
  std::optional<Profile::Promise> promise = PromiseOf(module, probe, found.tree, found.arithmetic);
  if (!is_complete || !promise) return profile;
  promise->source = source;
  profile["orders"] = nlohmann::json::array({PromiseToJson(*promise)});
  return profile;
}

std::string OrderText(const FoundOrder& found, const SumProbe& probe, const nlohmann::json& profile) {
  std::string text = fmt::format("order: {}\n{}", DescribeTree(found.tree), DrawTree(found.tree));
  if (found.tree.terms <= kMostTermsInBrackets) text += fmt::format("brackets: {}\n", found.tree.Brackets());
  text += fmt::format("arithmetic: {}\n", found.arithmetic.ToString(probe.term_format()));
  text += fmt::format("checked: {} of {} random sums have the bits of this order\n", found.trials.equal,
                      found.trials.trials);
  for (const auto& [name, value] : profile.items()) {
    text += fmt::format("a profile can promise: \"{}\": {}\n", name, value.dump());
  }
  return text;
}

nlohmann::json OrderJson(const FoundOrder& found, const nlohmann::json& profile) {
  nlohmann::json json = {{"order", DescribeTree(found.tree)}, {"tree", found.tree.ToJson()},
                         {"brackets", found.tree.Brackets()}, {"arithmetic", found.arithmetic.ToJson()},
                         {"trials", found.trials.trials},     {"equal", found.trials.equal}};
  if (!profile.empty()) json["promise"] = profile;
  return json;
}

Result<int> FindAndPrint(const OrderOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  ASSAY_TRY(const std::unique_ptr<HloModule> module, ModuleOfOptions(options));
  ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenBackend(options.backend, options.case_timeout));
  ASSAY_TRY(SumProbe probe, SumProbe::Open(*backend, *module, options.element));
  const std::string what =
      options.module.file.empty() ? fmt::format("{} {}", options.op, options.type) : DisplayName(options.module.file);
  const BackendDescription& description = backend->description();
  nlohmann::json json = {
      {"backend", description.name}, {"version", description.version}, {"sum", what}, {"terms", probe.terms()}};
  std::string text =
      fmt::format("{}, {} terms, on {} {}\n", what, probe.terms(), description.name, description.version);
  ASSAY_TRY(const bool is_exact, IsExact(probe));
  bool holds = true;
  if (is_exact) {
    text += "order: none can be seen: the sum is exact, or its accumulators are wider than the distance of the masks\n";
    json["order"] = "exact";
  } else {
    ASSAY_TRY(const FoundOrder found, FindOrder(probe, options));
    const nlohmann::json profile =
        ProfileOf(*module, probe, found, fmt::format("{} {}", description.name, description.version));
    text += OrderText(found, probe, profile);
    json.update(OrderJson(found, profile));
    holds = found.trials.equal == found.trials.trials;
  }
  json["runs"] = probe.runs();
  text += fmt::format("runs: {}\n", probe.runs());
  fmt::print("{}", options.format == "json" ? JsonText(json, 1) + "\n" : ForTerminal(text));
  return holds ? 0 : 1;
}

void AddOrderOptions(CLI::App& command, OrderOptions& options) {
  std::vector<std::string> names;
  for (const SumProgram& program : SumPrograms()) names.emplace_back(program.name);
  AddText(command, "module", options.module.file,
          "a module whose result is a sum of its first parameter (default: the one of --op)");
  AddBackend(command, options.backend, "the backend that adds");
  AddChoice(command, "--op", options.op, names, "the sum, without a module");
  AddText(command, "--type", options.type, "its element type, a float type (default: f32)");
  AddNumber(command, "--size", options.size, "its number of terms", 1, 4096);
  AddNumber(command, "--element", options.element, "the element of the result, row-major (default: the last one)", 0);
  AddNumber(command, "--trials", options.trials, "random sums that check the order", 0, 1000000);
  AddNumber(command, "--seed", options.seed, "the seed of their terms", 0);
  AddFormat(command, options.format);
  AddTimeout(command, options.case_timeout, "one request");
  AddModuleReading(command, options.module);
  AddLimits(command, options.common);
}

}  // namespace

const Command command_order = {
    .name = "order",
    .help = "find the order in which a backend adds the terms of a sum",
    .example = "assay order --backend xla-cpu --op dot --size 64",
    .bind = BindCommand<OrderOptions, AddOrderOptions, FindAndPrint>,
};

}  // namespace assay
