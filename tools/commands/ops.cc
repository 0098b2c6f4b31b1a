#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/cases/golden.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/custom_call_target.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/suggest.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"

namespace assay {
namespace {

struct OpsOptions {
  std::string name;  // of an operation; empty: all
  bool as_json = false;
  std::string corpus;
};

// Returns the types as text. A family of types that an op supports as a whole is one word.
std::string TypesText(TypeSet types) {
  struct Family {
    std::string_view name;
    bool (*contains)(PrimitiveType);
  };
  static constexpr Family kFamilies[] = {{"signed", IsSignedIntegralType},
                                         {"unsigned", IsUnsignedIntegralType},
                                         {"float", IsFloatingPointType},
                                         {"complex", IsComplexType}};
  std::string text;
  const auto append = [&](std::string_view word) {
    if (!text.empty()) text += ' ';
    text += word;
  };
  for (const Family& family : kFamilies) {
    const bool whole = std::ranges::all_of(
        ArrayTypes(), [&](PrimitiveType type) { return !family.contains(type) || types.contains(type); });
    if (whole) append(family.name);
    for (PrimitiveType type : ArrayTypes()) {
      if (!whole && family.contains(type) && types.contains(type)) append(PrimitiveTypeName(type));
    }
  }
  for (PrimitiveType type : {PRED, TUPLE, TOKEN, OPAQUE_TYPE}) {
    if (types.contains(type)) append(PrimitiveTypeName(type));
  }
  return text;
}

struct GoldenCounts {
  int all = 0;
  int seed = 0;  // from worked examples of the specification
};

nlohmann::json OpToJson(const Op& op, GoldenCounts goldens) {
  nlohmann::json types = nlohmann::json::array(), attributes = nlohmann::json::array();
  for (int type = 0; type < kPrimitiveTypeCount; ++type) {
    if (op.legality.types.contains(static_cast<PrimitiveType>(type))) {
      types.push_back(PrimitiveTypeName(static_cast<PrimitiveType>(type)));
    }
  }
  for (const AttributeSpec& spec : op.syntax.attributes) {
    nlohmann::json attribute = {{"name", spec.name}, {"required", spec.required}};
    if (!spec.enumerators.empty()) attribute["values"] = spec.enumerators;
    attributes.push_back(std::move(attribute));
  }
  nlohmann::json row = {{"name", op.name},
                        {"meaning", op.meaning},
                        {"evaluated", op.IsEvaluated()},
                        {"depends_on_device", op.evaluation.depends_on_device},
                        {"types", types},
                        {"types_text", TypesText(op.legality.types)},
                        {"attributes", attributes},
                        {"min_operands", op.legality.arity.min},
                        {"acceptance", RecordOf(AcceptanceOf(op).rule).name},
                        {"goldens", goldens.all},
                        {"seed_examples", goldens.seed}};
  if (op.legality.arity.max != Arity::kVariadic) row["max_operands"] = op.legality.arity.max;
  // Adds the allowance of the default profile if it differs from `known`.
  const auto add_allowance = [&](const char* key, PrimitiveType type, double known) {
    const double ulp = XlaProfile().AllowanceOf(op.name, type).ulp;
    if (ulp != known) row[key] = ulp;
  };
  add_allowance("ulp", F32, 0);
  add_allowance("f64_ulp", F64, XlaProfile().AllowanceOf(op.name, F32).ulp);
  add_allowance("complex_ulp", C64, 0);
  add_allowance("c128_ulp", C128, XlaProfile().AllowanceOf(op.name, C64).ulp);
  if (!op.IsEvaluated()) row["not_evaluated"] = op.evaluation.not_evaluated;
  return row;
}

nlohmann::json TargetsToJson() {
  nlohmann::json targets = nlohmann::json::array();
  for (const CustomCallTarget* target : AllCustomCallTargets()) {
    targets.push_back({{"names", NamesOf(*target)},
                       {"patterns", target->names},
                       {"meaning", target->meaning},
                       {"acceptance", RecordOf(AcceptanceOf(*target)).name}});
  }
  return targets;
}

// Returns the numbers of cases by op; an absent corpus has none.
std::map<std::string, GoldenCounts> CountGoldens(const std::string& corpus) {
  std::map<std::string, GoldenCounts> counts;
  const Result<std::vector<std::string>> files = FindGoldenFiles(corpus);
  if (!files) return counts;
  for (const std::string& path : *files) {
    const Result<std::string> text = ReadFile(path);
    const Result<GoldenFile> file = text ? ParseGoldenFile(path, *text) : Result<GoldenFile>(text.error());
    if (!file) continue;
    const int cases = static_cast<int>(file->cases.size());
    counts[file->op].all += cases;
    if (file->provenance == "seed") counts[file->op].seed += cases;
  }
  return counts;
}

Result<int> PrintOps(const OpsOptions& options) {
  if (!options.name.empty() && FindOp(options.name) == nullptr) {
    std::vector<std::string_view> names;
    for (const Op* op : AllOps()) names.push_back(op->name);
    return Error{ErrorCode::kUsage, fmt::format("{} is not an operation{}\nassay ops prints all of them", options.name,
                                                Suggest(options.name, names))};
  }
  std::map<std::string, GoldenCounts> goldens = CountGoldens(options.corpus);
  nlohmann::json rows = nlohmann::json::array();
  int evaluated = 0;
  if (!options.as_json) {
    fmt::print("{:<26} {:<10} {:>7} {:>5}  {}\n", "op", "evaluated", "goldens", "seed", "types of operand 0");
  }
  for (const Op* op : AllOps()) {
    if (!options.name.empty() && op->name != options.name) continue;
    const bool is_evaluated = op->IsEvaluated();
    evaluated += is_evaluated;
    const GoldenCounts counts = goldens[std::string(op->name)];
    if (options.as_json) {
      rows.push_back(OpToJson(*op, counts));
    } else {
      fmt::print("{:<26} {:<10} {:>7} {:>5}  {}{}\n", op->name, is_evaluated ? "yes" : "no", counts.all, counts.seed,
                 TypesText(op->legality.types), is_evaluated ? "" : fmt::format(" ({})", op->evaluation.not_evaluated));
    }
  }
  if (options.as_json) {
    nlohmann::json table = {{"ops", rows}};
    if (options.name.empty()) table["custom_call_targets"] = TargetsToJson();
    fmt::print("{}\n", JsonText(table, 2));
  } else if (options.name.empty()) {
    fmt::print("{} ops, {} evaluated\n", AllOps().size(), evaluated);
  }
  return 0;
}

void AddOpsOptions(CLI::App& command, OpsOptions& options) {
  AddText(command, "name", options.name, "only this operation");
  AddFlag(command, "--json", options.as_json, "as JSON");
  AddCorpus(command, options.corpus);
}

}  // namespace

const Command command_ops = {
    .name = "ops",
    .help = "print the op table",
    .example = "assay ops --json",
    .bind = BindCommand<OpsOptions, AddOpsOptions, PrintOps>,
};

}  // namespace assay
