#include "compute/output/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "compute/input/state_table.hpp"

namespace linkwright::app {
namespace {

/// Terminal columns that UTF-8 text takes, counting one per character.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string padded(std::string_view text, std::size_t size) {
  return std::string(size - std::min(size, width(text)), ' ') + std::string(text);
}

std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t most = 0;
  for (const std::string& text : texts) most = std::max(most, width(text));
  return most;
}

std::vector<std::string> all_printable(const std::vector<std::string>& names) {
  std::vector<std::string> texts;
  texts.reserve(names.size());
  for (const std::string& name : names) texts.push_back(printable(name));
  return texts;
}

std::string list(const ResultNames& result, const Eigen::VectorXd& values) {
  const std::vector<std::string> names = all_printable(result.names);
  const std::size_t wide = widest(names);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("  {}{}  {:>18.10g}\n", names[i], std::string(wide - width(names[i]), ' '),
                        values[static_cast<Eigen::Index>(i)]);
  return text;
}

std::string grid(const ResultNames& result, const Eigen::VectorXd& values) {
  const std::vector<std::string> names = all_printable(result.names);
  const std::vector<std::string> rows = all_printable(result.rows);
  const std::size_t label = widest(rows), cell = std::max<std::size_t>(widest(names), 13);
  std::string text = "  " + std::string(label, ' ');
  for (const std::string& name : names) text += "  " + padded(name, cell);
  text += '\n';
  Eigen::Index at = 0;
  for (const std::string& row : rows) {
    text += "  " + padded(row, label);
    for (std::size_t j = 0; j < names.size(); ++j)
      text += "  " + padded(fmt::format("{:.6g}", values[at++]), cell);
    text += '\n';
  }
  return text;
}

/// Every name of the first of these dimensions before every one of the others: "a:x", "a:y", "b:x", …
std::vector<std::string> combined(std::span<const std::vector<std::string>> dimensions) {
  if (dimensions.empty()) return {""};
  const std::vector<std::string> rest = combined(dimensions.subspan(1));
  std::vector<std::string> out;
  for (const std::string& first : dimensions.front())
    for (const std::string& other : rest) out.push_back(first + (other.empty() ? "" : ":") + other);
  return out;
}

/// An array of more than two dimensions: a matrix for each place in the outer ones.
std::string grids(const ResultNames& result, const Eigen::VectorXd& values) {
  std::vector<std::vector<std::string>> outer{result.rows};
  outer.insert(outer.end(), result.between.begin(), result.between.end() - 1);
  const ResultNames matrix{result.names, result.between.back()};
  const auto size = static_cast<Eigen::Index>(matrix.size());
  std::string text;
  Eigen::Index at = 0;
  for (const std::string& name : combined(outer)) {
    text += "  " + printable(result.prefix + ":" + name) + "\n" +
            grid(matrix, values.segment(at, size));
    at += size;
  }
  return text;
}

/// CSV columns of one row of a matrix or array, counted through all matrices, or of the whole list.
std::vector<std::string> column_names(const ResultNames& result, std::size_t row) {
  if (result.rows.empty()) return result.names;
  std::vector<std::vector<std::string>> inner = result.between;
  inner.push_back(result.names);
  std::vector<std::string> columns = combined(inner);
  const std::size_t count = result.rows.size();
  const std::string& prefix =
      result.matrices.empty() ? result.prefix : result.matrices[row / count];
  for (std::string& column : columns)
    column = fmt::format("{}:{}:{}", prefix, result.rows[row % count], column);
  return columns;
}

/// Lists within lists, as deep as there are dimensions.
Json nested(std::span<const std::size_t> shape, const double*& next) {
  if (shape.size() == 1) {
    const double* const begin = next;
    next += shape.front();
    return std::vector<double>(begin, next);
  }
  Json out = Json::array();
  for (std::size_t i = 0; i < shape.front(); ++i) out.push_back(nested(shape.subspan(1), next));
  return out;
}

/// One of several matrices: its names and its numbers.
ResultNames without_matrices(const ResultNames& result) {
  ResultNames one = result;
  one.matrices.clear();
  return one;
}
template <class Step>
void each_matrix(const ResultNames& result, const Eigen::VectorXd& values, Step step) {
  const ResultNames one = without_matrices(result);
  const auto size = static_cast<Eigen::Index>(one.size());
  for (std::size_t m = 0; m < result.matrices.size(); ++m)
    step(result.matrices[m], one, values.segment(static_cast<Eigen::Index>(m) * size, size));
}

Json to_json(const ResultNames& names, const Eigen::VectorXd& values) {
  if (!names.matrices.empty()) {
    Json all = Json::object();
    each_matrix(names, values,
                [&](const std::string& name, const ResultNames& one, const auto& part) {
                  all[name] = to_json(one, part);
                });
    return all;
  }
  const double* next = values.data();
  return nested(names.shape(), next);
}

}  // namespace

TextSink::TextSink(std::string_view title, ResultNames names)
    : names_(std::move(names)), text_(bold(title) + "\n") {}

void TextSink::add(const Eigen::VectorXd& values, double /*time*/) {
  if (!names_.matrices.empty())
    return each_matrix(names_, values,
                       [&](const std::string& name, const ResultNames& one, const auto& part) {
                         text_ += name + "\n" + grid(one, part);
                       });
  text_ += names_.rows.empty()      ? list(names_, values)
           : names_.between.empty() ? grid(names_, values)
                                    : grids(names_, values);
}
void TextSink::finish() { print(text_); }

JsonSink::JsonSink(Json head, ResultNames names, bool many)
    : json_(std::move(head)), names_(std::move(names)), many_(many) {
  json_["names"] = names_.names;
  if (!names_.rows.empty()) json_["rows"] = names_.rows, json_["shape"] = names_.shape();
  if (!names_.matrices.empty()) json_["matrices"] = names_.matrices;
  if (names_.timed) json_["time"] = Json::array();
  json_["values"] = Json::array();
}

void JsonSink::add(const Eigen::VectorXd& values, double time) {
  if (names_.timed) json_["time"].push_back(time);
  if (many_)
    json_["values"].push_back(to_json(names_, values));
  else
    json_["values"] = to_json(names_, values);
}
void JsonSink::finish() { print(to_text(json_)); }

CsvSink::CsvSink(const std::string& path, const ResultNames& names)
    : file_(path), timed_(names.timed) {
  if (timed_) file_.write("time,");
  // A matrix row by row: all its names at once would take more room than its numbers.
  const std::size_t matrices = std::max<std::size_t>(names.matrices.size(), 1);
  const std::size_t lines =
      names.size() == 0 || names.rows.empty() ? 1 : names.rows.size() * matrices;
  for (std::size_t i = 0; i < lines; ++i) {
    line_.clear();
    append_csv_names(line_, column_names(names, i));
    if (i + 1 < lines) line_.back() = ',';
    file_.write(line_);
  }
}

void CsvSink::add(const Eigen::VectorXd& values, double time) {
  line_.clear();
  if (timed_) {
    append_csv_numbers(line_, {&time, 1});
    line_.back() = ',';
  }
  append_csv_numbers(line_, {values.data(), static_cast<std::size_t>(values.size())});
  file_.write(line_);
}
void CsvSink::finish() { file_.commit(); }

}  // namespace linkwright::app
