#include "linkwright/spatial/counting.hpp"

namespace linkwright::spatial {

Operations& counted() {
  thread_local Operations operations;
  return operations;
}

Counting operator+(Counting a, Counting b) {
  if (a.x == 0) return b;
  if (b.x == 0) return a;
  ++counted().additions;
  return Counting::number();
}
Counting operator*(Counting a, Counting b) {
  if (a.x == 0 || b.x == 0) return {};
  ++counted().multiplications;
  return Counting::number();
}

}  // namespace linkwright::spatial
