// JSON and related headers, compiled once for the files of a library that read or write it. Each file still includes
// the headers that it uses; -Db_pch=false compiles without this one.
//
// The header's literals "..."_json are inline functions that parse, so each file would instantiate the whole parser:
// 0.8 of the 1.1 seconds of an empty file. Templates that nothing calls instantiate nothing.
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
