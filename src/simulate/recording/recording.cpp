#include "linkwright/simulate/recording.hpp"

#include <fmt/format.h>

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
