"""Prints coefficients.h: the polynomials of the vector functions, by interpolation at Chebyshev's nodes.

    .venv/bin/python backends/simd/coefficients.py > backends/simd/coefficients.h
"""

import mpmath as mp

mp.mp.prec = 300


def _tail(function):
    """Returns (f(s) / s - 1) / s^2 as a function of z = s^2, for an odd function f(s) = s + ..."""

    def tail(z):
        s = mp.sqrt(z)
        return (function(s) / s - 1) / z

    return tail


def _atanh_second_tail(z):
    return (_tail(mp.atanh)(z) - mp.mpf(1) / 3) / z


def _exp_tail(r):
    return (mp.expm1(r) - r) / r**2 if abs(r) > 1e-30 else mp.mpf(1) / 2


def _cosine_tail(z):
    return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2


def _erf_head(z):
    s = mp.sqrt(z)
    return mp.erf(s) / s


def _erfc_scaled(t):
    a = 3 * (1 + t) / (1 - t)
    return mp.exp(a * a) * mp.erfc(a)


# Name, function, interval, the bits that the function's share of its result needs: narrow (f32), wide (f64).
TABLE = [
    ("ExpTail", _exp_tail, -0.34658, 0.34658, 28, 50),
    ("ExpTailFloat", _exp_tail, -0.34658, 0.34658, 22, 22),
    ("AtanhTail", _tail(mp.atanh), 0, 0.02944, 26, 48),
    ("AtanhSecondTail", _atanh_second_tail, 0, 0.02944, 52, 52),
    ("SineTail", _tail(mp.sin), 0, 0.61686, 28, 50),
    ("CosineTail", _cosine_tail, 0, 0.61686, 28, 50),
    ("AtanTail", _tail(mp.atan), 0, 0.171573, 26, 50),
    ("AsinTail", _tail(mp.asin), 0, 0.25, 27, 50),
    ("ErfHead", _erf_head, 0, 1, 32, 55),
    ("ErfcScaled", _erfc_scaled, -0.5, 0.34, 30, 52),
    ("CubeRoot", mp.cbrt, 1, 8, 7, 7),
    ("TanhTail", _tail(mp.tanh), 0, 0.89, 24, 24),
]


def _interpolated(function, low, high, count):
    """Returns the polynomial at `count` Chebyshev nodes, lowest coefficient first, and its largest relative error."""
    low, high = mp.mpf(low), mp.mpf(high)
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    matrix = mp.matrix(count, count)
    for i, node in enumerate(nodes):
        for j in range(count):
            matrix[i, j] = node**j
    coefficients = list(mp.lu_solve(matrix, mp.matrix([function(node) for node in nodes])))
    error = mp.mpf(0)
    for k in range(1, 400):
        x = low + (high - low) * k / 400
        error = max(error, abs(mp.polyval(coefficients[::-1], x) / function(x) - 1))
    return coefficients, error


def _shortest(function, low, high, bits):
    for count in range(2, 40):
        coefficients, error = _interpolated(function, low, high, count)
        if error < mp.mpf(2) ** -bits:
            return coefficients, error
    raise ValueError(function)


def _power(error):
    """Returns an error as a power of two."""
    return f"2^{float(mp.log(error, 2)):.1f}"


def _print_numbers(name, coefficients):
    numbers = [float(c).hex() for c in coefficients]
    print(f"inline constexpr double k{name}[] = {{{', '.join(numbers)}}};")


def _print_table():
    print("// Polynomials of the vector functions, lowest coefficient first. Made by coefficients.py.")
    print("#pragma once\n\nnamespace assay::simd {\n")
    for name, function, low, high, narrow, wide in TABLE:
        for kind, bits in {"": wide, "Narrow": narrow}.items():
            if kind and narrow == wide:
                continue
            coefficients, error = _shortest(function, low, high, bits)
            print(f"// On [{low}, {high}] within {_power(error)} of the function.")
            _print_numbers(name + kind, coefficients)
    print("\n}  // namespace assay::simd")


_print_table()
