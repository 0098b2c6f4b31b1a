// Where text goes that is too long to be held as a whole.
#pragma once

#include <functional>
#include <string_view>

namespace assay {

// Takes a text piece by piece.
using TextSink = std::function<void(std::string_view)>;

}  // namespace assay
