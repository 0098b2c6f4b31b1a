#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay {
namespace {

void CheckArraySharding(const HloInstruction& instruction, const Shape& shape, const HloSharding& sharding,
                        ErrorList& errors) {
  const std::int64_t devices = instruction.parent->module->device_count();
  const std::int64_t device = sharding.maximal_device;
  if (sharding.kind == "maximal" && devices != 1 && (device < 0 || device >= devices)) {
    errors.Add(instruction, "the sharding names device {}, which is outside [0, {})", device, devices);
  }
  if (!sharding.kind.empty() || sharding.by_axes) return;
  const std::int64_t rank = std::ssize(sharding.tiles.dimensions) - std::ssize(sharding.subgroups);
  if (!shape.IsArray() || rank != shape.rank()) {
    errors.Add(instruction, "the sharding {} has {} dimensions, {} has {}", sharding.ToString(), rank,
               shape.ToStringWithoutLayout(), shape.rank());
  }
  if (devices != 1 && std::ssize(sharding.tiles.devices) > devices) {
    errors.Add(instruction, "the sharding {} needs more than the {} devices of the module", sharding.ToString(),
               devices);
  }
}

void Leaves(const Shape& shape, std::vector<const Shape*>& leaves) {
  if (!shape.IsTuple()) leaves.push_back(&shape);
  for (const Shape& element : shape.tuple_shapes()) {
    if (shape.IsTuple()) Leaves(element, leaves);
  }
}

}  // namespace

void CheckSharding(const HloInstruction& instruction, ErrorList& errors) {
  const auto text = instruction.annotations.find("sharding");
  if (text == instruction.annotations.end()) return;
  if (instruction.shape.IsToken()) return;  // a token has any: XLA's HloSharding::Validate
  const Result<HloSharding> sharding = ParseHloSharding(text->second);
  if (!sharding) return errors.Add(instruction, "the sharding {}: {}", text->second, sharding.error().message);
  if (!sharding->is_tuple) {
    if (!instruction.shape.IsTuple()) CheckArraySharding(instruction, instruction.shape, *sharding, errors);
    return;
  }
  const std::vector<HloSharding>& elements = sharding->elements;
  std::vector<const Shape*> leaves;
  Leaves(instruction.shape, leaves);
  // The sharding of an empty tuple may have one element.
  const bool is_empty = leaves.empty() && elements.size() <= 1;
  if (!instruction.shape.IsTuple() || (elements.size() != leaves.size() && !is_empty)) {
    errors.Add(instruction, "the sharding is that of a tuple of {} arrays, found {}", elements.size(),
               instruction.shape.ToStringWithoutLayout());
    return;
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) CheckArraySharding(instruction, *leaves[i], elements[i], errors);
}

}  // namespace assay
