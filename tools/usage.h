// What the command line says about words that it cannot take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace assay {

// The complaint, with the nearest commands or options for the first word that is none.
std::string Complaint(const CLI::App& app, const CLI::Error& error, int argc, const char* const* argv);

}  // namespace assay
