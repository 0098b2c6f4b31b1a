// What stands before and behind the text of a kernel so that a host's compiler makes a library of it whose functions
// run its threads.
#pragma once

#include <string_view>

namespace host_driver {

inline constexpr std::string_view kBefore = R"(
typedef unsigned long host_size;
struct host_index { unsigned x, y, z; };
static host_index threadIdx, blockIdx, blockDim, gridDim;
static void (*host_barrier)();
#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(n)
#define __restrict__ __restrict
#define __syncthreads() host_barrier()
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
static inline unsigned long long atomicAdd(unsigned long long* at, unsigned long long more) {
  const unsigned long long before = *at;
  *at += more;
  return before;
}
// Between two barriers each thread has left its number, and reads another's.
static char host_lanes[1024][8];
template <class T> static T __shfl_down_sync(unsigned, T x, unsigned step) {
  __builtin_memcpy(host_lanes[threadIdx.x], &x, sizeof(T));
  host_barrier();
  T y;
  const unsigned from = threadIdx.x % 32 + step < 32 ? threadIdx.x + step : threadIdx.x;
  __builtin_memcpy(&y, host_lanes[from], sizeof(T));
  host_barrier();
  return y;
}
#line 1 "kernel"
)";

inline constexpr std::string_view kBehind = R"(
template <int... I> struct host_numbers {};
template <class... A, int... I> static void host_call(void (*entry)(A...), void** words, host_numbers<I...>) {
  entry(*(A*)words[I]...);
}
template <class... A> static void host_call(void (*entry)(A...), void** words) {
  host_call(entry, words, host_numbers<__integer_pack(sizeof...(A))...>());
}
template <class... A> static unsigned host_count(void (*)(A...)) { return sizeof...(A); }
extern "C" unsigned host_parameters() { return host_count(kernel); }
extern "C" void host_thread(void** words, unsigned thread) {
  threadIdx.x = thread;
  host_call(kernel, words);
}
extern "C" void host_resume(unsigned thread) { threadIdx.x = thread; }
extern "C" void host_block(unsigned block, unsigned blocks, unsigned threads, void (*barrier)()) {
  blockIdx.x = block;
  gridDim = host_index{blocks, 1, 1};
  blockDim = host_index{threads, 1, 1};
  host_barrier = barrier;
}
extern "C" void host_threads(void** words, unsigned threads) {
  for (unsigned thread = 0; thread < threads; ++thread) host_thread(words, thread);
}
)";

// What "machine code" begins with; the bytes of the library follow, and whether its threads meet at barriers.
inline constexpr std::string_view kMark = "host driver's code 3\n";
struct CodeHead {
  char mark[24];
  unsigned long long bytes;
  unsigned long long has_barriers;
};

}  // namespace host_driver
