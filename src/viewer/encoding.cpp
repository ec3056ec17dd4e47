#include "viewer/encoding.hpp"

#include <bit>

namespace linkwright::viewer {
namespace {

constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Takes bytes and keeps their base64.
class Base64 {
 public:
  explicit Base64(std::size_t bytes) { text_.reserve((bytes + 2) / 3 * 4); }

  template <class Word>
  void add(Word word) {
    for (std::size_t i = 0; i < sizeof(Word); ++i)
      add_byte(static_cast<unsigned>((word >> (8 * i)) & 0xFFU));
  }
  std::string finish() && {
    const int missing = (3 - count_) % 3;
    if (missing > 0) {
      for (int i = 0; i < missing; ++i) add_byte(0);
      text_.replace(text_.size() - static_cast<std::size_t>(missing),
                    static_cast<std::size_t>(missing), static_cast<std::size_t>(missing), '=');
    }
    return std::move(text_);
  }

 private:
  void add_byte(unsigned byte) {
    bits_ = (bits_ << 8U) | byte;
    if (++count_ < 3) return;
    for (int shift = 18; shift >= 0; shift -= 6) text_ += digits[(bits_ >> shift) & 63U];
    bits_ = 0;
    count_ = 0;
  }

  std::string text_;
  unsigned bits_ = 0;
  int count_ = 0;
};

template <class Word, class Number>
Json pack_as(const char* kind, std::span<const Number> values) {
  static_assert(sizeof(Word) == sizeof(Number));
  Base64 text(values.size_bytes());
  for (const Number value : values) text.add(std::bit_cast<Word>(value));
  return {{kind, std::move(text).finish()}};
}

}  // namespace

Json pack(std::span<const double> values) { return pack_as<std::uint64_t>("f64", values); }
Json pack(std::span<const float> values) { return pack_as<std::uint32_t>("f32", values); }
Json pack(std::span<const std::uint32_t> values) { return pack_as<std::uint32_t>("u32", values); }
Json pack(std::span<const std::uint16_t> values) { return pack_as<std::uint16_t>("u16", values); }

Json to_json(const Vector3& v) { return {v.x, v.y, v.z}; }

Json to_json(const Pose& pose) {
  const Quaternion q = spatial::to_quaternion(pose.rotation);
  return {{"p", to_json(pose.translation)}, {"q", {q.w, q.x, q.y, q.z}}};
}

std::string to_script_text(const Json& json) {
  const std::string plain = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  // Only inside a string can a "<" stand, and there the escape means the same.
  for (const char c : plain)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

}  // namespace linkwright::viewer
