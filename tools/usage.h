// Messages of the command line for unknown words, and the text of `assay --version`.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>

namespace assay {

// Returns the message of a usage error. `words` are those of the command line, with the name of the program. For the
// first unknown word it suggests the nearest commands or options.
std::string Complaint(const CLI::App& app, const CLI::Error& error, std::span<const char* const> words);

// Returns the lines of --version without the last newline: version, commit, the digest of the corpus that commands use
// by default, and the formats. The digest is that of a report of the whole corpus (results.json, "digest").
std::string VersionText();

}  // namespace assay
