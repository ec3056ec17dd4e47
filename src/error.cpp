#include "linkwright/error.hpp"

#include <utility>

namespace linkwright {
namespace {

std::string to_lines(const std::vector<Mistake>& mistakes, const std::string& rest) {
  std::string lines;
  for (const Mistake& mistake : mistakes) {
    if (!lines.empty()) lines += '\n';
    lines += mistake.text();
  }
  return rest.empty() ? lines : lines + "\n" + rest;
}

}  // namespace

std::string Source::text() const {
  if (file.empty()) return {};
  return line > 0 ? file + ":" + std::to_string(line) : file;
}

std::string Mistake::text() const {
  return where.file.empty() ? message : where.text() + ": " + message;
}

Error::Error(const std::string& message, Kind kind) : Error(Source{}, message, kind) {}

Error::Error(const Source& where, const std::string& message, Kind kind)
    : Error({Mistake{where, message}}, std::string{}, kind) {}

Error::Error(std::vector<Mistake> mistakes, const std::string& rest, Kind kind)
    : std::runtime_error(to_lines(mistakes, rest)),
      kind_(kind),
      told_(std::make_shared<const Told>(Told{std::move(mistakes), rest})) {}

}  // namespace linkwright
