// A shared object of custom-call targets, for --custom-call-library.

extern "C" {

// f32[n] of operand 0, s32[] of operand 1 (its length): operand 0 reversed.
void reverse_vector(void* out, void** in) {
  const auto* x = static_cast<const float*>(in[0]);
  const int n = *static_cast<const int*>(in[1]);
  for (int i = 0; i < n; ++i) static_cast<float*>(out)[i] = x[n - 1 - i];
}
}
