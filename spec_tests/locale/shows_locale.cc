// Shows what the locale of the process does to numbers and letters.
#include <cctype>
#include <cstdio>
#include <iostream>

int main() {
  std::printf("%.1f ", 1.5);
  std::fflush(stdout);
  std::cout << 1234567 << (std::toupper('i') == 'I' ? " I\n" : " other\n");
}
