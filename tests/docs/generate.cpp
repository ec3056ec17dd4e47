// A program of the build: writes the GoogleTest source made of the C++ blocks of the pages.
//   generate OUT.cpp ROOT PAGE.md …      pages relative to ROOT
#include <fstream>
#include <iostream>
#include <sstream>

#include "docs/blocks.hpp"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: generate OUT.cpp ROOT PAGE.md ...\n";
    return 2;
  }
  const std::string root = argv[2];
  std::vector<docs::Block> blocks;
  try {
    for (int i = 3; i < argc; ++i) {
      std::ifstream in(root + "/" + argv[i]);
      std::ostringstream text;
      text << in.rdbuf();
      if (!in) throw std::runtime_error(root + "/" + argv[i] + ": cannot be read");
      for (auto& block : docs::blocks_of(argv[i], text.str())) blocks.push_back(std::move(block));
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  std::ofstream out(argv[1]);
  out << docs::examples_source(blocks, root);
  return out.flush() ? 0 : 1;
}
