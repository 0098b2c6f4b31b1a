#include "interpreter/stablehlo/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "interpreter/stablehlo/to_hlo_attributes.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {

const std::vector<Operation>& OperationsOf(const Program& program) {
  static const std::vector<Operation> none;
  const auto& regions = program.module.regions;
  return regions.empty() || regions[0].blocks.empty() ? none : regions[0].blocks[0].operations;
}

std::string StringOf(const Operation& operation, std::string_view name) {
  const auto* text = operation.attributes.FindAs<std::string>(name);
  return text == nullptr ? std::string() : *text;
}

namespace {

constexpr std::string_view kPieceMark = "// -----";

// Returns the offset of the first line from `begin` on that starts with the mark; the size of the text if none does.
std::size_t FindMark(std::string_view text, std::size_t begin) {
  std::size_t at = text.find(kPieceMark, begin);
  while (at != std::string_view::npos && at != 0 && text[at - 1] != '\n') at = text.find(kPieceMark, at + 1);
  return std::min(at, text.size());
}

// Adds the program of a piece, or its modules if it has nothing else.
void AddPiece(Result<Program> piece, std::vector<Result<Program>>& programs) {
  const auto is_module = [](const Operation& operation) { return operation.name == "builtin.module"; };
  if (!piece || OperationsOf(*piece).empty() || !std::ranges::all_of(OperationsOf(*piece), is_module)) {
    programs.push_back(std::move(piece));
    return;
  }
  for (Operation& module : piece->module.regions[0].blocks[0].operations) {
    Program program;
    program.module = std::move(module);
    programs.emplace_back(std::move(program));
  }
}

bool IsFunction(const Operation& operation) { return operation.name == "func.func"; }
bool IsPublic(const Operation& function) { return StringOf(function, "sym_visibility") != "private"; }

void AddReferences(const Attribute& attribute, std::set<std::string>& names) {
  if (const auto* reference = attribute.As<SymbolReference>()) names.insert(reference->name);
  const auto* list = attribute.As<std::vector<Attribute>>();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) AddReferences((*list)[i], names);
}

void AddReferencesIn(const Operation& operation, std::set<std::string>& names) {
  for (const NamedAttribute& entry : operation.attributes.entries) AddReferences(entry.value, names);
  for (const Region& region : operation.regions) {
    for (const Block& block : region.blocks) {
      for (const Operation& inner : block.operations) AddReferencesIn(inner, names);
    }
  }
}

std::string ListOf(const std::vector<std::string>& names) {
  return names.empty() ? "none" : "@" + JoinText(names, ", @");
}

}  // namespace

std::vector<Result<Program>> ReadPrograms(std::string_view bytes) {
  std::vector<Result<Program>> programs;
  if (bytes.starts_with(kBytecodeStart)) {
    programs.push_back(ReadBytecode(bytes));
    return programs;
  }
  std::size_t end = FindMark(bytes, 0);
  if (end == bytes.size()) {
    AddPiece(ParseText(bytes), programs);
    return programs;
  }
  for (std::size_t begin = 0; begin < bytes.size();
       begin = end, end = FindMark(bytes, std::min(end + 1, bytes.size()))) {
    // As many empty lines as come before the piece keep its places those of the whole text.
    std::string piece(std::ranges::count(bytes.substr(0, begin), '\n'), '\n');
    Result<Program> program = ParseText(piece += bytes.substr(begin, end - begin));
    if (!program || !OperationsOf(*program).empty()) AddPiece(std::move(program), programs);
  }
  if (programs.empty()) programs.emplace_back(Program());
  return programs;
}

std::vector<std::string> FunctionNames(const Program& program) {
  std::vector<std::string> names;
  for (const Operation& operation : OperationsOf(program)) {
    if (IsFunction(operation)) names.push_back(StringOf(operation, "sym_name"));
  }
  return names;
}

Result<std::string> EntryName(const Program& program, std::string_view function) {
  const std::string_view wanted = function.empty() ? "main" : function;
  std::vector<std::string> names = FunctionNames(program);
  if (std::ranges::find(names, wanted) != names.end()) return std::string(wanted);
  if (!function.empty()) {
    return IllegalAt(program.module, fmt::format("there is no function @{}: found {}", function, ListOf(names)));
  }
  names.clear();
  for (const Operation& operation : OperationsOf(program)) {
    if (IsFunction(operation) && IsPublic(operation)) names.push_back(StringOf(operation, "sym_name"));
  }
  if (names.size() == 1) return names[0];
  return IllegalAt(program.module,
                   fmt::format("a program starts at its function @main, or at its only public one: found {}{}",
                               ListOf(names), names.empty() ? "" : "; name one of them by --function NAME"));
}

Result<std::vector<std::string>> EntryNames(const Program& program) {
  Result<std::string> entry = EntryName(program, "");
  if (entry) return std::vector<std::string>{*std::move(entry)};
  std::set<std::string> called;
  AddReferencesIn(program.module, called);
  std::vector<std::string> tests, uncalled;
  for (const Operation& operation : OperationsOf(program)) {
    if (!IsFunction(operation) || operation.regions.empty() || operation.regions[0].blocks.empty()) continue;
    const std::string name = StringOf(operation, "sym_name");
    const bool is_called = called.contains(name);
    const bool has_arguments = !operation.regions[0].blocks[0].arguments.empty();
    if (!has_arguments && (IsPublic(operation) || !is_called)) tests.push_back(name);
    if (!is_called) uncalled.push_back(name);
  }
  if (!tests.empty()) return tests;
  if (uncalled.empty()) return std::move(entry).error();
  return uncalled;
}

}  // namespace assay::stablehlo
