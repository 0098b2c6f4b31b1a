// The benchmark `acceptance`: how often the checker is wrong.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [--elements N] [--seed S] [--json] [PROFILE...]: false accusations among so many elements of lawful noise for each
// profile. Exit code 1 when there are any.
int BenchAcceptance(std::span<const std::string_view> arguments);

}  // namespace assay
