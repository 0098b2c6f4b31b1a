#include "conformance/reports/report_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace assay {
namespace {

struct MetricField {
  const char* name;
  double ArrayMetrics::*number;
  bool may_be_undefined;  // null is NaN; otherwise null is infinity
};
constexpr MetricField kMetricFields[] = {
    {"pcc", &ArrayMetrics::pcc, true},
    {"cosine", &ArrayMetrics::cosine, true},
    {"relative_l2", &ArrayMetrics::relative_l2, true},
    {"max_ulps", &ArrayMetrics::max_ulps, false},
    {"max_absolute", &ArrayMetrics::max_absolute, false},
    {"max_relative", &ArrayMetrics::max_relative, false},
};

}  // namespace

void AddMetrics(Verdict verdict, std::span<const ArrayMetrics> metrics, nlohmann::json& json) {
  for (const ArrayMetrics& of_array : metrics) {
    nlohmann::json object = {
        {"tuple_index", of_array.tuple_index},
        {"allclose", {{"numpy", of_array.is_close_by_numpy}, {"torch", of_array.is_close_by_torch}}}};
    for (const auto& [name, number, may_be_undefined] : kMetricFields) {
      const double value = of_array.*number;
      object[name] = std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
    }
    json["metrics"].push_back(std::move(object));
  }
  for (const auto& [gate, passes] : GateErrors(verdict, metrics)) {
    json["gate_errors"].push_back({{"gate", gate}, {"passes", passes}});
  }
}

std::vector<ArrayMetrics> MetricsFromJson(const nlohmann::json& json) {
  std::vector<ArrayMetrics> metrics;
  for (const nlohmann::json& object : json.value("metrics", nlohmann::json::array())) {
    ArrayMetrics& of_array = metrics.emplace_back();
    object.at("tuple_index").get_to(of_array.tuple_index);
    object.at("allclose").at("numpy").get_to(of_array.is_close_by_numpy);
    object.at("allclose").at("torch").get_to(of_array.is_close_by_torch);
    for (const auto& [name, number, may_be_undefined] : kMetricFields) {
      const nlohmann::json& value = object.at(name);
      using Limits = std::numeric_limits<double>;
      of_array.*number = !value.is_null()   ? value.get<double>()
                         : may_be_undefined ? Limits::quiet_NaN()
                                            : Limits::infinity();
    }
  }
  return metrics;
}

nlohmann::json JudgementToJson(const Judgement& judgement) {
  nlohmann::json json = {{"verdict", VerdictName(judgement.verdict)},
                         {"elements", judgement.elements},
                         {"not_exact", judgement.not_exact}};
  if (!judgement.reason.empty()) json["reason"] = judgement.reason;
  if (judgement.not_exact > 0) {
    json["worst"] = {{"element", judgement.worst.name},  {"tuple_index", judgement.worst.tuple_index},
                     {"offset", judgement.worst.offset}, {"got", judgement.worst.got},
                     {"want", judgement.worst.want},     {"share", judgement.worst.share}};
    if (!judgement.worst.inputs.empty()) json["worst"]["inputs"] = judgement.worst.inputs;
    if (!judgement.worst.exact.empty()) json["worst"]["exact"] = judgement.worst.exact;
    for (const Tally& tally : judgement.tallies) {
      json["tallies"].push_back(
          {{"verdict", VerdictName(tally.verdict)}, {"reason", tally.reason}, {"elements", tally.elements}});
    }
    if (judgement.worst.ulps) json["worst"]["ulps"] = *judgement.worst.ulps;
  }
  return json;
}

nlohmann::json ReportToJson(const std::string& name, const ModuleReport& report) {
  nlohmann::json offenders = nlohmann::json::array();
  for (const PieceReport& offender : report.offenders) {
    nlohmann::json entry = JudgementToJson(offender.judgement);
    entry["instruction"] = offender.instruction;
    entry["line"] = offender.line;
    offenders.push_back(std::move(entry));
  }
  nlohmann::json json = {{"name", name},
                         {"verdict", VerdictName(report.verdict)},
                         {"reason", report.reason},
                         {"outputs", JudgementToJson(report.outputs)},
                         {"distinct_values", report.distinct_values},
                         {"has_sets", report.has_sets},
                         {"was_cut", report.was_cut},
                         {"on_own_values", report.on_own_values},
                         {"pieces", report.pieces},
                         {"pieces_exact", report.pieces_exact},
                         {"pieces_of_devices", report.pieces_of_devices},
                         {"offenders", std::move(offenders)},
                         {"reference_seconds", report.reference_seconds},
                         {"backend_seconds", report.backend_seconds}};
  if (const PieceReport* const blamed = report.blamed()) {
    json["blamed"] = {{"instruction", blamed->instruction}, {"line", blamed->line}};
  }
  AddMetrics(report.verdict, report.metrics, json);
  return json;
}

Verdict VerdictFromJson(const nlohmann::json& json) {
  const std::optional<Verdict> verdict = FindVerdict(json.get_ref<const std::string&>());
  if (!verdict) throw nlohmann::json::other_error::create(501, "no verdict", nullptr);
  return *verdict;
}

Judgement JudgementFromJson(const nlohmann::json& json) {
  Judgement judgement;
  judgement.verdict = VerdictFromJson(json.at("verdict"));
  judgement.reason = json.value("reason", "");
  json.at("elements").get_to(judgement.elements);
  json.at("not_exact").get_to(judgement.not_exact);
  if (judgement.not_exact == 0) return judgement;
  const nlohmann::json& from = json.at("worst");
  ElementReport& worst = judgement.worst;
  from.at("tuple_index").get_to(worst.tuple_index);
  from.at("offset").get_to(worst.offset);
  from.at("element").get_to(worst.name);
  from.at("got").get_to(worst.got);
  from.at("want").get_to(worst.want);
  // JSON has no infinity: null represents it.
  worst.share = from.at("share").is_null() ? std::numeric_limits<double>::infinity() : from["share"].get<double>();
  if (from.contains("inputs")) from["inputs"].get_to(worst.inputs);
  worst.exact = from.value("exact", "");
  if (from.contains("ulps")) worst.ulps = from["ulps"].get<double>();
  for (const nlohmann::json& tally : json.value("tallies", nlohmann::json::array())) {
    judgement.tallies.push_back({VerdictFromJson(tally.at("verdict")), tally.at("reason").get<std::string>(),
                                 tally.at("elements").get<std::int64_t>()});
  }
  return judgement;
}

ModuleReport ReportFromJson(const nlohmann::json& json) {
  ModuleReport report;
  report.verdict = VerdictFromJson(json.at("verdict"));
  json.at("reason").get_to(report.reason);
  report.outputs = JudgementFromJson(json.at("outputs"));
  json.at("distinct_values").get_to(report.distinct_values);
  json.at("has_sets").get_to(report.has_sets);
  json.at("was_cut").get_to(report.was_cut);
  json.at("on_own_values").get_to(report.on_own_values);
  json.at("pieces").get_to(report.pieces);
  json.at("pieces_exact").get_to(report.pieces_exact);
  json.at("pieces_of_devices").get_to(report.pieces_of_devices);
  for (const nlohmann::json& offender : json.at("offenders")) {
    report.offenders.push_back(
        {offender.at("instruction").get<std::string>(), offender.at("line").get<int>(), JudgementFromJson(offender)});
  }
  report.metrics = MetricsFromJson(json);
  json.at("reference_seconds").get_to(report.reference_seconds);
  json.at("backend_seconds").get_to(report.backend_seconds);
  return report;
}

}  // namespace assay
