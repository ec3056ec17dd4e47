#pragma once
/// How `--help` is set: within 100 columns, with what an option takes and whether it must be given.

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace linkwright::app {

std::shared_ptr<CLI::FormatterBase> make_help_formatter();

}  // namespace linkwright::app
