#include "interpreter/proto/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/proto/sharding.h"

namespace assay::proto {
namespace {

namespace carried = fields::HloInstructionProto;

Status CheckKey(std::string_view what, std::string_view key) {
  const std::string text = std::string(key) + "=";
  const Token token = Lexer(text).token();
  if (token.kind == TokenKind::kAttributeName && token.text == key) return {};
  return Error{ErrorCode::kParse, fmt::format("{}: expected a name for a key, found \"{}\"", what, Escape(key))};
}

// Returns {visualizing_index=0,name=1.5}.
Result<std::string> ReadStatistics(const Message& message) {
  std::string text;
  for (const std::string_view bytes : message.Texts(fields::StatisticsViz::statistics)) {
    const Message statistic(bytes);
    ASSAY_CHECK_OK(CheckKey("statistics_viz", statistic.Text(fields::Statistic::stat_name)));
    text += fmt::format(",{}={:g}", statistic.Text(fields::Statistic::stat_name),
                        statistic.Number(fields::Statistic::stat_val));
  }
  if (text.empty()) return text;
  return fmt::format("{{visualizing_index={}{}}}", message.Integer(fields::StatisticsViz::stat_index_to_visualize),
                     text);
}

MessageWriter WriteStatistics(std::string_view text) {
  MessageWriter message;
  TextParser parser(text);
  parser.Eat("{");
  while (parser.Is(TokenKind::kAttributeName)) {
    const std::string name(parser.token().text);
    parser.Next();
    const Result<double> value = parser.ParseNumber();
    if (!value) break;
    if (name == "visualizing_index") {
      message.Integer(fields::StatisticsViz::stat_index_to_visualize, static_cast<std::int64_t>(*value));
    } else {
      MessageWriter statistic;
      statistic.Text(fields::Statistic::stat_name, name);
      statistic.Number(fields::Statistic::stat_val, *value);
      message.Sub(fields::StatisticsViz::statistics, statistic);
    }
    parser.Eat(",");
  }
  return message;
}

// Returns nothing for the default.
Result<std::optional<ResultAccuracy>> ReadResultAccuracy(const Message& message) {
  namespace tolerances = fields::ResultAccuracy_Tolerance;
  std::optional<ResultAccuracy> accuracy;
  if (message.Has(fields::ResultAccuracy::tolerance)) {
    const Message tolerance = message.Sub(fields::ResultAccuracy::tolerance);
    accuracy = {.atol = tolerance.Number(tolerances::atol),
                .rtol = tolerance.Number(tolerances::rtol),
                .ulps = tolerance.Integer(tolerances::ulps)};
    return accuracy;
  }
  const std::int64_t mode = message.Integer(fields::ResultAccuracy::mode);
  if (mode != 0 && mode != 1) {
    return Error{ErrorCode::kParse, fmt::format("result_accuracy: unknown mode {}", mode)};
  }
  if (mode == 1) accuracy.emplace().is_highest = true;
  return accuracy;
}

MessageWriter WriteResultAccuracy(const ResultAccuracy& accuracy) {
  namespace tolerances = fields::ResultAccuracy_Tolerance;
  MessageWriter message;
  if (accuracy.is_highest) {
    message.Integer(fields::ResultAccuracy::mode, 1);
    return message;
  }
  MessageWriter tolerance;
  tolerance.Number(tolerances::atol, accuracy.atol);
  tolerance.Number(tolerances::rtol, accuracy.rtol);
  tolerance.Integer(tolerances::ulps, accuracy.ulps);
  message.Sub(fields::ResultAccuracy::tolerance, tolerance);
  return message;
}

void Annotate(HloInstruction& instruction, std::string_view name, std::string text) {
  if (!text.empty()) instruction.annotations.emplace(name, std::move(text));
}

}  // namespace

Result<std::string> ReadFrontendAttributes(const Message& message) {
  std::map<std::string, std::string> values;
  for (const std::string_view bytes : message.Texts(fields::FrontendAttributes::map)) {
    const Message entry(bytes);
    const std::string_view key = entry.Text(fields::FrontendAttributes_MapEntry::key);
    ASSAY_CHECK_OK(CheckKey("frontend_attributes", key));
    values[std::string(key)] = entry.Text(fields::FrontendAttributes_MapEntry::value);
  }
  return PrintFrontendAttributes(values);
}

MessageWriter WriteFrontendAttributes(std::string_view text) {
  MessageWriter message;
  TextParser parser(text);
  const auto values = ParseFrontendValues(parser);
  if (!values) return message;
  for (const auto& [key, value] : *values) {
    MessageWriter entry;
    entry.Text(fields::FrontendAttributes_MapEntry::key, key);
    entry.Text(fields::FrontendAttributes_MapEntry::value, value);
    message.Sub(fields::FrontendAttributes::map, entry);
  }
  return message;
}

Status ReadAnnotations(const Message& message, std::span<const std::string_view> payloads,
                       HloInstruction& instruction) {
  if (message.Has(carried::sharding)) {
    ASSAY_TRY(std::string sharding, ReadSharding(message.Sub(carried::sharding)));
    Annotate(instruction, "sharding", ForEachLeaf(sharding, instruction.shape));
  }
  if (message.Has(carried::frontend_attributes)) {
    ASSAY_TRY(std::string attributes, ReadFrontendAttributes(message.Sub(carried::frontend_attributes)));
    Annotate(instruction, "frontend_attributes", std::move(attributes));
  }
  if (message.Has(carried::statistics_viz)) {
    ASSAY_TRY(std::string statistics, ReadStatistics(message.Sub(carried::statistics_viz)));
    Annotate(instruction, "statistics", std::move(statistics));
  }
  if (message.Has(carried::original_value)) {
    ASSAY_TRY(std::string origin, ReadOrigin(message.Sub(carried::original_value), instruction.shape));
    Annotate(instruction, "origin", std::move(origin));
  }
  std::string_view config = message.Text(carried::backend_config);
  if (config.empty()) config = ReadPayload(message.Sub(carried::backend_config_payload), payloads);
  Annotate(instruction, "backend_config", PrintBackendConfig(std::string(config)));
  if (message.Has(carried::result_accuracy)) {
    ASSAY_TRY(instruction.result_accuracy, ReadResultAccuracy(message.Sub(carried::result_accuracy)));
  }
  return {};
}

void WriteAnnotations(const HloInstruction& instruction, MessageWriter& message) {
  const auto write = [&](std::string_view name, const Field& field, auto writer) {
    const auto found = instruction.annotations.find(name);
    if (found != instruction.annotations.end()) message.Sub(field, writer(found->second));
  };
  write("metadata", carried::metadata, [](const std::string& text) { return WriteMetadata(text); });
  write("sharding", carried::sharding, [](const std::string& text) { return WriteSharding(text); });
  write("frontend_attributes", carried::frontend_attributes,
        [](const std::string& text) { return WriteFrontendAttributes(text); });
  write("statistics", carried::statistics_viz, [](const std::string& text) { return WriteStatistics(text); });
  write("origin", carried::original_value, [](const std::string& text) { return WriteOrigin(text); });
  message.Text(carried::backend_config, BackendConfig(instruction));
  if (instruction.result_accuracy) {
    message.Sub(carried::result_accuracy, WriteResultAccuracy(*instruction.result_accuracy));
  }
}

}  // namespace assay::proto
