// A program of the build (`make docs`): prints the words that the readers of model files understand, as JSON.
#include <iostream>
#include <linkwright/io/vocabulary.hpp>
#include <nlohmann/json.hpp>

int main() {
  nlohmann::ordered_json tables;
  for (const auto& section : linkwright::system_file_vocabulary())
    tables["system_file"].push_back({{"name", section.name}, {"keys", section.keys}});
  const auto add = [&](const char* dialect, std::span<const linkwright::ElementWords> vocabulary) {
    for (const auto& element : vocabulary)
      tables[dialect].push_back({{"kind", element.kind},
                                 {"attributes", element.attributes},
                                 {"children", element.children}});
  };
  add("urdf", linkwright::urdf_vocabulary());
  add("sdf", linkwright::sdf_vocabulary());
  add("mjcf", linkwright::mjcf_vocabulary());
  std::cout << tables.dump(1) << '\n';
}
