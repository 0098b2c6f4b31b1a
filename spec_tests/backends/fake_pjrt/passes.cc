#include "spec_tests/backends/fake_pjrt/passes.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"

namespace assay::pjrt {
namespace {

// Returns the last text of a setting; empty if there is none. The key of the map's entry precedes two tags, each with
// the length of what follows.
std::string_view TextOfSetting(std::string_view options, std::string_view name) {
  const std::size_t at = options.rfind(name);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = options.substr(at + name.size());
  return rest.substr(4, static_cast<unsigned char>(rest[3]));
}

void Write(const std::filesystem::path& folder, std::string_view name, const HloModule& module) {
  std::ofstream(folder / name) << PrintHloModule(module, PrintOptions::Exact());
}

}  // namespace

void RunPasses(HloModule& module, std::string_view compile_options) {
  const std::filesystem::path folder = TextOfSetting(compile_options, "xla_dump_to");
  if (!folder.empty()) Write(folder, "module_0001.m.0000.all.after_pipeline-start.before_swap.txt", module);
  if (TextOfSetting(compile_options, "xla_disable_hlo_passes").find("swap") == std::string_view::npos) {
    for (const auto& computation : module.computations) {
      for (const auto& instruction : computation->instructions) {
        if (instruction->op->name == "subtract") std::swap(instruction->operands[0], instruction->operands[1]);
      }
    }
  }
  if (!folder.empty()) Write(folder, "module_0001.m.0001.all.after_swap.before_pipeline-end.txt", module);
}

}  // namespace assay::pjrt
