#include "interpreter/stablehlo/print.h"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>
#include <utility>

namespace assay::stablehlo {
namespace {

class Printer {
 public:
  std::string Take() { return std::move(text_); }

  void Print(const Operation& operation, int indent);

 private:
  template <class... T>
  void Write(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
  }
  template <class List, class F>
  void Join(const List& list, F print) {
    bool is_first = true;
    for (const auto& item : list) {
      if (!is_first) text_ += ", ";
      is_first = false;
      print(item);
    }
  }

  void Print(const Region& region, int indent);
  void Define(const Value& value);

  std::string text_;
  // The number and the type of each value: numbers follow the order of the definitions.
  std::unordered_map<ValueId, std::pair<std::size_t, const Type*>> values_;
};

void Printer::Print(const Region& region, int indent) {
  text_ += "{\n";
  for (std::size_t i = 0; i < region.blocks.size(); ++i) {
    const Block& block = region.blocks[i];
    Write("{:{}}^bb{}", "", indent, i);
    if (!block.arguments.empty()) text_ += "(";
    Join(block.arguments, [&](const Value& argument) {
      Define(argument);
      Write(": {}", ToText(argument.type));
    });
    text_ += block.arguments.empty() ? ":\n" : "):\n";
    for (const Operation& operation : block.operations) Print(operation, indent + 2);
  }
  Write("{:{}}}}", "", indent);
}

void Printer::Define(const Value& value) {
  const std::size_t number = values_.size();
  values_[value.id] = {number, &value.type};
  Write("%{}", number);
}

void Printer::Print(const Operation& operation, int indent) {
  Write("{:{}}", "", indent);
  Join(operation.results, [&](const Value& result) { Define(result); });
  Write("{}\"{}\"(", operation.results.empty() ? "" : " = ", operation.name);
  Join(operation.operands, [&](ValueId operand) {
    const auto value = values_.find(operand);
    text_ += value == values_.end() ? "%undefined" : fmt::format("%{}", value->second.first);
  });
  text_ += ")";
  if (!operation.regions.empty()) {
    text_ += " (";
    Join(operation.regions, [&](const Region& region) { Print(region, indent); });
    text_ += ")";
  }
  if (!operation.attributes.entries.empty()) {
    Write(" {}", ToText(operation.attributes));
  }
  text_ += " : (";
  Join(operation.operands, [&](ValueId operand) {
    const auto value = values_.find(operand);
    if (value != values_.end()) text_ += ToText(*value->second.second);
  });
  text_ += ") -> (";
  Join(operation.results, [&](const Value& result) { text_ += ToText(result.type); });
  text_ += ")\n";
}

}  // namespace

std::string ToText(const Program& program) {
  Printer printer;
  printer.Print(program.module, 0);
  return printer.Take();
}

}  // namespace assay::stablehlo
