// Error messages of the command line for unknown words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace assay {

// Returns the message of a usage error. For the first unknown word it suggests the nearest commands or options.
std::string Complaint(const CLI::App& app, const CLI::Error& error, int argc, const char* const* argv);

}  // namespace assay
