//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>, %b: tensor<24x!quant.uniform<i16:f32, 0.002:-700>>, %c: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>) {
  %r0 = "stablehlo.tan"(%a) : (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>) -> tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>
  %r1 = "stablehlo.tan"(%b) : (tensor<24x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<24x!quant.uniform<i16:f32, 0.25:5>>
  %r2 = "stablehlo.tan"(%c) : (tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<24x!quant.uniform<u16:f64, 0.01:7>>
  return %r0, %r1, %r2 : tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>
}

//! case values integers of u8, i16, u16
//! arg  u8[24] 19 86 153 220 57 125 192 29 96 163 230 67 134 201 38 105 172 10 77 144 211 48 115 182
//! arg  s16[24] -30038 -10923 8191 27305 -19115 -1 19113 -27307 -8193 10922 30036 -16385 2730 21844 -24577 -5462 13652 -32768 -13654 5460 24575 -21846 -2732 16383
//! arg  u16[24] 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151
//! want u8[24] 140 109 123 126 120 126 127 124 126 128 130 128 129 131 128 130 133 130 132 138 102 134 175 118
//! want s16[24] 11 161 -2 3 10 28 -6 6 9 17 -14 5 8 13 2 5 7 -10 1 4 6 -28 0 3
//! want u16[24] 519 0 0 0 0 7 34 152 291 1364 0 0 0 0 69 114 197 0 0 0 0 22 50 87
