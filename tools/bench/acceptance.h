// The benchmark `acceptance`: measures how often the checker is wrong.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [--elements N] [--random N] [--corpus FOLDER] [--seed S] [--json] [PROFILE...]: counts false accusations among N
// elements of lawful noise for each profile, and runs each mutant on the corpus and on N random instructions. Returns 1
// if there is a false accusation or a missed mutant.
int BenchAcceptance(std::span<const std::string_view> arguments);

}  // namespace assay
