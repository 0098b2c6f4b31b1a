// JSON and what goes with it, read once for the files of a library that read or write it. Files include what they use
// all the same; -Db_pch=false compiles them without this.
//
// The header's literals "..."_json are inline functions that parse, so that each file would instantiate the whole
// parser: 0.8 of the 1.1 seconds of an empty file. As templates that nothing calls they instantiate nothing.
#define _json(...)       \
  _json(__VA_ARGS__);    \
  template <class Never> \
  inline json unused_literal(__VA_ARGS__)
#define _json_pointer(...)    \
  _json_pointer(__VA_ARGS__); \
  template <class Never>      \
  inline json::json_pointer unused_pointer_literal(__VA_ARGS__)
#include <nlohmann/json.hpp>
#undef _json
#undef _json_pointer

#include "backends/precompiled/backend.h"
