// Programs of a user, from which fuzzing starts.
#pragma once

#include <string>
#include <vector>

#include "fuzz/mutations/mutation.h"
#include "interpreter/types/result.h"

namespace assay {

struct GivenPrograms {
  std::vector<NamedSubject> programs;
  std::vector<Error> unread;  // one for each file that is no program, with its name
};

// Reads a module, or the modules of a folder and its subfolders in every form that ReadModuleFile reads, sorted by
// path, with recorded or seeded inputs. Fails if no module can be read.
Result<GivenPrograms> ReadGivenPrograms(const std::string& path);

}  // namespace assay
