#include "conformance/diagnosis/failing_module.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "backends/claims.h"
#include "backends/files.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "conformance/reports/shell_word.h"
#include "interpreter/hlo/printer.h"

namespace assay {

std::string ProgramIn(const std::string& folder) {
  std::error_code error;
  const std::string stablehlo = fmt::format("{}/{}", folder, kStableHloFile);
  return std::filesystem::exists(stablehlo, error) ? stablehlo : folder + "/module.hlo";
}

std::string DeviceOptionsText(std::int64_t replicas, std::int64_t partitions) {
  if (replicas == 0 || partitions == 0) return "";
  return fmt::format(" --replicas {} --partitions {}", replicas, partitions);
}

std::string CommandOf(const FailingModule& failing) {
  std::string command = fmt::format("assay diff {} --backend {} --inputs {}", ShellWord(ProgramIn(failing.folder)),
                                    ShellWord(failing.backend), ShellWord(failing.folder + "/inputs.json"));
  command += DeviceOptionsText(failing.replicas, failing.partitions);
  if (!failing.profile.empty()) command += " --profile " + ShellWord(failing.profile);
  for (const std::string& library : failing.libraries) command += " --custom-call-library " + ShellWord(library);
  return command;
}

Result<std::string> WriteFailingModule(FailingModule failing, const Subject& subject) {
  failing.replicas = subject.module->replica_count;
  failing.partitions = subject.module->num_partitions;
  ASSAY_CHECK_OK(PrepareFolder(failing.folder));
  std::string names = "command.txt, inputs.json, module.hlo";
  const std::string hlo = PrintHloModule(*subject.module, PrintOptions::Exact());
  ASSAY_CHECK_OK(WriteFileAtomically(failing.folder + "/module.hlo", hlo));
  if (const std::string* stablehlo = StableHloFor(failing.takes_stablehlo, *subject.module, hlo)) {
    ASSAY_CHECK_OK(WriteFileAtomically(fmt::format("{}/{}", failing.folder, kStableHloFile), *stablehlo));
    names += fmt::format(", {}", kStableHloFile);
  }
  ASSAY_CHECK_OK(WriteFileAtomically(failing.folder + "/inputs.json", InputsText(subject.arguments)));
  ASSAY_CHECK_OK(WriteFileAtomically(failing.folder + "/command.txt", CommandOf(failing) + "\n"));
  return names;
}

}  // namespace assay
