// Finds the data files and folders that belong to the program.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace assay {

// Returns the path of a file or folder of assay's own, such as backends.json or golden; empty if there is none.
// Searches the working directory and the folders above it, then the folders above the program (the repository that
// built it), then share/assay of the installation.
std::filesystem::path FindData(std::string_view name);
// Returns all paths of that name, in the same order.
std::vector<std::filesystem::path> FindAllData(std::string_view name);

}  // namespace assay
