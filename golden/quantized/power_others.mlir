//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>, %b: tensor<24x!quant.uniform<u8<10:240>:bf16, 0.5:20>>, %c: tensor<24x!quant.uniform<i16:f32, 0.002:-700>>, %d: tensor<24x!quant.uniform<i16:f32, 0.003:0>>, %e: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, %f: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>) {
  %r0 = "stablehlo.power"(%a, %b) : (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>, tensor<24x!quant.uniform<u8<10:240>:bf16, 0.5:20>>) -> tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>
  %r1 = "stablehlo.power"(%c, %d) : (tensor<24x!quant.uniform<i16:f32, 0.002:-700>>, tensor<24x!quant.uniform<i16:f32, 0.003:0>>) -> tensor<24x!quant.uniform<i16:f32, 0.25:5>>
  %r2 = "stablehlo.power"(%e, %f) : (tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<24x!quant.uniform<u16:f64, 0.01:7>>
  return %r0, %r1, %r2 : tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>
}

//! case values integers of u8, i16, u16
//! arg  u8[24] 153 220 125 192 163 230 134 201 105 172 144 211 115 182 240 153 220 125 192 163 230 134 201 105
//! arg  u8[24] 48 115 182 86 153 220 57 125 192 29 96 163 230 67 134 201 38 105 172 77 144 211 240 48
//! arg  s16[24] 8191 27305 -1 19113 10922 30036 2730 21844 13652 5460 24575 16383 32767 8191 27305 -1 19113 10922 30036 2730 21844 13652 5460 24575
//! arg  s16[24] 16383 8191 27305 19113 10922 30036 2730 21844 13652 5460 24575 32767 16383 8191 27305 19113 10922 30036 2730 21844 13652 5460 24575 32767
//! arg  u16[24] 40959 60073 51881 43690 62804 35498 54612 46420 38228 57343 49151 65535 40959 60073 51881 43690 62804 35498 54612 46420 38228 57343 49151 65535
//! arg  u16[24] 49151 40959 60073 51881 43690 62804 35498 54612 46420 38228 57343 65535 49151 40959 60073 51881 43690 62804 35498 54612 46420 38228 57343 65535
//! want u8[24] 240 240 240 240 240 240 240 240 128 14*240 128
//! want s16[24] 24*32767
//! want u16[24] 24*65535
