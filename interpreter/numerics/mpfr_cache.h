// The per-thread caches of MPFR.
#pragma once

#include <mpfr.h>

namespace assay {

// Registers the calling thread to free its MPFR caches when it exits. MPFR caches constants and spare integers for each
// thread that uses it. Call this before the first use, so that the caches are freed after all objects made since.
inline void FreeMpfrCacheWithThread() {
  struct Cache {
    ~Cache() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
    bool is_used = false;
  };
  thread_local Cache cache;
  cache.is_used = true;
}

}  // namespace assay
