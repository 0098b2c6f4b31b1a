// generator: the bits of random numbers whose algorithm is named. implementation_defined.cc queries it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_generator = {
    .name = "generator",
    .meaning = "the bits of a generator are those of any variant of the algorithm that it names",
    .permits = &LawfulArithmetic::varies_generators,
    .noise = "by the rule",
};

}  // namespace assay
