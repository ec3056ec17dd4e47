// A program of the build: draws anew what the library draws for the pages.
//   draw_figures ROOT      writes ROOT/docs/figures/operator_sparsity.svg
#include <fstream>
#include <iostream>

#include "docs/figures.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: draw_figures ROOT\n";
    return 2;
  }
  const std::string root = argv[1];
  std::ofstream out(root + "/docs/figures/operator_sparsity.svg", std::ios::binary);
  out << docs::operator_sparsity(root);
  if (out.flush()) return 0;
  std::cerr << root << "/docs/figures: cannot be written\n";
  return 1;
}
