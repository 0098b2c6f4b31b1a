// The benchmark `acceptance`: how often the checker is wrong.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [--elements N] [--random N] [--corpus FOLDER] [--seed S] [--json] [PROFILE...]: false accusations among so many
// elements of lawful noise for each profile, and what becomes of each mutant on the corpus and on so many random
// instructions. Exit code 1 when anybody is falsely accused or any mutant is missed.
int BenchAcceptance(std::span<const std::string_view> arguments);

}  // namespace assay
