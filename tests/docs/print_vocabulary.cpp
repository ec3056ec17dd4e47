// A program of the build (`make docs`): prints the words that the readers of model files understand, as JSON.
#include <iostream>
#include <linkwright/io/vocabulary.hpp>
#include <nlohmann/json.hpp>

int main() {
  nlohmann::ordered_json tables;
  for (const auto& section : linkwright::system_file_vocabulary())
    tables["system_file"].push_back({{"name", section.name}, {"keys", section.keys}});
  for (const auto& element : linkwright::urdf_vocabulary())
    tables["urdf"].push_back(
        {{"tag", element.tag}, {"attributes", element.attributes}, {"children", element.children}});
  std::cout << tables.dump(1) << '\n';
}
