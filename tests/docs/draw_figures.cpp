// A program of the build: draws anew what the library draws for the pages.
//   draw_figures ROOT      writes operator_sparsity.svg, eigenvalue_locus.svg, flexible_beam.svg, shared_load.svg,
//                         graph_stewart.svg, graph_motors.svg and elbow_bode.svg in ROOT/docs/figures
#include <fstream>
#include <iostream>

#include "docs/figures.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: draw_figures ROOT\n";
    return 2;
  }
  const std::string root = argv[1];
  const auto write = [&root](const char* name, const std::string& drawing) {
    std::ofstream out(root + "/docs/figures/" + name, std::ios::binary);
    out << drawing;
    return static_cast<bool>(out.flush());
  };
  if (write("operator_sparsity.svg", docs::operator_sparsity(root)) &&
      write("eigenvalue_locus.svg", docs::eigenvalue_locus(root)) &&
      write("flexible_beam.svg", docs::flexible_beam()) &&
      write("shared_load.svg", docs::shared_load(root)) &&
      write("graph_stewart.svg", docs::graph_stewart(root)) &&
      write("graph_motors.svg", docs::graph_motors(root)) &&
      write("elbow_bode.svg", docs::elbow_bode(root)))
    return 0;
  std::cerr << root << "/docs/figures: cannot be written\n";
  return 1;
}
