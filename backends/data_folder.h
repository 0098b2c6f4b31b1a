// Where the data lies that belongs to the program.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace assay {

// A file or folder of assay's own, such as backends.json or golden: that of the working directory or of a folder
// above it, else of a folder above the program (the repository that built it), else share/assay of the installation.
// Empty when none of them has it.
std::filesystem::path FindData(std::string_view name);
// All of that name, in this order.
std::vector<std::filesystem::path> FindAllData(std::string_view name);

}  // namespace assay
