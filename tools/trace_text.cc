#include "tools/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/tracing/named_ops.h"
#include "conformance/tracing/trace_json.h"
#include "interpreter/hlo/source_place.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/primitive_type.h"
#include "tools/report_text.h"

namespace assay {
namespace {

constexpr std::size_t kMostSources = 4;

void PrintSourcePlace(const std::optional<SourcePlace>& place) {
  if (place) fmt::print("  source: {}\n", ForTerminal(SourcePlaceText(*place)));
}

// Returns "run 2, replica 1, partition 0", as far as there are several.
std::string WhichRun(const HloInstruction& instruction, std::int64_t run, DeviceId device, std::size_t runs) {
  const HloModule& module = *instruction.parent->module;
  std::vector<std::string> parts;
  if (runs > 1) parts.push_back(fmt::format("run {}", run));
  if (module.replica_count > 1) parts.push_back(fmt::format("replica {}", device.replica));
  if (module.num_partitions > 1) parts.push_back(fmt::format("partition {}", device.partition));
  return parts.empty() ? "" : fmt::format(", {}", JoinText(parts, ", "));
}

void PrintCalls(const EventFinding& finding) {
  // The innermost call comes first.
  for (auto step = finding.calls.rbegin(); step != finding.calls.rend(); ++step) {
    fmt::print("  in: {} of {} (line {})", step->callee->name, step->caller->name, step->caller->location.line);
    if (IsLoop(*step->caller)) fmt::print(", iteration {}", step->call);
    fmt::print("\n");
  }
}

void PrintOperands(const EventFinding& finding) {
  if (finding.operands.empty()) return;
  std::vector<std::string> texts;
  for (const auto& [element, value] : finding.operands) texts.push_back(fmt::format("{} = {}", element, value));
  const std::int64_t others = finding.operand_count - std::ssize(finding.operands);
  fmt::print("  operands: {}{}\n", ForTerminal(JoinText(texts, ", ")),
             others > 0 ? fmt::format(" and {} more", others) : "");
}

void PrintFinding(const EventFinding& finding, std::size_t runs) {
  const HloInstruction& instruction = *finding.instruction;
  fmt::print("{}: line {}: {}\n", finding.event.Name(), instruction.location.line,
             Shortened(TextWithoutMetadata(instruction)));
  fmt::print("  {} = {}; {} of {} elements; executed instruction {}{}\n", finding.element, finding.value,
             finding.elements, finding.of, finding.index, WhichRun(instruction, finding.run, finding.device, runs));
  PrintOperands(finding);
  if (finding.event.event == FloatEvent::kCancellation) {
    fmt::print("  largest term {:.9g}, exact sum {:.9g}\n", finding.largest_term, finding.exact_sum);
  }
  PrintCalls(finding);
  PrintSourcePlace(PlaceOf(finding));
  if (finding.executions > 1) fmt::print("  and in {} more executions of it\n", finding.executions - 1);
}

void PrintSources(const EventTrace& trace, const TracedEvent& event, std::size_t runs) {
  std::size_t count = 0;
  for (const EventSource& source : trace.sources) {
    if (source.event.event != event.event || ++count > kMostSources) continue;
    fmt::print("  held by {} {} (line {}): {} = {}; {} of its elements{}\n", source.instruction->op->name,
               source.instruction->name, source.instruction->location.line, source.element, source.value,
               source.elements, WhichRun(*source.instruction, source.run, source.device, runs));
  }
  if (count > kMostSources) fmt::print("  and by {} more\n", count - kMostSources);
}

// Returns a share in percent: "12%", "<0.1%".
std::string Percent(std::int64_t part, std::int64_t whole) {
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return percent < 0.1 ? "<0.1%" : fmt::format("{:.3g}%", percent);
}

std::string FitText(const TypeFit& fit, std::int64_t finite) {
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t count, std::string_view what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", Percent(count, finite), what));
  };
  add(fit.overflows, "overflow");
  add(fit.subnormals, "subnormal");
  add(fit.zeros, "zero");
  return parts.empty() ? "fits" : JoinText(parts, ", ");
}

std::int64_t FiniteOf(const ValueRange& range) { return range.numbers - range.nans - range.infinities; }

// Returns "1 NaN, 2 infinite", as far as there are any.
std::string OthersText(const ValueRange& range) {
  std::vector<std::string> parts;
  if (range.nans > 0) parts.push_back(fmt::format("{} NaN", range.nans));
  if (range.infinities > 0) parts.push_back(fmt::format("{} infinite", range.infinities));
  return JoinText(parts, ", ");
}

// Prints rows of cells in columns as wide as their widest cell.
void PrintColumns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.resize(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", ForTerminal(line));
  }
}

void PrintFirstMisfit(std::span<const ValueRange> ranges, std::size_t type) {
  const auto misfits = [=](const ValueRange& range) { return range.fits[type].outside() > 0; };
  const std::string_view name = PrimitiveTypeName(ranges[0].fits[type].type);
  const auto count = std::ranges::count_if(ranges, misfits);
  if (count == 0) {
    fmt::print("{}: every value fits\n", name);
    return;
  }
  const auto first = std::ranges::find_if(ranges, misfits);
  fmt::print("{}: {} of {} do not fit; the first: {} (line {}), {}\n", name, count, ranges.size(),
             first->instruction->name, first->instruction->location.line, FitText(first->fits[type], FiniteOf(*first)));
  PrintSourcePlace(SourcePlaceOf(*first->instruction));
}

}  // namespace

void PrintTrace(const EventTrace& trace, std::span<const TracedEvent> events, bool all, std::size_t runs) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const TracedEvent& event = events[i];
    bool is_found = false;
    for (const EventFinding& finding : trace.findings) {
      if (finding.event.event != event.event || (is_found && !all)) continue;
      is_found = true;
      PrintFinding(finding, runs);
    }
    if (!is_found) fmt::print("{}: made by none of {} executed instructions\n", event.Name(), trace.executed);
    PrintSources(trace, event, runs);
    if (event.event == FloatEvent::kCancellation) continue;
    fmt::print("  in the results: {} of {} elements\n", trace.in_results[i], trace.result_elements);
  }
}

void PrintRanges(std::span<const ValueRange> ranges) {
  if (ranges.empty()) {
    fmt::print("no instruction has a float type\n");
    return;
  }
  std::vector<std::vector<std::string>> rows = {{"line", "instruction", "op", "type", "least", "largest", "least |x|"}};
  for (const TypeFit& fit : ranges[0].fits) rows[0].emplace_back(PrimitiveTypeName(fit.type));
  for (const ValueRange& range : ranges) {
    const HloInstruction& instruction = *range.instruction;
    const std::int64_t finite = FiniteOf(range);
    const auto bound = [=](double number) { return std::isinf(number) ? "-" : fmt::format("{:.6g}", number); };
    rows.push_back({std::to_string(instruction.location.line), instruction.name, std::string(instruction.op->name),
                    instruction.shape.ToStringWithoutLayout(), bound(range.least), bound(range.largest),
                    bound(range.least_magnitude)});
    for (const TypeFit& fit : range.fits) rows.back().push_back(FitText(fit, finite));
    rows.back().push_back(OthersText(range));
  }
  rows[0].emplace_back();
  PrintColumns(rows);
  for (std::size_t type = 0; type < ranges[0].fits.size(); ++type) PrintFirstMisfit(ranges, type);
}

}  // namespace assay
