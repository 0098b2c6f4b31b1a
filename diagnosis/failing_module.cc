#include "diagnosis/failing_module.h"

#include <fmt/format.h>

#include "conformance/files.h"
#include "conformance/inputs.h"
#include "conformance/shell_word.h"
#include "interpreter/hlo/printer.h"

namespace assay {

std::string CommandOf(const FailingModule& failing) {
  std::string command = fmt::format("assay diff {} --backend {} --inputs {}", ShellWord(failing.folder + "/module.hlo"),
                                    ShellWord(failing.backend), ShellWord(failing.folder + "/inputs.json"));
  if (!failing.profile.empty()) command += " --profile " + ShellWord(failing.profile);
  for (const std::string& library : failing.libraries) command += " --custom-call-library " + ShellWord(library);
  return command;
}

Status WriteFailingModule(const FailingModule& failing, const Subject& subject) {
  ASSAY_CHECK_OK(PrepareFolder(failing.folder));
  ASSAY_CHECK_OK(
      WriteFileAtomically(failing.folder + "/module.hlo", PrintHloModule(*subject.module, PrintOptions::Exact())));
  ASSAY_CHECK_OK(WriteFileAtomically(failing.folder + "/inputs.json", InputsText(subject.arguments)));
  return WriteFileAtomically(failing.folder + "/command.txt", CommandOf(failing) + "\n");
}

}  // namespace assay
