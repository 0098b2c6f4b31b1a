// Converts the programs of a StableHLO file to HLO text.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/cases/module_file.h"
#include "interpreter/types/result.h"

namespace assay {

// Translates the program of a file that defines `function`, or the only one if it is empty, to HLO text. Only jaxlib
// reads bytecode of the dialects themselves, which is no portable artifact: `convert` calls it, and the first error is
// returned if that fails too. Sizes that the program leaves open follow from the inputs.
Status TranslateModule(ModuleFile& file, const std::string& function, const InputOptions& inputs,
                       const std::function<Status()>& convert);

// Translates every program of a text. The function of a single one is left empty.
std::vector<ProgramFile> TranslateEach(ModuleFile file, const InputOptions& inputs);

}  // namespace assay
