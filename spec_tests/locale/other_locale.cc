// A library to preload: the process is in the locale that ASSAY_TEST_LOCALE names from its start, as if the program
// that loads assay had chosen it.
#include <cstdlib>
#include <locale>

[[gnu::constructor]] static void ChooseLocale() { std::locale::global(std::locale(std::getenv("ASSAY_TEST_LOCALE"))); }
