#include "linkwright/simulate/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "linkwright/model/names.hpp"
#include "simulate/recording/recorders.hpp"

namespace linkwright {

RecordingHeader describe_run(const System& system, const Channels& channels) {
  const Model& model = system.model();
  RecordingHeader header;
  header.columns = channels.columns();
  header.sources = model.sources;
  header.facts = {{"linkwright", std::string(LINKWRIGHT_VERSION)},
                  {"model", model.name},
                  {"gravity", std::vector{model.gravity.x, model.gravity.y, model.gravity.z}}};
  return header;
}

void Recorder::row(std::span<const double> values) {
  if (finished_) throw Error("the recording is finished; open another one for more rows");
  if (values.size() != columns_.size())
    throw Error(fmt::format("row {} has {} numbers; expected one for each of the {} columns",
                            rows_ + 1, values.size(), columns_.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const bool timed = columns_.front().name == "time" && i > 0;
    const std::string when =
        timed ? fmt::format("t = {} s", values[0]) : fmt::format("row {}", rows_ + 1);
    throw Error(fmt::format("column {} is {} at {}; the row is not recorded",
                            in_quotes(columns_[i].name), values[i], when),
                Error::Kind::failed_computation);
  }
  write_row(values);
  ++rows_;
}

void Recorder::finish(const std::vector<Fact>& outcome) {
  if (finished_) throw Error("the recording is finished already");
  complete(outcome);
  finished_ = true;
}

void Table::write_row(std::span<const double> values) {
  values_.insert(values_.end(), values.begin(), values.end());
}

std::vector<double> Table::column(std::string_view name) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < columns().size(); ++i) {
    known.push_back(columns()[i].name);
    if (known.back() != name) continue;
    std::vector<double> found;
    found.reserve(rows());
    for (std::size_t r = 0; r < rows(); ++r) found.push_back(at(r)[i]);
    return found;
  }
  throw Error(fmt::format("the recording has no column {}{}; it has {}", in_quotes(name),
                          did_you_mean(name, known), list_in_quotes(known)));
}

ThinnedRows::ThinnedRows(std::size_t width, std::size_t most)
    : width_(width), most_(most), last_(width, 0) {
  if (width == 0 || most < 4)
    throw Error(
        fmt::format("{} rows of {} numbers; expected at least 4 rows of 1 number", most, width));
}

void ThinnedRows::keep(std::span<const double> row) {
  values_.resize(kept_ * width_);
  values_.insert(values_.end(), row.begin(), row.end());
  ++kept_;
}

void ThinnedRows::take(std::span<const double> row) {
  if (row.size() != width_)
    throw Error(fmt::format("a row of {} numbers; expected {}", row.size(), width_));
  if (kept_ + 1 >= most_) thin_out();  // one place is the last row's
  has_last_ = kept_ > 0 && row[0] - at(kept_ - 1)[0] < apart_;
  if (has_last_)
    std::copy(row.begin(), row.end(), last_.begin());
  else
    keep(row);
}

/// Rows at twice the distance are about half as many. Rows at one and the same time cannot be told apart
/// by it: then every other one goes.
void ThinnedRows::thin_out() {
  const double span = at(kept_ - 1)[0] - at(0)[0];
  apart_ = std::max(2 * apart_, 2 * span / static_cast<double>(most_));
  std::size_t left = 1;
  const auto move_to = [this](std::size_t from, std::size_t to) {
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(from * width_), width_,
                values_.begin() + static_cast<std::ptrdiff_t>(to * width_));
  };
  for (std::size_t i = 1; i < kept_; ++i)
    if (at(i)[0] - at(left - 1)[0] >= apart_) move_to(i, left++);
  if (span == 0)
    for (left = 1; 2 * left < kept_; ++left) move_to(2 * left, left);
  kept_ = left;
}

std::unique_ptr<Recorder> open_recorder(const std::string& path, const RecordingHeader& header) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool stream = path == "-" || (std::filesystem::exists(status) &&
                                      !std::filesystem::is_regular_file(status) &&
                                      !std::filesystem::is_directory(status));
  const std::string extension = std::filesystem::path(path).extension().string();
  if (stream || extension == ".csv") return std::make_unique<CsvRecorder>(path, header);
  if (extension == ".h5" || extension == ".hdf5")
    return std::make_unique<Hdf5Recorder>(path, header);
  throw Error(fmt::format(
      "{}: cannot record here: the extension {} is unknown; expected .csv, .h5 or .hdf5", path,
      in_quotes(extension)));
}

}  // namespace linkwright
