// What the command line says about words that it cannot take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace assay {

// A number of seconds that is positive, or where `may_be_zero` not negative; finite.
CLI::Validator Seconds(bool may_be_zero = false);

// A decimal number from `least` on that fits 63 bits, or 64 without a sign; nothing is rounded or clamped to fit.
CLI::Validator WholeNumber(std::uint64_t least, std::uint64_t most = INT64_MAX);

// The complaint, with the nearest commands or options for the first word that is none.
std::string Complaint(const CLI::App& app, const CLI::Error& error, int argc, const char* const* argv);

}  // namespace assay
