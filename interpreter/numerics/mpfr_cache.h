// What MPFR keeps for each thread.
#pragma once

#include <mpfr.h>

namespace assay {

// MPFR keeps constants and spare integers for each thread that has used it. Whoever uses it calls this before, so that
// they are freed with the thread, behind all that has been made since.
inline void FreeMpfrCacheWithThread() {
  struct Cache {
    ~Cache() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
    bool is_used = false;
  };
  thread_local Cache cache;
  cache.is_used = true;
}

}  // namespace assay
