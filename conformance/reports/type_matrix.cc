#include "conformance/reports/type_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/types/join_text.h"

namespace assay {

namespace {

void AddLeafTypes(const Shape& shape, std::set<PrimitiveType>& types) {
  if (!shape.IsTuple()) types.insert(shape.element_type());
  for (const Shape& element : shape.tuple_shapes()) AddLeafTypes(element, types);
}

// True if operand 0 of the op must be a predicate.
bool TakesOnlyPred(const Op& op) {
  for (int type = 0; type < kPrimitiveTypeCount; ++type) {
    const auto primitive_type = static_cast<PrimitiveType>(type);
    if (op.legality.types.contains(primitive_type) != (primitive_type == PRED)) return false;
  }
  return true;
}

std::set<PrimitiveType> TypesOf(const HloInstruction& instruction) {
  std::set<PrimitiveType> types;
  AddLeafTypes(instruction.shape, types);
  if (instruction.operands.empty()) {
    types.insert(instruction.shape.element_type());  // a parameter or constant may be a tuple
    return types;
  }
  const PrimitiveType operand = instruction.operand(0).shape.element_type();
  if (operand != PRED) types.erase(PRED);
  if (!TakesOnlyPred(*instruction.op)) types.insert(operand);
  return types;
}

}  // namespace

std::set<PrimitiveType> TypesTested(const std::string& op, const HloModule& module) {
  std::set<PrimitiveType> types;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->name != op) continue;
      types.merge(TypesOf(*instruction));
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
  std::vector<std::string> declined;
  for (const auto& [op, row] : cells_) {
    std::map<Verdict, std::string> types;
    for (const auto& [type, cell] : row) types[cell.worst] += fmt::format(" {}", PrimitiveTypeName(type));
    if (types.size() == 1 && types.begin()->first == Verdict::kUnsupported) {
      declined.push_back(op);
      continue;
    }
    text += fmt::format("{:<28}", op);
    for (const auto& [verdict, names] : types) text += fmt::format(" {}:{}", VerdictName(verdict), names);
    text += '\n';
  }
  if (!declined.empty()) text += fmt::format("UNSUPPORTED in every type: {}\n", JoinText(declined, " "));
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
