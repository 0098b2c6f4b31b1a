//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>, %b: tensor<24x!quant.uniform<u8<10:240>:bf16, 0.5:20>>, %c: tensor<24x!quant.uniform<i16:f32, 0.002:-700>>, %d: tensor<24x!quant.uniform<i16:f32, 0.003:0>>, %e: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, %f: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>) {
  %r0 = "stablehlo.atan2"(%a, %b) : (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>, tensor<24x!quant.uniform<u8<10:240>:bf16, 0.5:20>>) -> tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>
  %r1 = "stablehlo.atan2"(%c, %d) : (tensor<24x!quant.uniform<i16:f32, 0.002:-700>>, tensor<24x!quant.uniform<i16:f32, 0.003:0>>) -> tensor<24x!quant.uniform<i16:f32, 0.25:5>>
  %r2 = "stablehlo.atan2"(%e, %f) : (tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<24x!quant.uniform<u16:f64, 0.01:7>>
  return %r0, %r1, %r2 : tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>
}

//! case values integers of u8, i16, u16
//! arg  u8[24] 19 86 153 220 57 125 192 29 96 163 230 67 134 201 38 105 172 10 77 144 211 48 115 182
//! arg  u8[24] 48 115 182 19 86 153 220 57 125 192 29 96 163 230 67 134 201 38 105 172 10 77 144 211
//! arg  s16[24] -30038 -10923 8191 27305 -19115 -1 19113 -27307 -8193 10922 30036 -16385 2730 21844 -24577 -5462 13652 -32768 -13654 5460 24575 -21846 -2732 16383
//! arg  s16[24] -21846 -2732 16383 -30038 -10923 8191 27305 -19115 -1 19113 -27307 -8193 10922 30036 -16385 2730 21844 -24577 -5462 13652 -32768 -13654 5460 24575
//! arg  u16[24] 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151
//! arg  u16[24] 10922 30036 49151 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343
//! want u8[24] 126 128 128 133 128 128 128 127 128 128 132 128 128 128 127 128 128 126 128 128 135 128 128 128
//! want s16[24] -5 -3 6 15 -4 5 7 -5 -1 7 15 -4 6 7 -4 2 7 -5 -4 6 16 -4 4 7
//! want u16[24] 0 0 53 247 0 7 68 0 0 59 238 0 31 70 0 0 63 0 0 45 257 0 0 66
