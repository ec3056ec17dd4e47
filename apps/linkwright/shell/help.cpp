#include "shell/help.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace linkwright::app {
namespace {

constexpr std::size_t page_width = 100;

class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    const std::size_t width = page_width - get_column_width();
    std::string rest = CLI::Formatter::make_option_desc(option), text;
    while (rest.size() > width) {
      const std::size_t blank = rest.rfind(' ', width);
      if (blank == std::string::npos) break;
      text += rest.substr(0, blank) + '\n';  // CLI11 indents what follows
      rest.erase(0, blank + 1);
    }
    return text + rest;
  }

  /// The type without the choices that a validator lists: descriptions tell them in words.
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    const std::string type = option->get_type_name();
    const bool takes_value = option->get_type_size() != 0;
    if (takes_value && !option->get_positional()) text += " " + type.substr(0, type.find(':'));
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
    return text + (option->get_required() ? " (required)" : "");
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> make_help_formatter() {
  return std::make_shared<HelpFormatter>();
}

}  // namespace linkwright::app
