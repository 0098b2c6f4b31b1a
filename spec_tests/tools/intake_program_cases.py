"""Programs of StableHLO, CHLO, MHLO and Shardy as frameworks print them in 2026, and what `assay run` prints.

The values are worked out by hand. A case is: kind of file, text, inputs, output.
"""


def program(arguments, body, results, attributes=""):
    """Returns a program of one function: `arguments` and `results` are types of tensors, without "tensor<>"; the lines of
    the body name the arguments %0, %1 and so on, and the result %r, or %r#0, %r#1 of several."""
    names = ", ".join(f"%{i}: tensor<{each}>" for i, each in enumerate(arguments))
    types = ", ".join(f"tensor<{each}>" for each in results)
    values = ", ".join(f"%r#{i}" for i in range(len(results))) if len(results) > 1 else "%r"
    text = f"  func.func @main({names}) -> ({types}) {{\n    {body.replace('; ', chr(10) + '    ')}\n    return {values} : {types}\n  }}"
    return f"module {attributes} {{\n{text}\n}}"


def unary(operation, kind, result=None):
    """Returns a program of one operation in CHLO's form, from a type to another or to itself."""
    return program([kind], f"%r = {operation} %0 : tensor<{kind}> -> tensor<{result or kind}>", [result or kind])


def region(arguments, body):
    """Returns a region: the types of its arguments %a, %b and so on, scalars, and its lines."""
    names = ", ".join(f"%{chr(97 + i)}: tensor<{each}>" for i, each in enumerate(arguments))
    return f"({{ ^bb0({names}): {body} }})"


# Regions that use values from outside.
WEIGHTED = region(["i32"] * 2, "%p = stablehlo.multiply %b, %1 : tensor<i32> %s = stablehlo.add %a, %p : tensor<i32> "
                               "stablehlo.return %s : tensor<i32>")  # fmt: skip
FUNCTIONS = "func.func private @double(%x: tensor<2xi32>) -> tensor<2xi32> { %y = stablehlo.add %x, %x : tensor<2xi32> return %y : tensor<2xi32> }"


def with_functions(text):
    return text.rstrip("}\n") + "}\n" + FUNCTIONS + "\n}"


PROGRAM_CASES = {
    # ------------------------------------------------------------------------- Regions that use a value from outside.
    # 100 + 3*1 + 3*2 + 3*4
    "a reduction with a factor from outside": ("mlir", program(
        ["3xi32", "i32"], '%z = stablehlo.constant dense<100> : tensor<i32>; %r = "stablehlo.reduce"(%0, %z) '
        + WEIGHTED + " {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>", ["i32"]),
        ["s32[3] {1, 2, 4}", "s32[] 3"], "121\n"),
    "a reduction that returns a value from outside": ("mlir", program(
        ["2x2xi1", "i1", "i1"], "%r = stablehlo.reduce(%0 init: %1) across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) "
        "-> tensor<2xi1> reducer(%a: tensor<i1>, %b: tensor<i1>) { stablehlo.return %2 : tensor<i1> }", ["2xi1"]),
        ["pred[2,2] {{0, 0}, {0, 0}}", "pred[] 0", "pred[] 1"], "{1, 1}\n"),
    # The sums of two arrays, each with its own number from outside; %3 is %2 times two.
    "a reduction of two arrays with two values from outside": ("mlir", program(
        ["2xi32", "2xf32", "i32"],
        "%3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<f32>; %z = stablehlo.constant dense<0> : tensor<i32>; "
        '%y = stablehlo.constant dense<0.0> : tensor<f32>; %r:2 = "stablehlo.reduce"(%0, %1, %z, %y) '
        + region(["i32", "f32", "i32", "f32"],
                 "%p = stablehlo.multiply %c, %2 : tensor<i32> %s = stablehlo.add %a, %p : tensor<i32> "
                 "%q = stablehlo.divide %d, %3 : tensor<f32> %t = stablehlo.add %b, %q : tensor<f32> "
                 "stablehlo.return %s, %t : tensor<i32>, tensor<f32>")
        + " {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<2xf32>, tensor<i32>, tensor<f32>) -> "
        "(tensor<i32>, tensor<f32>)", ["i32", "f32"]), ["s32[2] {1, 2}", "f32[2] {1, 4}", "s32[] 2"], "( 6, 2.5 )\n"),
    "windows with a factor from outside": ("mlir", program(
        ["4xi32", "i32"], '%z = stablehlo.constant dense<0> : tensor<i32>; %r = "stablehlo.reduce_window"(%0, %z) '
        + WEIGHTED + " {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xi32>, tensor<i32>)"
        " -> tensor<2xi32>", ["2xi32"]), ["s32[4] {1, 2, 3, 4}", "s32[] 10"], "{30, 70}\n"),
    # Numbers by their distance from 5.
    "a sort by a value from outside": ("mlir", program(
        ["4xi32", "i32"], '%r = "stablehlo.sort"(%0) '
        + region(["i32"] * 2, "%p = stablehlo.subtract %a, %1 : tensor<i32> %q = stablehlo.subtract %b, %1 : tensor<i32> "
                 "%x = stablehlo.abs %p : tensor<i32> %y = stablehlo.abs %q : tensor<i32> "
                 "%c = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1> "
                 "stablehlo.return %c : tensor<i1>")
        + " {dimension = 0 : i64, is_stable = true} : (tensor<4xi32>) -> tensor<4xi32>", ["4xi32"]),
        ["s32[4] {1, 4, 9, 6}", "s32[] 5"], "{4, 6, 1, 9}\n"),
    "a scatter that subtracts a value from outside": ("mlir", program(
        ["4xf32", "1x1xi32", "1xf32", "f32"], "%r = \"stablehlo.scatter\"(%0, %1, %2) <{scatter_dimension_numbers = "
        "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> "
        + region(["f32"] * 2, "%s = stablehlo.subtract %a, %3 : tensor<f32> stablehlo.return %s : tensor<f32>")
        + " : (tensor<4xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<4xf32>", ["4xf32"]),
        ["f32[4] {1, 2, 3, 4}", "s32[1,1] {{2}}", "f32[1] {9}", "f32[] 0.5"], "{1, 2, 2.5, 4}\n"),
    "a map with a value from outside": ("mlir", program(
        ["2xi32", "i32"], '%r = "stablehlo.map"(%0) '
        + region(["i32"], "%s = stablehlo.add %a, %1 : tensor<i32> stablehlo.return %s : tensor<i32>")
        + " {dimensions = array<i64: 0>} : (tensor<2xi32>) -> tensor<2xi32>", ["2xi32"]), ["s32[2] {1, 2}", "s32[] 40"],
        "{41, 42}\n"),
    # The inner reduction gives 2*(1 + 2); each of the two elements adds it: 3 + 4 + 2*6.
    "a reduction within a reduction": ("mlir", program(
        ["2xi32", "i32"], '%z = stablehlo.constant dense<0> : tensor<i32>; %r = "stablehlo.reduce"(%0, %z) '
        + region(["i32"] * 2, "%k = stablehlo.constant dense<[1, 2]> : tensor<2xi32> "
                 "%zero = stablehlo.constant dense<0> : tensor<i32> "
                 '%n = "stablehlo.reduce"(%k, %zero) ({ ^bb0(%c: tensor<i32>, %d: tensor<i32>): '
                 "%p = stablehlo.multiply %d, %1 : tensor<i32> %q = stablehlo.add %c, %p : tensor<i32> "
                 "stablehlo.return %q : tensor<i32> }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<i32>) -> tensor<i32> "
                 "%s = stablehlo.add %a, %b : tensor<i32> %t = stablehlo.add %s, %n : tensor<i32> "
                 "stablehlo.return %t : tensor<i32>")
        + " {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>", ["i32"]),
        ["s32[2] {3, 4}", "s32[] 2"], "19\n"),
    "a reduction with a constant from outside": ("mlir", program(
        ["3xi32"], "%1 = stablehlo.constant dense<-1> : tensor<i32>; %z = stablehlo.constant dense<0> : tensor<i32>; "
        '%r = "stablehlo.reduce"(%0, %z) ' + WEIGHTED + " {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> "
        "tensor<i32>", ["i32"]), ["s32[3] {1, 2, 4}"], "-7\n"),
    # --------------------------------------------------------------------------------------------------------- einsum.
    **{f"an einsum {config}": ("mlir", program(
        [kind], f'%r = stablehlo.unary_einsum %0, config = "{config}" : (tensor<{kind}>) -> tensor<{result}>', [result]),
        [value], output)
       for config, kind, result, value, output in [
           ("ab->a", "2x3xf32", "2xf32", "f32[2,3] {{1, 2, 3}, {10, 20, 30}}", "{6, 60}\n"),
           ("ab->ba", "2x3xi32", "3x2xi32", "s32[2,3] {{1, 2, 3}, {10, 20, 30}}", "{ { 1, 10 }, { 2, 20 }, { 3, 30 } }\n"),
           ("aa->", "2x2xi32", "i32", "s32[2,2] {{1, 2}, {3, 4}}", "5\n"),
           ("aa->a", "2x2xf32", "2xf32", "f32[2,2] {{1, inf}, {nan, 4}}", "{1, 4}\n"),
           ("aba->b", "2x2x2xi32", "2xi32", "s32[2,2,2] {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}", "{7, 11}\n"),
       ]},
    # The diagonal {1, 4}: 1*5 + 4*7 and 1*6 + 4*8.
    "an einsum of a diagonal": ("mlir", program(
        ["2x2xi32", "2x2xi32"], '%r = stablehlo.einsum %0, %1, config = "ii,ij->j" : (tensor<2x2xi32>, tensor<2x2xi32>) '
        "-> tensor<2xi32>", ["2xi32"]), ["s32[2,2] {{1, 2}, {3, 4}}", "s32[2,2] {{5, 6}, {7, 8}}"], "{33, 38}\n"),
    # Each row of the one plane times the vector: 1*5 + 2*6 and 3*5 + 4*6. The vector has none of the dimensions of "...".
    "an einsum with an ellipsis": ("mlir", program(
        ["1x2x2xi32", "2xi32"], '%r = stablehlo.einsum %0, %1, config = "...k,k...->..." : (tensor<1x2x2xi32>, tensor<2xi32>) '
        "-> tensor<1x2xi32>", ["1x2xi32"]), ["s32[1,2,2] {{{1, 2}, {3, 4}}}", "s32[2] {5, 6}"], "{ { 17, 39 } }\n"),
    "a call with floats in its configuration": ("mlir", program(
        ["2xf32"], "%r = stablehlo.custom_call @Sharding(%0) {api_version = 4 : i32, backend_config = "
        "{a = array<f32: 1.5, -2.0>, b = array<f64: 0.1>}} : (tensor<2xf32>) -> tensor<2xf32>", ["2xf32"]),
        ["f32[2] {1, 2}"], "{1, 2}\n"),
    # The sums of rows {3, 7} times {5, 6}.
    "an einsum that sums one operand": ("mlir", program(
        ["2x2xi32", "2xi32"], '%r = stablehlo.einsum %0, %1, config = "ik,j->ij" : (tensor<2x2xi32>, tensor<2xi32>) '
        "-> tensor<2x2xi32>", ["2x2xi32"]), ["s32[2,2] {{1, 2}, {3, 4}}", "s32[2] {5, 6}"],
        "{ { 15, 18 }, { 35, 42 } }\n"),
    # ---------------------------------------------------------------------------------- Sizes that follow from the inputs.
    "padding of sizes in operands": ("mlir", program(
        ["2xi32"], "%z = stablehlo.constant dense<-1> : tensor<i32>; %l = stablehlo.constant dense<1> : tensor<1xi64>; "
        "%h = stablehlo.constant dense<2> : tensor<1xi64>; %i = stablehlo.constant dense<1> : tensor<1xi64>; "
        "%r = stablehlo.dynamic_pad %0, %z, %l, %h, %i : (tensor<2xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, "
        "tensor<1xi64>) -> tensor<6xi32>", ["6xi32"]), ["s32[2] {7, 8}"], "{-1, 7, -1, 8, -1, -1}\n"),
    "a slice of sizes in operands": ("mlir", program(
        ["6xi32"], "%l = stablehlo.constant dense<1> : tensor<1xi64>; %h = stablehlo.constant dense<6> : tensor<1xi64>; "
        "%s = stablehlo.constant dense<2> : tensor<1xi64>; %r = stablehlo.real_dynamic_slice %0, %l, %h, %s : "
        "(tensor<6xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi32>", ["3xi32"]),
        ["s32[6] {0, 10, 20, 30, 40, 50}"], "{10, 30, 50}\n"),
    "a gather of sizes in operands": ("mlir", program(
        ["3x2xi32", "2xi32"], "%s = stablehlo.constant dense<[1, 2]> : tensor<2xi32>; "
        '%r = "stablehlo.dynamic_gather"(%0, %1, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], '
        "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x2xi32>, tensor<2xi32>, "
        "tensor<2xi32>) -> tensor<2x2xi32>", ["2x2xi32"]), ["s32[3,2] {{1, 2}, {3, 4}, {5, 6}}", "s32[2] {2, 0}"],
        "{ { 5, 6 }, { 1, 2 } }\n"),
    "a bounded size": ("mlir", program(
        ["3xi32", "i32"], "%d = stablehlo.set_dimension_size %0, %1, dim = 0 : (tensor<3xi32>, tensor<i32>) -> "
        "tensor<?xi32, #stablehlo.bounds<3>>; %r = stablehlo.negate %d : tensor<?xi32, #stablehlo.bounds<3>>",
        ["?xi32, #stablehlo.bounds<3>"]), ["s32[3] {1, 2, 3}", "s32[] 2"], "{-1, -2}\n"),
    # ------------------------------------------------------------------------------------------------------------ CHLO.
    "a broadcast of ranks": ("mlir", program(
        ["2x3xi32", "3xi32"], "%r = chlo.broadcast_add %0, %1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>",
        ["2x3xi32"]), ["s32[2,3] {{1, 2, 3}, {4, 5, 6}}", "s32[3] {10, 20, 30}"], "{ { 11, 22, 33 }, { 14, 25, 36 } }\n"),
    "a broadcast of a size of one": ("mlir", program(
        ["2x1xi32", "3xi32"], "%r = chlo.broadcast_multiply %0, %1 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>",
        ["2x3xi32"]), ["s32[2,1] {{1}, {-1}}", "s32[3] {1, 2, 3}"], "{ { 1, 2, 3 }, { -1, -2, -3 } }\n"),
    "a broadcast by dimensions": ("mlir", program(
        ["2x2xi32", "2xi32"], "%r = chlo.broadcast_subtract %0, %1 {broadcast_dimensions = array<i64: 0>} : "
        "(tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>", ["2x2xi32"]),
        ["s32[2,2] {{1, 2}, {3, 4}}", "s32[2] {1, 3}"], "{ { 0, 1 }, { 0, 1 } }\n"),
    "a comparison that broadcasts": ("mlir", program(
        ["2xf32", "f32"], "%r = chlo.broadcast_compare %0, %1 {comparison_direction = #chlo<comparison_direction GT>} : "
        "(tensor<2xf32>, tensor<f32>) -> tensor<2xi1>", ["2xi1"]), ["f32[2] {1, nan}", "f32[] 0"], "{1, 0}\n"),
    "a selection that broadcasts": ("mlir", program(
        ["i1", "2x1xi32", "3xi32"], "%r = chlo.broadcast_select %0, %1, %2 : (tensor<i1>, tensor<2x1xi32>, tensor<3xi32>) "
        "-> tensor<2x3xi32>", ["2x3xi32"]), ["pred[] true", "s32[2,1] {{1}, {2}}", "s32[3] {3, 4, 5}"],
        "{ { 1, 1, 1 }, { 2, 2, 2 } }\n"),
    "the next numbers towards two": ("mlir", program(
        ["3xf32", "f32"], "%r = chlo.broadcast_next_after %0, %1 : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>", ["3xf32"]),
        ["f32[3] {1, 2, 3}", "f32[] 2"], "{1.00000012, 2, 2.99999976}\n"),
    # zeta(2, 1) is pi^2 / 6, and less by 1 for q = 2. An order of polygamma is a whole number.
    "zeta of two numbers": ("mlir", program(
        ["f32", "2xf32"], "%r = chlo.broadcast_zeta %0, %1 : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>", ["2xf32"]),
        ["f32[] 2", "f32[2] {1, 2}"], "{1.64493406, 0.644934058}\n"),
    "polygamma of an order": ("mlir", program(
        ["f32", "1xf32"], "%r = chlo.broadcast_polygamma %0, %1 : (tensor<f32>, tensor<1xf32>) -> tensor<1xf32>", ["1xf32"]),
        ["f32[] 0.5", "f32[1] {1}"], "{nan}\n"),
    "the complex numbers of two arrays": ("mlir", program(
        ["2xf32", "2xf32"], "%r = chlo.broadcast_complex %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>",
        ["2xcomplex<f32>"]), ["f32[2] {1, 2}", "f32[2] {3, -4}"], "{(1, 3), (2, -4)}\n"),
    "the k largest": ("mlir", program(
        ["2x3xf32"], "%r:2 = chlo.top_k(%0, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)",
        ["2x2xf32", "2x2xi32"]), ["f32[2,3] {{1, 3, 2}, {-1, -1, -2}}"],
        "( { { 3, 2 }, { -1, -1 } }, { { 1, 2 }, { 0, 1 } } )\n"),
    # Groups of one row and of two: {1, 2} by the first matrix, {3, 4} and {5, 6} by the second.
    "a dot of ragged groups": ("mlir", program(
        ["3x2xi32", "2x2x1xi32", "2xi32"], '%r = "chlo.ragged_dot"(%0, %1, %2) {ragged_dot_dimension_numbers = '
        "#chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], "
        "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = "
        "[#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<3x2xi32>, tensor<2x2x1xi32>, tensor<2xi32>) -> "
        "tensor<3x1xi32>", ["3x1xi32"]),
        ["s32[3,2] {{1, 2}, {3, 4}, {5, 6}}", "s32[2,2,1] {{{1}, {1}}, {{10}, {0}}}", "s32[2] {1, 2}"],
        "{ {3}, {30}, {50} }\n"),
    **{f"chlo.{name}": ("mlir", unary(f"chlo.{name}", kind, result), [value], output)
       for name, kind, result, value, output in [
           ("acos", "3xf32", None, "f32[3] {1, 0, -1}", "{0, 1.57079637, 3.14159274}\n"),
           ("asinh", "2xf32", None, "f32[2] {0, -0}", "{0, -0}\n"),
           ("atanh", "3xf32", None, "f32[3] {0, 1, -1}", "{0, inf, -inf}\n"),
           ("conj", "1xcomplex<f32>", None, "c64[1] {(1, 2)}", "{(1, -2)}\n"),
           ("cosh", "2xf32", None, "f32[2] {0, -inf}", "{1, inf}\n"),
           ("erf", "3xf32", None, "f32[3] {0, inf, -inf}", "{0, 1, -1}\n"),
           ("erfc", "3xf32", None, "f32[3] {0, inf, -inf}", "{1, 0, 2}\n"),
           ("erf_inv", "3xf32", None, "f32[3] {0, 1, -1}", "{0, inf, -inf}\n"),
           ("is_inf", "3xf32", "3xi1", "f32[3] {inf, -inf, nan}", "{1, 1, 0}\n"),
           ("is_pos_inf", "3xf32", "3xi1", "f32[3] {inf, -inf, nan}", "{1, 0, 0}\n"),
           ("is_neg_inf", "3xf32", "3xi1", "f32[3] {inf, -inf, nan}", "{0, 1, 0}\n"),
           ("lgamma", "2xf32", None, "f32[2] {inf, 0}", "{inf, inf}\n"),
           ("sinh", "2xf32", None, "f32[2] {-0, inf}", "{-0, inf}\n"),
           ("square", "2xf32", None, "f32[2] {-3, 4}", "{9, 16}\n"),
           ("tan", "2xf32", None, "f32[2] {-0, 0}", "{-0, 0}\n"),
       ]},
    "the next number": ("mlir", program(
        ["3xf32", "3xf32"], "%r = chlo.next_after %0, %1 : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>", ["3xf32"]),
        ["f32[3] {1, 1, 3}", "f32[3] {2, 0, 3}"], "{1.00000012, 0.99999994, 3}\n"),
    "the high half of a product": ("mlir", program(
        ["2xui32", "2xui32"], "%r = chlo.mulhi %0, %1 : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>", ["2xui32"]),
        ["u32[2] {4294967295, 65536}", "u32[2] {4294967295, 65536}"], "{4294967294, 1}\n"),
    # ---------------------------------------------------------------------------------------- Calls, composites, control.
    "doubles that are a unit apart, and numbers that are not finite": ("mlir", program(
        ["2xf64"], "%e = stablehlo.constant dense<[0x3FF0000000000001, 0xC00FFFFFFFFFFFFF]> : tensor<2xf64>; "
        "check.expect_close %0, %e, max_ulp_difference = 1, min_ulp_difference = 1 : tensor<2xf64>, tensor<2xf64>; "
        "%i = stablehlo.constant dense<0x7FF0000000000000> : tensor<2xf64>; "
        "check.expect_close %0, %i, max_ulp_difference = 18446744073709551615, min_ulp_difference = 18446744073709551615 : "
        "tensor<2xf64>, tensor<2xf64>; %r = stablehlo.negate %0 : tensor<2xf64>", ["2xf64"]), ["f64[2] {1, -4}"], "{-1, 4}\n"),
    "a composite that runs its decomposition": ("mlir", with_functions(program(
        ["2xi32"], '%r = stablehlo.composite "my.double" %0 {composite_attributes = {k = 1 : i64}, decomposition = @double, '
        "version = 3 : i32} : (tensor<2xi32>) -> tensor<2xi32>", ["2xi32"])), ["s32[2] {3, -4}"], "{6, -8}\n"),
    "a call of a private function, twice": ("mlir", with_functions(program(
        ["2xi32"], "%x = func.call @double(%0) : (tensor<2xi32>) -> tensor<2xi32>; "
        "%r = call @double(%x) : (tensor<2xi32>) -> tensor<2xi32>", ["2xi32"])), ["s32[2] {3, -4}"], "{12, -16}\n"),
    "a loop that uses a value from outside": ("mlir", program(
        ["i32", "i32"], "%z = stablehlo.constant dense<0> : tensor<i32>; "
        "%r:2 = stablehlo.while(%i = %z, %x = %0) : tensor<i32>, tensor<i32> cond { %n = stablehlo.constant dense<3> : "
        "tensor<i32> %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> "
        "stablehlo.return %c : tensor<i1> } do { %o = stablehlo.constant dense<1> : tensor<i32> "
        "%j = stablehlo.add %i, %o : tensor<i32> %y = stablehlo.multiply %x, %1 : tensor<i32> "
        "stablehlo.return %j, %y : tensor<i32>, tensor<i32> }", ["i32", "i32"]), ["s32[] 5", "s32[] 2"], "( 3, 40 )\n"),
    "a branch that returns a value from outside": ("mlir", program(
        ["i32", "f32"], '%r = "stablehlo.case"(%0) ({ stablehlo.return %1 : tensor<f32> }, { '
        "%n = stablehlo.negate %1 : tensor<f32> stablehlo.return %n : tensor<f32> }) : (tensor<i32>) -> tensor<f32>",
        ["f32"]), ["s32[] 7", "f32[] 2"], "-2\n"),
    "a choice of two regions": ("mlir", program(
        ["i1", "i32"], '%r = "stablehlo.if"(%0) ({ stablehlo.return %1 : tensor<i32> }, { '
        "%n = stablehlo.not %1 : tensor<i32> stablehlo.return %n : tensor<i32> }) : (tensor<i1>) -> tensor<i32>", ["i32"]),
        ["pred[] 0", "s32[] 5"], "-6\n"),
    # ------------------------------------------------------------------------------------------- Checks of the program.
    "checks that hold": ("mlir", program(
        ["2xf32"], "%r = stablehlo.multiply %0, %0 : tensor<2xf32>; check.expect_eq_const %r, dense<[1.0, 4.0]> : tensor<2xf32>; "
        "check.expect_almost_eq_const %r, dense<[1.00001, 4.0]> : tensor<2xf32>", ["2xf32"]), ["f32[2] {-1, 2}"], "{1, 4}\n"),
    # ------------------------------------------------------------------------------------------------- Older spellings.
    "a sort in the form of MHLO": ("mlir", program(
        ["3xi32"], '%r = "mhlo.sort"(%0) ({ ^bb0(%a: tensor<i32>, %b: tensor<i32>): %c = "mhlo.compare"(%a, %b) '
        "{compare_type = #mhlo<comparison_type SIGNED>, comparison_direction = #mhlo<comparison_direction GT>} : "
        "(tensor<i32>, tensor<i32>) -> tensor<i1> mhlo.return %c : tensor<i1> }) {dimension = -1 : i64, is_stable = false} : "
        "(tensor<3xi32>) -> tensor<3xi32>", ["3xi32"]), ["s32[3] {1, 3, 2}"], "{3, 2, 1}\n"),
    "a reduction in the form of MHLO": ("mlir", program(
        ["2x2xi32", "i32"], "%r = mhlo.reduce(%0 init: %1) applies mhlo.maximum across dimensions = [1] : "
        "(tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>", ["2xi32"]),
        ["s32[2,2] {{3, 5}, {-7, -9}}", "s32[] -8"], "{5, -7}\n"),
    "top-k in the form of MHLO": ("mlir", program(
        ["4xi32"], "%r:2 = mhlo.topk(%0, k=2, largest=false) : tensor<4xi32> -> (tensor<2xi32>, tensor<2xi32>)",
        ["2xi32", "2xi32"]), ["s32[4] {4, 1, 3, 2}"], "( {1, 2}, {1, 3} )\n"),
    "a dependency in the form of MHLO": ("mlir", program(
        ["2xf32"], "%t = mhlo.create_token : !mhlo.token; %c = mhlo.copy %0 : tensor<2xf32>; "
        "%r = mhlo.add_dependency %c, %t : (tensor<2xf32>, !mhlo.token) -> tensor<2xf32>", ["2xf32"]),
        ["f32[2] {1, -2}"], "{1, -2}\n"),
    "unary operations of MHLO alone": ("mlir", program(
        ["2xf32"], "%s = mhlo.sinh %0 : tensor<2xf32>; %e = mhlo.erf %s : tensor<2xf32>; "
        "%r = mhlo.asinh %e : tensor<2xf32>", ["2xf32"]), ["f32[2] {-0, 0}"], "{-0, 0}\n"),
    "bounds in the form of MHLO": ("mlir", """
func.func @main(%x: tensor<4xi32>, %n: tensor<i32>) -> tensor<?xi32, #mhlo.type_extensions<bounds = [4]>> {
  %r = "mhlo.set_dimension_size"(%x, %n) {dimension = 0 : i64} : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #mhlo.type_extensions<bounds = [4]>>
  return %r : tensor<?xi32, #mhlo.type_extensions<bounds = [4]>>
}""", ["s32[4] {1, 2, 3, 4}", "s32[] 2"], "{1, 2}\n"),
    "a folding call of MHLO, with its computation": ("mlir", """
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = stablehlo.custom_call @mhlo.all_reduce(%x) {called_computations = [@sum], mhlo.attributes = {replica_groups = dense<> : tensor<0x0xi64>}} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
func.func private @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %s = stablehlo.add %a, %b : tensor<i32>
  stablehlo.return %s : tensor<i32>
}""", ["s32[2] {1, -2}"], "{1, -2}\n"),
    # 2^24 + 1 has no number of f32.
    "a scatter to a wider type": ("mlir", program(
        ["2xf32", "1x1xi32", "1xf32"], '%r = "stablehlo.scatter"(%0, %1, %2) '
        + region(["f64"] * 2, "%s = stablehlo.add %a, %b : tensor<f64> stablehlo.return %s : tensor<f64>")
        + " {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1>} : (tensor<2xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<2xf64>", ["2xf64"]),
        ["f32[2] {1, 16777216}", "s32[1,1] {{1}}", "f32[1] {1}"], "{1, 16777217}\n"),
    # The larger of two takes the source: 2^24 + 1, where f32 has no such number.
    "a selection that scatters to a wider type": ("mlir", program(
        ["2xf32", "1xf32", "f32"], '%r = "stablehlo.select_and_scatter"(%0, %1, %2) ('
        + region(["f32"] * 2, "%c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1> "
                 "stablehlo.return %c : tensor<i1>").strip("()") + ", "
        + region(["f64"] * 2, "%s = stablehlo.add %a, %b : tensor<f64> stablehlo.return %s : tensor<f64>").strip("()")
        + ") {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : "
        "(tensor<2xf32>, tensor<1xf32>, tensor<f32>) -> tensor<2xf64>", ["2xf64"]),
        ["f32[2] {3, 4}", "f32[1] {16777216}", "f32[] 1"], "{1, 16777217}\n"),
    "one replication flag for a tuple": ("mlir", """
func.func @main(%x: tuple<tensor<i32>, tensor<i32>> {mhlo.parameter_replication = [true]}) -> tensor<i32> {
  %r = stablehlo.get_tuple_element %x[1] : (tuple<tensor<i32>, tensor<i32>>) -> tensor<i32>
  return %r : tensor<i32>
}""", ["(s32[], s32[]) (1, 2)"], "2\n"),
    "tiles of one device": ("mlir", """
func.func @main(%x: tensor<2xi32> {mhlo.sharding = "{devices=[1]<=[1]}"}) -> tensor<2xi32> {
  %r = stablehlo.negate %x : tensor<2xi32>
  return %r : tensor<2xi32>
}""", ["s32[2] {1, 2}"], "{-1, -2}\n"),
    "a named computation of unknown sizes": ("mlir", """
func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = sdy.named_computation<"f">(%x) (%a: tensor<?xi32>) {
    %n = stablehlo.negate %a : tensor<?xi32>
    sdy.return %n : tensor<?xi32>
  } : (tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}""", ["s32[2] {1, 2}"], "{-1, -2}\n"),
    "attributes as elements": ("mlir", program(
        ["2x3xi32"], '%r = "stablehlo.transpose"(%0) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xi32>) -> '
        "tensor<3x2xi32>", ["3x2xi32"]), ["s32[2,3] {{1, 2, 3}, {4, 5, 6}}"], "{ { 1, 4 }, { 2, 5 }, { 3, 6 } }\n"),
    "a constant in hexadecimal": ("mlir", program(
        [], '%r = stablehlo.constant dense<"0x0000803F000000C0"> : tensor<2xf32>', ["2xf32"]), [], "{1, -2}\n"),
    "numbers in hexadecimal": ("mlir", program(
        [], "%r = stablehlo.constant dense<[0x7F800000, 0x3F800000]> : tensor<2xf32>", ["2xf32"]), [], "{inf, 1}\n"),
    "a broadcast of dimensions in front": ("mlir", program(
        ["2xi32"], "%r = stablehlo.broadcast %0, sizes = [2] : (tensor<2xi32>) -> tensor<2x2xi32>", ["2x2xi32"]),
        ["s32[2] {1, 2}"], "{ { 1, 2 }, { 1, 2 } }\n"),
    "an index select of PyTorch": ("mlir", program(
        ["3x2xi32", "2xi32"], '%r = "stablehlo.torch_index_select"(%0, %1) {batch_dims = 0 : i64, dim = 0 : i64} : '
        "(tensor<3x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>", ["2x2xi32"]),
        ["s32[3,2] {{1, 2}, {3, 4}, {5, 6}}", "s32[2] {2, 0}"], "{ { 5, 6 }, { 1, 2 } }\n"),
}  # fmt: skip
