// A shared object of custom-call targets, for --custom-call-library.
#include <cstddef>
#include <cstdlib>
#include <stdexcept>

extern "C" {

struct XlaCustomCallStatus;
void XlaCustomCallStatusSetFailure(XlaCustomCallStatus* status, const char* message, std::size_t length);

// Reverses operand 0, an f32[n]. Operand 1 is its length, an s32[].
void reverse_vector(void* out, void** in) {
  const auto* x = static_cast<const float*>(in[0]);
  const int n = *static_cast<const int*>(in[1]);
  for (int i = 0; i < n; ++i) static_cast<float*>(out)[i] = x[n - 1 - i];
}

// Does the same through API_VERSION_STATUS_RETURNING, except for vectors of three elements.
void reverse_or_fail(void* out, void** in, XlaCustomCallStatus* status) {
  reverse_vector(out, in);
  if (*static_cast<const int*>(in[1]) == 3) XlaCustomCallStatusSetFailure(status, "three", 5);
}

// Targets must not throw.
void throw_text(void*, void**) { throw std::runtime_error("thrown up"); }
void throw_number(void*, void**) { throw 5; }
void leave(void*, void**) { std::exit(0); }
}
