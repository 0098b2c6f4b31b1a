#include "conformance/report_json.h"

namespace assay {

nlohmann::json JudgementToJson(const Judgement& judgement) {
  nlohmann::json json = {{"verdict", VerdictName(judgement.verdict)},
                         {"elements", judgement.elements},
                         {"not_exact", judgement.not_exact}};
  if (!judgement.reason.empty()) json["reason"] = judgement.reason;
  if (judgement.not_exact > 0) {
    json["worst"] = {{"tuple_index", judgement.worst.tuple_index},
                     {"offset", judgement.worst.offset},
                     {"got", judgement.worst.got},
                     {"want", judgement.worst.want},
                     {"share", judgement.worst.share}};
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
  return {{"name", name},
          {"verdict", VerdictName(report.verdict)},
          {"reason", report.reason},
          {"outputs", JudgementToJson(report.outputs)},
          {"was_cut", report.was_cut},
          {"pieces", report.pieces},
          {"pieces_exact", report.pieces_exact},
          {"pieces_of_devices", report.pieces_of_devices},
          {"offenders", std::move(offenders)},
          {"reference_seconds", report.reference_seconds},
          {"backend_seconds", report.backend_seconds}};
}

}  // namespace assay
