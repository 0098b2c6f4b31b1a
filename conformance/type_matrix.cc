#include "conformance/type_matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/op.h"

namespace assay {

std::set<PrimitiveType> TypesTested(const std::string& op, const HloModule& module) {
  std::set<PrimitiveType> types;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->name != op) continue;
      types.insert((instruction->operands.empty() ? instruction->shape : instruction->operand(0).shape).element_type());
    }
  }
  return types;
}

void TypeMatrix::Add(const std::string& op, PrimitiveType type, Verdict verdict) {
  Cell& cell = cells_[op][type];
  cell.worst = std::max(cell.worst, verdict);
  ++cell.cases;
}

std::string TypeMatrix::ToText() const {
  std::string text = fmt::format("{:<28} the worst verdict for each element type\n", "op");
  for (const auto& [op, row] : cells_) {
    std::map<Verdict, std::string> types;
    for (const auto& [type, cell] : row) types[cell.worst] += fmt::format(" {}", PrimitiveTypeName(type));
    text += fmt::format("{:<28}", op);
    for (const auto& [verdict, names] : types) text += fmt::format(" {}:{}", VerdictName(verdict), names);
    text += '\n';
  }
  return text;
}

nlohmann::json TypeMatrix::ToJson() const {
  nlohmann::json matrix = nlohmann::json::object();
  for (const auto& [op, row] : cells_) {
    for (const auto& [type, cell] : row) {
      matrix[op][std::string(PrimitiveTypeName(type))] = {{"verdict", VerdictName(cell.worst)}, {"cases", cell.cases}};
    }
  }
  return matrix;
}

}  // namespace assay
