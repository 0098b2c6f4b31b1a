#include "interpreter/hlo/op.h"

#include <algorithm>

namespace assay {

Op::~Op() = default;

const AttributeSpec* Op::FindAttribute(AttributeName attribute) const {
  const auto found = std::ranges::find(syntax.attributes, attribute, &AttributeSpec::name);
  return found == syntax.attributes.end() ? nullptr : &*found;
}

const AttributeSpec* Op::FindAttributeOfText(std::string_view attribute) const {
  for (const AttributeSpec& spec : syntax.attributes) {
    if (spec.name.text() == attribute) return &spec;
  }
  return nullptr;
}

const Op* OpWithRole(OpRole role) {
  return *std::ranges::find(AllOps(), role, [](const Op* op) { return op->role; });
}

}  // namespace assay
