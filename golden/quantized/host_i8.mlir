//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main() -> (tensor<4x!quant.uniform<i8:f32, 0.1:-30>>) {
  %t = stablehlo.create_token : !stablehlo.token
  %f:3 = "stablehlo.infeed"(%t) {infeed_config = "", layout = [[0], [0]]} : (!stablehlo.token) -> (tensor<4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x!quant.uniform<i8:f32, 0.1:-30>>, !stablehlo.token)
  %n = stablehlo.negate %f#0 : tensor<4x!quant.uniform<i8:f32, 0.1:-30>>
  %o = "stablehlo.outfeed"(%n, %f#0, %f#2) {outfeed_config = ""} : (tensor<4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x!quant.uniform<i8:f32, 0.1:-30>>, !stablehlo.token) -> !stablehlo.token
  %v:2 = "stablehlo.recv"(%o) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4x!quant.uniform<i8:f32, 0.1:-30>>, !stablehlo.token)
  %s = "stablehlo.send"(%v#0, %v#1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<4x!quant.uniform<i8:f32, 0.1:-30>>, !stablehlo.token) -> !stablehlo.token
  %r0 = stablehlo.negate %v#0 : tensor<4x!quant.uniform<i8:f32, 0.1:-30>>
  return %r0 : tensor<4x!quant.uniform<i8:f32, 0.1:-30>>
}

//! case values integers from the host and back
//! infeed s8[4] -107 -33 42 116 | s8[4] -65 10 84 -97
//! infeed s8[4] -65 10 84 -97
//! want s8[4] 5 -70 -128 37
//! outfeed s8[4] 47 -27 -102 -128 | s8[4] -107 -33 42 116
//! outfeed s8[4] -65 10 84 -97
