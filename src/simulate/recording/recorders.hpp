#pragma once
/// The recorders behind open_recorder.

#include <memory>

#include "linkwright/io/output_file.hpp"
#include "linkwright/simulate/recording.hpp"

namespace linkwright {

class CsvRecorder final : public Recorder {
 public:
  CsvRecorder(const std::string& path, const RecordingHeader& header);

 private:
  void write_row(std::span<const double> values) override;
  void complete(const std::vector<Fact>& outcome) override;

  OutputFile file_;
  std::string line_;
};

class Hdf5Recorder final : public Recorder {
 public:
  Hdf5Recorder(const std::string& path, const RecordingHeader& header);
  ~Hdf5Recorder() override;

 private:
  void write_row(std::span<const double> values) override;
  void complete(const std::vector<Fact>& outcome) override;

  struct Open;
  OutputFile file_;
  std::unique_ptr<Open> open_;
  std::vector<double> block_;  // rows not yet in the file
};

}  // namespace linkwright
