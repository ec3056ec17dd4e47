#pragma once
/// Comma decimals for the time of a test: in C++ streams everywhere, and in C where the machine has a
/// German locale.

#include <clocale>
#include <locale>
#include <string>

namespace linkwright::testing {

struct CommaPunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

class CommaLocale {
 public:
  CommaLocale()
      : before_(std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation))) {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8"})
      has_c_locale_ = has_c_locale_ || std::setlocale(LC_ALL, name) != nullptr;
  }
  ~CommaLocale() {
    std::setlocale(LC_ALL, "C");
    std::locale::global(before_);
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  [[nodiscard]] bool has_c_locale() const { return has_c_locale_; }

 private:
  std::locale before_;
  bool has_c_locale_ = false;
};

}  // namespace linkwright::testing
