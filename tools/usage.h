// Error messages of the command line for unknown words.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>

namespace assay {

// Returns the message of a usage error. `words` are those of the command line, with the name of the program. For the
// first unknown word it suggests the nearest commands or options.
std::string Complaint(const CLI::App& app, const CLI::Error& error, std::span<const char* const> words);

}  // namespace assay
