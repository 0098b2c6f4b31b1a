// A sink for text that is too long to hold in memory.
#pragma once

#include <functional>
#include <string_view>

namespace assay {

// Receives a text piece by piece.
using TextSink = std::function<void(std::string_view)>;

}  // namespace assay
