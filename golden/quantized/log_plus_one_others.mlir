//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>, %b: tensor<24x!quant.uniform<i16:f32, 0.002:-700>>, %c: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>) {
  %r0 = "stablehlo.log_plus_one"(%a) : (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>) -> tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>
  %r1 = "stablehlo.log_plus_one"(%b) : (tensor<24x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<24x!quant.uniform<i16:f32, 0.25:5>>
  %r2 = "stablehlo.log_plus_one"(%c) : (tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<24x!quant.uniform<u16:f64, 0.01:7>>
  return %r0, %r1, %r2 : tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>
}

//! case values integers of u8, i16, u16
//! arg  u8[24] 153 220 125 192 163 230 134 201 105 172 144 211 115 182 240 153 220 125 192 163 230 134 201 105
//! arg  s16[24] 8191 27305 -1 19113 10922 30036 2730 21844 13652 5460 24575 16383 32767 8191 27305 -1 19113 10922 30036 2730 21844 13652 5460 24575
//! arg  u16[24] 40959 60073 51881 43690 62804 35498 54612 46420 38228 57343 49151 65535 40959 60073 51881 43690 62804 35498 54612 46420 38228 57343 49151 65535
//! want u8[24] 134 136 132 136 135 137 133 136 129 135 134 136 131 135 137 134 136 132 136 135 137 133 136 129
//! want s16[24] 17 21 8 20 18 22 13 20 19 15 21 19 22 17 21 8 20 18 22 13 20 19 15 21
//! want u16[24] 229 341 307 255 351 139 320 275 194 331 293 359 229 341 307 255 351 139 320 275 194 331 293 359
