//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main() -> (tensor<4x!quant.uniform<u16:f64, 0.001:32768>>) {
  %t = stablehlo.create_token : !stablehlo.token
  %f:3 = "stablehlo.infeed"(%t) {infeed_config = "", layout = [[0], [0]]} : (!stablehlo.token) -> (tensor<4x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x!quant.uniform<u16:f64, 0.001:32768>>, !stablehlo.token)
  %n = stablehlo.negate %f#0 : tensor<4x!quant.uniform<u16:f64, 0.001:32768>>
  %o = "stablehlo.outfeed"(%n, %f#0, %f#2) {outfeed_config = ""} : (tensor<4x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x!quant.uniform<u16:f64, 0.001:32768>>, !stablehlo.token) -> !stablehlo.token
  %v:2 = "stablehlo.recv"(%o) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4x!quant.uniform<u16:f64, 0.001:32768>>, !stablehlo.token)
  %s = "stablehlo.send"(%v#0, %v#1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<4x!quant.uniform<u16:f64, 0.001:32768>>, !stablehlo.token) -> !stablehlo.token
  %r0 = stablehlo.negate %v#0 : tensor<4x!quant.uniform<u16:f64, 0.001:32768>>
  return %r0 : tensor<4x!quant.uniform<u16:f64, 0.001:32768>>
}

//! case values integers from the host and back
//! infeed u16[4] 5461 24575 43690 62804 | u16[4] 16383 35498 54612 8191
//! infeed u16[4] 16383 35498 54612 8191
//! want u16[4] 49153 30038 10924 57345
//! outfeed u16[4] 60075 40961 21846 2732 | u16[4] 5461 24575 43690 62804
//! outfeed u16[4] 16383 35498 54612 8191
