#pragma once
/// Numbers and names in a MAT-file of level 5, which MATLAB, Octave and scipy.io.loadmat read.
///
///     linkwright::MatFile file;
///     file.add("A", {2, 2}, std::vector<double>{0, -4, 1, -0.1});         // column after column
///     file.add_names("states", {"q:crank", "v:crank"});                    // a cell array, a column
///     linkwright::OutputFile out("model.mat");
///     out.write(file.bytes()), out.commit();
///
/// Little-endian, uncompressed; names of variables as MATLAB allows them (letters, digits, _; at most 63).

#include <complex>
#include <span>
#include <string>
#include <vector>

namespace linkwright {

class MatFile {
 public:
  /// Numbers in the order of MATLAB, the first index fastest; as many as the sizes say (at least two).
  void add(const std::string& name, const std::vector<int>& sizes, std::span<const double> numbers);
  void add(const std::string& name, const std::vector<int>& sizes,
           std::span<const std::complex<double>> numbers);
  void add(const std::string& name, double number);
  void add_text(const std::string& name, const std::string& text);
  /// A cell array of texts, n × 1.
  void add_names(const std::string& name, const std::vector<std::string>& texts);

  /// The whole file.
  [[nodiscard]] std::string bytes() const;

 private:
  void check_name(const std::string& name) const;
  std::string variables_;
  std::vector<std::string> names_;
};

}  // namespace linkwright
