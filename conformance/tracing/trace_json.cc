#include "conformance/tracing/trace_json.h"

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/tracing/named_ops.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/source_place.h"
#include "interpreter/types/primitive_type.h"

namespace assay {
namespace {

using nlohmann::json;

json InstructionToJson(const HloInstruction& instruction, const std::optional<SourcePlace>& place) {
  json object = {{"name", instruction.name},
                 {"text", TextWithoutMetadata(instruction)},
                 {"line", instruction.location.line},
                 {"computation", instruction.parent->name}};
  if (place) {
    object["source"] = {{"file", place->file}, {"line", place->line}, {"op_name", place->op_name}};
  }
  return object;
}

json CallsToJson(const EventFinding& finding) {
  json calls = json::array();
  for (const auto& [caller, callee, call] : finding.calls) {
    calls.push_back({{"instruction", caller->name}, {"line", caller->location.line}, {"computation", callee->name}});
    if (IsLoop(*caller)) calls.back()["iteration"] = call;
  }
  return calls;
}

json DeviceToJson(DeviceId device) { return {{"replica", device.replica}, {"partition", device.partition}}; }

json FindingToJson(const EventFinding& finding) {
  json object = InstructionToJson(*finding.instruction, PlaceOf(finding));
  object.update({{"event", finding.event.Name()},
                 {"run", finding.run},
                 {"index", finding.index},
                 {"device", DeviceToJson(finding.device)},
                 {"calls", CallsToJson(finding)},
                 {"element", finding.element},
                 {"tuple_index", finding.place.tuple_index},
                 {"offset", finding.place.offset},
                 {"value", finding.value},
                 {"operands", json::array()},
                 {"operand_elements", finding.operand_count},
                 {"elements", finding.elements},
                 {"of", finding.of},
                 {"executions", finding.executions}});
  for (const auto& [element, value] : finding.operands) {
    object["operands"].push_back({{"element", element}, {"value", value}});
  }
  if (finding.event.event == FloatEvent::kCancellation) {
    object["largest_term"] = finding.largest_term;
    object["exact_sum"] = finding.exact_sum;
  }
  return object;
}

json SourceToJson(const EventSource& source) {
  json object = InstructionToJson(*source.instruction, SourcePlaceOf(*source.instruction));
  object.update({{"event", source.event.Name()},
                 {"run", source.run},
                 {"device", DeviceToJson(source.device)},
                 {"element", source.element},
                 {"value", source.value},
                 {"elements", source.elements}});
  return object;
}

}  // namespace

std::string TextWithoutMetadata(const HloInstruction& instruction) {
  PrintOptions options;
  options.metadata = false;
  return PrintInstruction(instruction, options);
}

json TraceToJson(const EventTrace& trace, std::span<const TracedEvent> events) {
  json findings = json::array(), sources = json::array(), results = {{"elements", trace.result_elements}};
  for (const EventFinding& finding : trace.findings) findings.push_back(FindingToJson(finding));
  for (const EventSource& source : trace.sources) sources.push_back(SourceToJson(source));
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].event != FloatEvent::kCancellation) results[events[i].Name()] = trace.in_results[i];
  }
  return {{"executed", trace.executed},
          {"findings", std::move(findings)},
          {"sources", std::move(sources)},
          {"results", std::move(results)}};
}

json RangesToJson(std::span<const ValueRange> ranges) {
  json array = json::array();
  // JSON has no infinities: null stands for a bound of no numbers.
  const auto bound = [](double number) { return std::isfinite(number) ? json(number) : json(); };
  for (const ValueRange& range : ranges) {
    json object = InstructionToJson(*range.instruction, SourcePlaceOf(*range.instruction));
    object.update({{"executions", range.executions},
                   {"numbers", range.numbers},
                   {"nans", range.nans},
                   {"infinities", range.infinities},
                   {"least", bound(range.least)},
                   {"largest", bound(range.largest)},
                   {"least_magnitude", bound(range.least_magnitude)},
                   {"types", json::object()}});
    for (const TypeFit& fit : range.fits) {
      object["types"][std::string(PrimitiveTypeName(fit.type))] = {
          {"overflows", fit.overflows}, {"subnormals", fit.subnormals}, {"zeros", fit.zeros}};
    }
    array.push_back(std::move(object));
  }
  return array;
}

}  // namespace assay
