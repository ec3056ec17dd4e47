// MAT-files, read back byte by byte as the format's description says.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>

#include "linkwright/error.hpp"
#include "linkwright/io/mat_file.hpp"

namespace linkwright::testing {
namespace {

/// An array of a MAT-file: numbers, a text, or cells.
struct Variable {
  std::uint32_t kind = 0;
  std::vector<int> sizes;
  std::string name;
  std::vector<double> real, imaginary;
  std::string text;
  std::vector<Variable> cells;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::map<std::string, Variable> read_all() {
    EXPECT_EQ(bytes_.substr(0, 19), "MATLAB 5.0 MAT-file");
    EXPECT_EQ(bytes_.substr(124, 4), std::string_view("\x00\x01IM", 4));
    place_ = 128;
    std::map<std::string, Variable> out;
    while (place_ < bytes_.size()) {
      const Variable variable = array();
      out[variable.name] = variable;
    }
    EXPECT_EQ(place_, bytes_.size());
    return out;
  }

 private:
  template <class T>
  T number(std::size_t at) const {
    T out;
    std::memcpy(&out, bytes_.data() + at, sizeof out);
    return out;
  }
  /// Type and bytes of the next element; leaves the place behind its filling.
  std::pair<std::uint32_t, std::string_view> element() {
    EXPECT_EQ(place_ % 8, 0U);
    const auto type = number<std::uint32_t>(place_), size = number<std::uint32_t>(place_ + 4);
    const std::string_view data = bytes_.substr(place_ + 8, size);
    EXPECT_EQ(data.size(), size);
    place_ += 8 + (size + 7) / 8 * 8;
    return {type, data};
  }
  template <class T>
  static std::vector<T> list(std::string_view data) {
    std::vector<T> out(data.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), data.data(), data.size());
    return out;
  }
  Variable array() {
    const std::size_t begin = place_;
    EXPECT_EQ(number<std::uint32_t>(begin), 14U);
    const std::size_t end = begin + 8 + number<std::uint32_t>(begin + 4);
    place_ = begin + 8;
    Variable out;
    const auto [flags_type, flags] = element();
    EXPECT_EQ(flags_type, 6U);
    const auto word = list<std::uint32_t>(flags)[0];
    out.kind = word & 0xffU;
    const auto [sizes_type, sizes] = element();
    EXPECT_EQ(sizes_type, 5U);
    for (const std::int32_t size : list<std::int32_t>(sizes)) out.sizes.push_back(size);
    const auto [name_type, name] = element();
    EXPECT_EQ(name_type, 1U);
    out.name = std::string(name);
    if (out.kind == 1) {
      while (place_ < end) out.cells.push_back(array());
    } else if (out.kind == 4) {
      const auto [type, data] = element();
      EXPECT_EQ(type, 4U);
      for (const std::uint16_t c : list<std::uint16_t>(data)) out.text += static_cast<char>(c);
    } else {
      const auto [type, data] = element();
      EXPECT_EQ(type, 9U);
      out.real = list<double>(data);
      if ((word & (1U << 11U)) != 0) out.imaginary = list<double>(element().second);
    }
    EXPECT_EQ(place_, end);
    return out;
  }

  std::string_view bytes_;
  std::size_t place_ = 0;
};

TEST(MatFile, gives_back_what_was_put_in) {
  MatFile file;
  const std::vector<double> numbers{0, -4, 1, -0.1, 5e-324, 1e300};
  const std::vector<std::complex<double>> roots{{-0.5, 2}, {-0.5, -2}};
  file.add("A", {3, 2}, numbers);
  file.add("cube", {1, 2, 3}, numbers);
  file.add("roots", {2, 1}, roots);
  file.add("step", 0.001);
  file.add_text("file", "model.yaml");
  file.add_names("states", {"q:crank", "", "v:a"});
  file.add("nothing", {4, 0}, std::vector<double>{});
  const std::string bytes = file.bytes();
  auto read = Reader(bytes).read_all();
  EXPECT_EQ(read.size(), 7U);
  EXPECT_EQ(read["A"].real, numbers);
  EXPECT_EQ(read["A"].sizes, (std::vector<int>{3, 2}));
  EXPECT_EQ(read["cube"].sizes, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(read["roots"].real, (std::vector<double>{-0.5, -0.5}));
  EXPECT_EQ(read["roots"].imaginary, (std::vector<double>{2, -2}));
  EXPECT_EQ(read["step"].real, std::vector<double>{0.001});
  EXPECT_EQ(read["file"].text, "model.yaml");
  ASSERT_EQ(read["states"].cells.size(), 3U);
  EXPECT_EQ(read["states"].cells[0].text, "q:crank");
  EXPECT_EQ(read["states"].cells[1].text, "");
  EXPECT_EQ(read["states"].cells[2].text, "v:a");
  EXPECT_TRUE(read["nothing"].real.empty());
}

TEST(MatFile, refuses_what_the_format_cannot_hold) {
  MatFile file;
  const std::vector<double> two{1, 2};
  EXPECT_THROW(file.add("A", {2, 2}, two), Error);
  EXPECT_THROW(file.add("2A", {2, 1}, two), Error);
  EXPECT_THROW(file.add("q:crank", {2, 1}, two), Error);
  EXPECT_THROW(file.add(std::string(64, 'a'), {2, 1}, two), Error);
  file.add("A", {2, 1}, two);
  EXPECT_THROW(file.add("A", {2, 1}, two), Error);
}

}  // namespace
}  // namespace linkwright::testing
