// Polynomials of the vector functions, lowest coefficient first. Made by coefficients.py.
#pragma once

namespace assay::simd {

// On [-0.34658, 0.34658] within 2^-52.0 of the function.
inline constexpr double kExpTail[] = {
    0x1.0000000000001p-1,  0x1.5555555555556p-3,  0x1.5555555553d67p-5,  0x1.11111111109b4p-7,  0x1.6c16c1788a49bp-10,
    0x1.a01a01a7c327ap-13, 0x1.a019b9133a48ap-16, 0x1.71de0db21e27fp-19, 0x1.28917e2c43a66p-22, 0x1.af38a0d2d9620p-26};
// On [-0.34658, 0.34658] within 2^-28.4 of the function.
inline constexpr double kExpTailNarrow[] = {0x1.0000000b8fb6dp-1, 0x1.5555555a78488p-3,  0x1.5554e90f41648p-5,
                                            0x1.1110e0f63cedcp-7, 0x1.6d4317dde5b58p-10, 0x1.a124e67917289p-13};
// On [-0.34658, 0.34658] within 2^-22.9 of the function.
inline constexpr double kExpTailFloat[] = {0x1.0000000000000p-1, 0x1.5554dd029d9c4p-3, 0x1.5555193265755p-5,
                                           0x1.120b63cc12ea4p-7, 0x1.6d10fec522244p-10};
// On [0, 0.02944] within 2^-51.0 of the function.
inline constexpr double kAtanhTail[] = {0x1.5555555555558p-2, 0x1.99999999952d8p-3, 0x1.2492492df26cep-3,
                                        0x1.c71c62e40b94ep-4, 0x1.7462b5152e8a6p-4, 0x1.39fe52a20dc69p-4,
                                        0x1.2b58f4c8d5f63p-4};
// On [0, 0.02944] within 2^-29.1 of the function.
inline constexpr double kAtanhTailNarrow[] = {0x1.5555554bb1c3ep-2, 0x1.9999eb637b16ap-3, 0x1.245c40ded716cp-3,
                                              0x1.ddcf66cb38974p-4};
// On [0, 0.02944] within 2^-57.6 of the function.
inline constexpr double kAtanhSecondTail[] = {0x1.999999999999ap-3, 0x1.2492492492521p-3, 0x1.c71c71c6eaa18p-4,
                                              0x1.745d177a95904p-4, 0x1.3b1395d249ed7p-4, 0x1.1118c7da4e209p-4,
                                              0x1.df7ccb122450bp-5, 0x1.e02e59475f3c5p-5};
// On [0, 0.61686] within 2^-52.8 of the function.
inline constexpr double kSineTail[] = {-0x1.5555555555555p-3, 0x1.1111111110bb2p-7,   -0x1.a01a019e83a45p-13,
                                       0x1.71de37968191ep-19, -0x1.ae600af9dc879p-26, 0x1.5e0b16c88dccap-33};
// On [0, 0.61686] within 2^-32.4 of the function.
inline constexpr double kSineTailNarrow[] = {-0x1.555555545e06cp-3, 0x1.11110def246d7p-7, -0x1.a013a786a5640p-13,
                                             0x1.6dbe03fb48a12p-19};
// On [0, 0.61686] within 2^-54.8 of the function.
inline constexpr double kCosineTail[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16967p-10, 0x1.a01a019f4eaccp-16,
                                         -0x1.27e4fa17d5c9dp-22, 0x1.1eeb68e4cd852p-29,  -0x1.907da036ba5cfp-37};
// On [0, 0.61686] within 2^-34.0 of the function.
inline constexpr double kCosineTailNarrow[] = {0x1.5555555502cdfp-5, -0x1.6c16bf54e0abfp-10, 0x1.a015c474d6868p-16,
                                               -0x1.25244b4f36c47p-22};
// On [0, 0.171573] within 2^-53.2 of the function.
inline constexpr double kAtanTail[] = {-0x1.5555555555555p-2, 0x1.999999999934cp-3,  -0x1.24924924361ffp-3,
                                       0x1.c71c71853d68fp-4,  -0x1.745d0b28a4492p-4, 0x1.3b126305fbb8fp-4,
                                       -0x1.10fa77ad0bdd9p-4, 0x1.dfe6492e92bd4p-5,  -0x1.a0999ac075bddp-5,
                                       0x1.4162bb717b21fp-5,  -0x1.3a31a62e2b60ep-6};
// On [0, 0.171573] within 2^-29.2 of the function.
inline constexpr double kAtanTailNarrow[] = {-0x1.5555554c0aecbp-2, 0x1.99997b13b7fdap-3,  -0x1.248a1730cfd0ep-3,
                                             0x1.c57bacfa5c15ep-4,  -0x1.61444737d42e7p-4, 0x1.9d8b1b6b69148p-5};
// On [0, 0.25] within 2^-53.5 of the function.
inline constexpr double kAsinTail[] = {
    0x1.5555555555556p-3, 0x1.3333333332ecap-4,  0x1.6db6db6e31f13p-5, 0x1.f1c71c1db0623p-6, 0x1.6e8bb1c8209a2p-6,
    0x1.1c4d35cf95421p-6, 0x1.c9cf07674736ap-7,  0x1.782651caa6547p-7, 0x1.52420b04b37bep-7, 0x1.65a9c4dfcf8b2p-8,
    0x1.1d189408314eep-6, -0x1.e6aaa8a0a04ccp-7, 0x1.d72b2bc8155f8p-6};
// On [0, 0.25] within 2^-29.5 of the function.
inline constexpr double kAsinTailNarrow[] = {0x1.5555555c0171dp-3, 0x1.33331ecf8b70bp-4, 0x1.6dc0f007c13e8p-5,
                                             0x1.efedf83ab6506p-6, 0x1.82db23768c84fp-6, 0x1.5a80a068e3ee2p-7,
                                             0x1.fb7ca379d49c6p-6};
// On [0, 1] within 2^-56.8 of the function.
inline constexpr double kErfHead[] = {0x1.20dd750429b6dp+0,   -0x1.812746b0379c1p-2,  0x1.ce2f21a040f66p-4,
                                      -0x1.b82ce31203772p-6,  0x1.565bccfa44156p-8,   -0x1.c02db0665e53dp-11,
                                      0x1.f9a2be4f731a1p-14,  -0x1.f4ca838adb73bp-17, 0x1.b981d78881a5dp-20,
                                      -0x1.5c131500d3f88p-23, 0x1.d76af6ca49787p-27,  -0x1.ac9585a44fe29p-31};
// On [0, 1] within 2^-34.7 of the function.
inline constexpr double kErfHeadNarrow[] = {0x1.20dd7504045d6p+0,  -0x1.81274665754c3p-2, 0x1.ce2f08fec14fdp-4,
                                            -0x1.b829c897922e5p-6, 0x1.562a60ddba6e6p-8,  -0x1.bccf664d7f763p-11,
                                            0x1.d887505de3ba6p-14, -0x1.445f47d33d87bp-17};
// On [-0.5, 0.34] within 2^-52.7 of the function.
inline constexpr double kErfcScaled[] = {0x1.6e9827d229d2dp-3,   -0x1.4e102b9cf8511p-2, 0x1.f6ff2041059adp-3,
                                         -0x1.336ffbef08df5p-3,  0x1.258b13b012762p-4,  -0x1.8fa58eb5a2ed2p-6,
                                         0x1.17c83901e621ap-8,   0x1.73101e7e8a2c0p-11, -0x1.39085c2a16d6ep-11,
                                         0x1.7b9fbeaf71bd8p-15,  0x1.0cb25ed3674dbp-14, -0x1.af1ce5b071767p-17,
                                         -0x1.0cbe6e6f3a642p-17, 0x1.0f20e6643edb2p-19, 0x1.570934484d2d3p-20};
// On [-0.5, 0.34] within 2^-32.0 of the function.
inline constexpr double kErfcScaledNarrow[] = {0x1.6e9827d27a3aep-3,  -0x1.4e102b9f515f4p-2, 0x1.f6ff200296966p-3,
                                               -0x1.336ff85b8f653p-3, 0x1.258b250e5de8bp-4,  -0x1.8fa97f8f48c70p-6,
                                               0x1.17b35d1b3bfbbp-8,  0x1.78f5f1675923bp-11, -0x1.3188a955915d7p-11};
// On [1, 8] within 2^-7.9 of the function.
inline constexpr double kCubeRoot[] = {0x1.4ecb7ee28e2bbp-1, 0x1.a612e6bf7887cp-2, -0x1.166aa5a8ad33cp-4,
                                       0x1.ca0ace5bab84ep-8, -0x1.2e387317adddep-12};
// On [0, 0.89] within 2^-24.9 of the function.
inline constexpr double kTanhTail[] = {-0x1.555554a2a9a9ep-2, 0x1.111076cc8ffc3p-3,  -0x1.b9ef7aeb3b669p-5,
                                       0x1.63e55d604e3a0p-6,  -0x1.11dfbf28c4acfp-7, 0x1.5bbf5827ff3f6p-9,
                                       -0x1.f2591c2250e16p-12};

}  // namespace assay::simd
