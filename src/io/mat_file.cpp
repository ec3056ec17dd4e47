#include "linkwright/io/mat_file.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

// "MAT-File Format", level 5: types of elements and classes of arrays.
enum : std::uint32_t { int8 = 1, uint16 = 4, int32 = 5, uint32 = 6, real64 = 9, matrix = 14 };
enum : std::uint32_t { cell_class = 1, char_class = 4, double_class = 6 };
constexpr std::uint32_t is_complex = 1U << 11U;

template <class T>
void append(std::string& out, T number) {
  std::uint64_t bits = 0;
  if constexpr (std::is_same_v<T, double>)
    bits = std::bit_cast<std::uint64_t>(number);
  else
    bits = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(number));
  for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>((bits >> (8 * i)) & 0xffU);
}

/// A tag and its data, filled up to a multiple of eight bytes. (Matrices are full already.)
std::string element(std::uint32_t type, const std::string& data) {
  if (data.size() > 0xfffffff0U)
    throw Error(
        fmt::format("a MAT-file of level 5 holds at most 4 GiB per variable; {} bytes do not fit",
                    data.size()));
  std::string out;
  append(out, type);
  append(out, static_cast<std::uint32_t>(data.size()));
  out += data;
  out.resize((out.size() + 7) / 8 * 8, '\0');
  return out;
}

/// Flags, sizes and name: what every array begins with.
std::string head(std::uint32_t flags, const std::vector<int>& sizes, const std::string& name) {
  std::string kind, dimensions;
  append(kind, flags);
  append(kind, std::uint32_t{0});
  for (const int size : sizes) append(dimensions, static_cast<std::int32_t>(size));
  return element(uint32, kind) + element(int32, dimensions) + element(int8, name);
}

std::string real_part(std::span<const double> numbers) {
  std::string data;
  for (const double x : numbers) append(data, x);
  return element(real64, data);
}

void check_count(const std::string& name, const std::vector<int>& sizes, std::size_t count) {
  const auto expected =
      std::accumulate(sizes.begin(), sizes.end(), std::size_t{1},
                      [](std::size_t a, int b) { return a * static_cast<std::size_t>(b); });
  if (sizes.size() >= 2 && expected == count) return;
  throw Error(fmt::format("variable {} of a MAT-file has {} numbers; expected {} in {} sizes",
                          in_quotes(name), count, expected, sizes.size()));
}

/// UTF-8 as the 16-bit characters of MATLAB; what is not UTF-8 becomes U+FFFD.
std::vector<std::uint16_t> to_utf16(const std::string& text) {
  std::vector<std::uint16_t> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const int more = first < 0x80          ? 0
                     : (first >> 5U) == 6  ? 1
                     : (first >> 4U) == 14 ? 2
                     : (first >> 3U) == 30 ? 3
                                           : -1;
    std::uint32_t code = more <= 0 ? first : first & (0x3fU >> static_cast<unsigned>(more));
    bool fine = more >= 0 && i + static_cast<std::size_t>(more) < text.size();
    for (int k = 1; fine && k <= more; ++k) {
      const auto next = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
      fine = (next >> 6U) == 2;
      code = (code << 6U) | (next & 0x3fU);
    }
    i += fine ? static_cast<std::size_t>(more) + 1 : 1;
    if (!fine) code = 0xfffd;
    if (code >= 0x10000) {
      out.push_back(static_cast<std::uint16_t>(0xd800 + ((code - 0x10000) >> 10U)));
      out.push_back(static_cast<std::uint16_t>(0xdc00 + ((code - 0x10000) & 0x3ffU)));
    } else {
      out.push_back(static_cast<std::uint16_t>(code));
    }
  }
  return out;
}

std::string text_array(const std::string& name, const std::string& text) {
  const std::vector<std::uint16_t> characters = to_utf16(text);
  std::string data;
  for (const std::uint16_t c : characters) append(data, c);
  const int rows = characters.empty() ? 0 : 1;
  return element(matrix, head(char_class, {rows, static_cast<int>(characters.size())}, name) +
                             element(uint16, data));
}

}  // namespace

void MatFile::check_name(const std::string& name) const {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  if (name.empty() || name.size() > 63 || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ||
      !std::all_of(name.begin(), name.end(), allowed))
    throw Error(
        fmt::format("{} is no name for a variable of a MAT-file; expected a letter, then "
                    "letters, digits and _, at most 63",
                    in_quotes(name)));
  if (std::find(names_.begin(), names_.end(), name) != names_.end())
    throw Error(fmt::format("the MAT-file has a variable {} already", in_quotes(name)));
}

void MatFile::add(const std::string& name, const std::vector<int>& sizes,
                  std::span<const double> numbers) {
  check_name(name);
  check_count(name, sizes, numbers.size());
  variables_ += element(matrix, head(double_class, sizes, name) + real_part(numbers));
  names_.push_back(name);
}

void MatFile::add(const std::string& name, const std::vector<int>& sizes,
                  std::span<const std::complex<double>> numbers) {
  check_name(name);
  check_count(name, sizes, numbers.size());
  std::vector<double> real, imaginary;
  for (const std::complex<double>& x : numbers)
    real.push_back(x.real()), imaginary.push_back(x.imag());
  variables_ += element(matrix, head(double_class | is_complex, sizes, name) + real_part(real) +
                                    real_part(imaginary));
  names_.push_back(name);
}

void MatFile::add(const std::string& name, double number) {
  add(name, {1, 1}, std::span(&number, 1));
}

void MatFile::add_text(const std::string& name, const std::string& text) {
  check_name(name);
  variables_ += text_array(name, text);
  names_.push_back(name);
}

void MatFile::add_names(const std::string& name, const std::vector<std::string>& texts) {
  check_name(name);
  std::string cells = head(cell_class, {static_cast<int>(texts.size()), 1}, name);
  for (const std::string& text : texts) cells += text_array("", text);
  variables_ += element(matrix, cells);
  names_.push_back(name);
}

std::string MatFile::bytes() const {
  std::string out = "MATLAB 5.0 MAT-file, written by linkwright";
  out.resize(116, ' ');
  out.append(8, '\0');
  append(out, std::uint16_t{0x0100});
  append(out, static_cast<std::uint16_t>(('M' << 8) | 'I'));
  return out + variables_;
}

}  // namespace linkwright
