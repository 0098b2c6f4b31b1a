//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>, %b: tensor<24x!quant.uniform<i16:f32, 0.002:-700>>, %c: tensor<24x!quant.uniform<u16:f64, 0.001:32768>>, %d: tensor<24x!quant.uniform<i32:f64, 0.0001:12345>>) -> (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>, tensor<24x!quant.uniform<i32:f64, 0.1:-7>>) {
  %r0 = "stablehlo.round_nearest_even"(%a) : (tensor<24x!quant.uniform<u8<10:240>:bf16, 0.1:100>>) -> tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>
  %r1 = "stablehlo.round_nearest_even"(%b) : (tensor<24x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<24x!quant.uniform<i16:f32, 0.25:5>>
  %r2 = "stablehlo.round_nearest_even"(%c) : (tensor<24x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<24x!quant.uniform<u16:f64, 0.01:7>>
  %r3 = "stablehlo.round_nearest_even"(%d) : (tensor<24x!quant.uniform<i32:f64, 0.0001:12345>>) -> tensor<24x!quant.uniform<i32:f64, 0.1:-7>>
  return %r0, %r1, %r2, %r3 : tensor<24x!quant.uniform<u8<10:240>:bf16, 0.3:128>>, tensor<24x!quant.uniform<i16:f32, 0.25:5>>, tensor<24x!quant.uniform<u16:f64, 0.01:7>>, tensor<24x!quant.uniform<i32:f64, 0.1:-7>>
}

//! case values integers of u8, i16, u16, i32
//! arg  u8[24] 19 86 153 220 57 125 192 29 96 163 230 67 134 201 38 105 172 10 77 144 211 48 115 182
//! arg  s16[24] -30038 -10923 8191 27305 -19115 -1 19113 -27307 -8193 10922 30036 -16385 2730 21844 -24577 -5462 13652 -32768 -13654 5460 24575 -21846 -2732 16383
//! arg  u16[24] 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151
//! arg  s32[24] -1968526678 -715827883 536870911 1789569705 -1252698795 -1 1252698793 -1789569707 -536870913 715827882 1968526676 -1073741825 178956970 1431655764 -1610612737 -357913942 894784852 -2147483648 -894784854 357913940 1610612735 -1431655766 -178956972 1073741823
//! want u8[24] 102 124 145 168 114 135 158 105 128 148 171 118 138 161 108 128 151 98 122 141 164 112 135 155
//! want s16[24] -231 -75 77 229 -143 9 165 -207 -55 97 249 -119 33 185 -187 -35 121 -251 -99 53 209 -163 -11 141
//! want u16[24] 0 0 807 2707 0 7 1907 0 0 1107 3007 0 307 2207 0 0 1407 0 0 507 2507 0 0 1607
//! want s32[24] -1968547 -715847 536853 1789553 -1252717 -17 1252683 -1789587 -536887 715813 1968503 -1073757 178933 1431633 -1610637 -357937 894763 -2147507 -894807 357893 1610593 -1431677 -178977 1073723
