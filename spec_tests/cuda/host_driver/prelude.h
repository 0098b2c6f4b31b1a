// The text before and after a kernel with which a host's compiler makes a library whose functions run the kernel's
// threads.
#pragma once

#include <string_view>

namespace host_driver {

inline constexpr std::string_view kBefore = R"(
typedef unsigned long host_size;
struct host_index { unsigned x, y, z; };
static host_index threadIdx, blockIdx, blockDim, gridDim;
// Waits for the block at a line; for the warp only, at minus a line.
static void (*host_barrier)(int line);
#define __global__
#define __device__
#define __shared__ static __attribute__((section("host_shared")))
#define __launch_bounds__(n)
#define __restrict__ __restrict
#define __syncthreads() host_barrier(__LINE__)
// What is no access of the kernel's own.
#define HOST_UNSEEN __attribute__((noinline, no_sanitize("thread")))
#define __forceinline__ inline
extern "C" {
float expf(float); double exp(double); float expm1f(float); double expm1(double); float logf(float); double log(double);
float log1pf(float); double log1p(double); float sqrtf(float); double sqrt(double); float cbrtf(float);
double cbrt(double); float erff(float); double erf(double); float sinf(float); double sin(double); float cosf(float);
double cos(double); float tanf(float); double tan(double); float asinf(float); double asin(double); float acosf(float);
double acos(double); float atanf(float); double atan(double); float atan2f(float, float); double atan2(double, double);
float sinhf(float); double sinh(double); float coshf(float); double cosh(double); float tanhf(float);
double tanh(double); float asinhf(float); double asinh(double); float acoshf(float); double acosh(double);
float atanhf(float); double atanh(double); float powf(float, float); double pow(double, double);
float fmodf(float, float); double fmod(double, double); float floorf(float); double floor(double); float ceilf(float);
double ceil(double); float rintf(float); double rint(double); float roundf(float); double round(double);
float fabsf(float); double fabs(double); float copysignf(float, float); double copysign(double, double);
double hypot(double, double); float hypotf(float, float); float truncf(float); double trunc(double);
long double cbrtl(long double); float fmaf(float, float, float); double fma(double, double, double); void sincos(double, double*, double*);
}
static inline float rsqrtf(float x) { return (float)(1 / sqrt((double)x)); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
// CUDA's is exact to 1 ULP, that of the C library is not.
static inline double host_cbrt(double x) { return (double)cbrtl(x); }
#define cbrt host_cbrt
HOST_UNSEEN static unsigned long long atomicAdd(unsigned long long* at, unsigned long long more) {
  const unsigned long long before = *at;
  *at += more;
  return before;
}
template <class T> HOST_UNSEEN static T atomicOr(T* at, T more) {
  const T before = *at;
  *at |= more;
  return before;
}
// Each thread leaves its number before a barrier, and reads another's behind it. Two shuffles in a row have buffers of
// their own: thread 0, which is the first to run, exchanges them.
static char host_lanes[2][1024][8];
static unsigned host_turn;
template <class T> HOST_UNSEEN static T host_shuffle(T x, unsigned step, int line) {
  if (threadIdx.x == 0) host_turn ^= 1;
  char(&lanes)[1024][8] = host_lanes[host_turn];
  __builtin_memcpy(lanes[threadIdx.x], &x, sizeof(T));
  host_barrier(-line);
  T y;
  const unsigned from = threadIdx.x % 32 + step < 32 ? threadIdx.x + step : threadIdx.x;
  __builtin_memcpy(&y, lanes[from], sizeof(T));
  return y;
}
#define __shfl_down_sync(mask, x, step) host_shuffle(x, step, __LINE__)
#line 1 "kernel"
)";

inline constexpr std::string_view kBehind = R"(
#define EXPORTED extern "C" __attribute__((visibility("default"), no_sanitize("thread")))
template <int... I> struct host_numbers {};
template <class... A, int... I> static void host_call(void (*entry)(A...), void** words, host_numbers<I...>) {
  entry(*(A*)words[I]...);
}
template <class... A> static void host_call(void (*entry)(A...), void** words) {
  host_call(entry, words, host_numbers<__integer_pack(sizeof...(A))...>());
}
template <class... A> static unsigned host_count(void (*)(A...)) { return sizeof...(A); }
EXPORTED unsigned host_parameters() { return host_count(kernel); }
EXPORTED void host_thread(void** words, unsigned thread) {
  threadIdx.x = thread;
  host_call(kernel, words);
}
EXPORTED void host_resume(unsigned thread) { threadIdx.x = thread; }
EXPORTED void host_block(unsigned block, unsigned blocks, unsigned threads, void (*barrier)(int)) {
  blockIdx.x = block;
  gridDim = host_index{blocks, 1, 1};
  blockDim = host_index{threads, 1, 1};
  host_barrier = barrier;
}
// The linker says where a section begins and ends.
extern "C" __attribute__((weak, visibility("hidden"))) char __start_host_shared[], __stop_host_shared[];
EXPORTED char* host_shared_memory(unsigned long* bytes) {
  *bytes = __stop_host_shared - __start_host_shared;
  return __start_host_shared;
}
#ifdef HOST_CHECKS
static void (*host_access)(unsigned long, unsigned long, bool);
EXPORTED void host_look(void (*access)(unsigned long, unsigned long, bool)) { host_access = access; }
// What -fsanitize=thread calls.
#define HOST_ACCESSES(bytes) \
  extern "C" HOST_UNSEEN void __tsan_read##bytes(void* at) { host_access((unsigned long)at, bytes, false); } \
  extern "C" HOST_UNSEEN void __tsan_write##bytes(void* at) { host_access((unsigned long)at, bytes, true); } \
  extern "C" HOST_UNSEEN void __tsan_unaligned_read##bytes(void* at) { host_access((unsigned long)at, bytes, false); } \
  extern "C" HOST_UNSEEN void __tsan_unaligned_write##bytes(void* at) { host_access((unsigned long)at, bytes, true); }
HOST_ACCESSES(1)
HOST_ACCESSES(2)
HOST_ACCESSES(4)
HOST_ACCESSES(8)
HOST_ACCESSES(16)
extern "C" HOST_UNSEEN void __tsan_read_range(void* at, unsigned long bytes) { host_access((unsigned long)at, bytes, false); }
extern "C" HOST_UNSEEN void __tsan_write_range(void* at, unsigned long bytes) { host_access((unsigned long)at, bytes, true); }
extern "C" HOST_UNSEEN void __tsan_init() {}
// Whether a variable of a function has its start: what is shared has none.
extern "C" HOST_UNSEEN char __tsan_atomic8_load(const volatile char* at, int) { return *at; }
#endif
)";

// The head of "machine code". The bytes of the library follow.
inline constexpr std::string_view kMark = "host driver's code 5\n";
struct CodeHead {
  char mark[24];
  unsigned long long bytes;
  unsigned long long has_barriers;
};

}  // namespace host_driver
