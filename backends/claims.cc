#include "backends/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

bool Has(const std::vector<std::string>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

// Returns the name of an element type of the shape that is not on the list, if there is one.
std::optional<std::string> TypeNotAmong(const std::vector<std::string>& types, const Shape& shape) {
  for (const Shape& element : shape.tuple_shapes()) {
    if (auto type = TypeNotAmong(types, element)) return type;
  }
  if (!shape.IsArray() || Has(types, PrimitiveTypeName(shape.element_type()))) return std::nullopt;
  return std::string(PrimitiveTypeName(shape.element_type()));
}

}  // namespace

std::optional<std::string> WhyNotTaken(const BackendDescription& backend, const HloModule& module) {
  if (const std::int64_t devices = module.device_count(); devices > backend.max_devices) {
    return fmt::format("{} devices, and the backend's hello says max_devices {}", devices, backend.max_devices);
  }
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const Op& op = *instruction->op;
      if (backend.ops && op.role != OpRole::kParameter && !Has(*backend.ops, op.name)) {
        return fmt::format("{} is not among the ops of the backend's hello", op.name);
      }
      if (!backend.types) continue;
      if (const auto type = TypeNotAmong(*backend.types, instruction->shape)) {
        return fmt::format("{} is not among the types of the backend's hello", *type);
      }
    }
  }
  return std::nullopt;
}

const std::string* StableHloFor(bool takes_stablehlo, const HloModule& module, std::string_view hlo) {
  return takes_stablehlo && module.num_partitions == 1 ? SourceOf(module, hlo) : nullptr;
}

}  // namespace assay
