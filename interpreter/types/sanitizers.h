// The sanitizer that the code is built with: gcc names it by macros of its own, clang by __has_feature.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ASSAY_ADDRESS_SANITIZER
#elif defined(__SANITIZE_THREAD__)
#define ASSAY_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASSAY_ADDRESS_SANITIZER
#elif __has_feature(thread_sanitizer)
#define ASSAY_THREAD_SANITIZER
#endif
#endif
