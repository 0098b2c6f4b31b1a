#include <string_view>
#include <unordered_map>

#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

constexpr const OpAcceptance* kAcceptances[] = {
#define ASSAY_ACCEPTANCE(name) &acceptance_##name,
#include "interpreter/acceptance/ops/acceptance_list.inc"
#undef ASSAY_ACCEPTANCE
};

}  // namespace

std::vector<const OpAcceptance*> AllAcceptances() {
  std::vector<const OpAcceptance*> all(std::begin(kAcceptances), std::end(kAcceptances));
  for (const OpAcceptance& row : AcceptanceRows()) all.push_back(&row);
  return all;
}

const OpAcceptance& AcceptanceOf(const Op& op) {
  static const auto table = [] {
    std::unordered_map<std::string_view, const OpAcceptance*> rows;
    for (const OpAcceptance* row : AllAcceptances()) rows.emplace(row->op->name, row);
    return rows;
  }();
  // Copies of a record share the text of its name, so its place is the key and the text is not read.
  static const auto table_by_text = [] {
    std::unordered_map<const char*, const OpAcceptance*> rows;
    for (const OpAcceptance* row : AllAcceptances()) rows.emplace(row->op->name.data(), row);
    return rows;
  }();
  static constexpr OpAcceptance kExactly;
  const auto by_text = table_by_text.find(op.name.data());
  if (by_text != table_by_text.end() && by_text->second->op->name.size() == op.name.size()) return *by_text->second;
  const auto row = table.find(op.name);
  return row == table.end() ? kExactly : *row->second;
}

Op WithBody(const Op& op, EvaluateFunction body) {
  Op copy = op;
  copy.evaluation.kernel = nullptr;  // a kernel takes precedence over a body
  copy.evaluation.evaluate = body;
  return copy;
}

}  // namespace assay
