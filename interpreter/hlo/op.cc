#include "interpreter/hlo/op.h"

#include <algorithm>
#include <array>

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
  static const auto ops = [] {
    std::array<const Op*, static_cast<std::size_t>(OpRole::kAsyncDone) + 1> first = {};
    for (const Op* op : AllOps()) {
      const Op*& of_role = first[static_cast<std::size_t>(op->role)];
      if (of_role == nullptr) of_role = op;
    }
    return first;
  }();
  return ops[static_cast<std::size_t>(role)];
}

}  // namespace assay
