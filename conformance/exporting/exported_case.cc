#include "conformance/exporting/exported_case.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "backends/json/array_json.h"
#include "conformance/cases/npy.h"
#include "conformance/exporting/result_judge.h"

namespace assay {
namespace {

using nlohmann::json;

bool HasRunTimeSizes(const Shape& shape) {
  if (!shape.IsTuple()) return shape.IsArray() && shape.IsDynamic();
  for (const Shape& element : shape.tuple_shapes()) {
    if (HasRunTimeSizes(element)) return true;
  }
  return false;
}

bool HasToken(const Shape& shape) {
  if (!shape.IsTuple()) return shape.element_type() == TOKEN;
  for (const Shape& element : shape.tuple_shapes()) {
    if (HasToken(element)) return true;
  }
  return false;
}

Status CheckEntryShapes(const HloModule& module) {
  const auto unsupported = [](const char* reason) { return Error{ErrorCode::kUnsupported, reason}; };
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    if (HasToken(parameter->shape)) return unsupported("a token is an argument");
    if (HasRunTimeSizes(parameter->shape)) return unsupported("an argument has run-time sizes");
  }
  if (HasRunTimeSizes(module.entry->root->shape)) return unsupported("a result has run-time sizes");
  return {};
}

std::vector<Literal> ArraysOf(std::span<const Literal> values) {
  std::vector<Literal> arrays;
  for (const Literal& value : values) {
    for (const Literal* array : ArraysIn(value)) arrays.push_back(*array);
  }
  return arrays;
}

json RangeToJson(const AcceptedRange& range) {
  json row = {range.element, range.part, VerdictName(range.verdict)};
  for (const std::uint64_t bits : {range.low, range.high})
    row.push_back(range.is_nan ? "nan" : fmt::format("{:x}", bits));
  return row;
}

// Returns the bits of an array, of unsigned integers, if .npy has no name for its type.
Literal NamedByNpy(const Literal& array) {
  // NumPy itself cannot read the name that it gives to f8e5m2.
  if (NpyCanHold(array.element_type()) && array.element_type() != F8E5M2) return array;
  const PrimitiveType bits = StorageBytes(array.element_type()) == 1 ? U8 : U16;
  return array.WithShape(ShapeUtil::MakeShape(bits, array.shape().dimensions()));
}

// Returns a row for each range: element, part, verdict (1: LEGAL, 2: SPEC-GAP, 4: WEAK, as in `Verdict`), 1 for NaN,
// and the bits of both ends.
Literal RangesAsArray(std::span<const AcceptedRange> ranges) {
  Literal rows(ShapeUtil::MakeShape(U64, {std::ssize(ranges), 6}));
  auto out = rows.mutable_values<std::uint64_t>();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const AcceptedRange& range = ranges[i];
    const std::uint64_t row[] = {static_cast<std::uint64_t>(range.element),
                                 static_cast<std::uint64_t>(range.part),
                                 static_cast<std::uint64_t>(range.verdict),
                                 range.is_nan ? std::uint64_t{1} : 0,
                                 range.low,
                                 range.high};
    std::memcpy(out.data() + 6 * i, row, sizeof(row));
  }
  return rows;
}

}  // namespace

Result<ExportedCase> ExportCase(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                const Profile& profile, const EvaluationLimits& limits) {
  ASSAY_CHECK_OK(CheckEntryShapes(module));
  ASSAY_TRY(const InstructionValues reference, EvaluateGolden(file, golden, module, limits));
  const DeviceValues arguments = ByDevice(module.device_count(), golden.arguments);
  ExportedCase exported;
  exported.inputs = ArraysOf(golden.arguments);
  exported.outputs = ArraysOf({&reference.want, 1});
  ASSAY_TRY(exported.accepted, FindAcceptedValues(module, arguments, reference, profile, limits));
  return exported;
}

json CaseToJson(const ExportedCase& exported) {
  json inputs = json::array(), outputs = json::array();
  for (const Literal& input : exported.inputs) inputs.push_back(ArrayToJson(input));
  for (std::size_t i = 0; i < exported.outputs.size(); ++i) {
    json output = ArrayToJson(exported.outputs[i]);
    if (exported.accepted.undecided.empty()) {
      output["accept"] = json::array();
      for (const AcceptedRange& range : exported.accepted.arrays[i]) output["accept"].push_back(RangeToJson(range));
    }
    outputs.push_back(std::move(output));
  }
  return {{"inputs", std::move(inputs)}, {"outputs", std::move(outputs)}};
}

std::vector<std::pair<std::string, Literal>> CaseToArrays(const ExportedCase& exported) {
  std::vector<std::pair<std::string, Literal>> arrays;
  for (std::size_t i = 0; i < exported.inputs.size(); ++i) {
    arrays.emplace_back(fmt::format("input_{}", i), NamedByNpy(exported.inputs[i]));
  }
  for (std::size_t i = 0; i < exported.outputs.size(); ++i) {
    arrays.emplace_back(fmt::format("output_{}", i), NamedByNpy(exported.outputs[i]));
    if (exported.accepted.undecided.empty()) {
      arrays.emplace_back(fmt::format("accept_{}", i), RangesAsArray(exported.accepted.arrays[i]));
    }
  }
  return arrays;
}

}  // namespace assay
