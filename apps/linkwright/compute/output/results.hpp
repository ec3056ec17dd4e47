#pragma once
/// Results on their way out: a table to read, JSON, or CSV.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/quantities.hpp"
#include "linkwright/io/csv.hpp"
#include "linkwright/io/output_file.hpp"
#include "shell/json.hpp"
#include "shell/output.hpp"

namespace linkwright::app {

/// Receives one result per state, and the time of the state where the table of states tells one. Nothing is seen
/// outside before finish().
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void add(const Eigen::VectorXd& values, double time) = 0;
  virtual void finish() = 0;
};

/// Aligned names and numbers on stdout.
class TextSink final : public ResultSink {
 public:
  TextSink(std::string_view title, ResultNames names);
  void add(const Eigen::VectorXd& values, double time) override;
  void finish() override;

 private:
  ResultNames names_;
  std::string text_;
};

/// `head` with names, rows and values on stdout; `many`: values is a list with one entry per state, and so is
/// time where it is told.
class JsonSink final : public ResultSink {
 public:
  JsonSink(Json head, ResultNames names, bool many);
  void add(const Eigen::VectorXd& values, double time) override;
  void finish() override;

 private:
  Json json_;
  ResultNames names_;
  bool many_;
};

/// A header line, then one line per state, its time first where it is told; "-" is stdout.
class CsvSink final : public ResultSink {
 public:
  CsvSink(const std::string& path, const ResultNames& names);
  void add(const Eigen::VectorXd& values, double time) override;
  void finish() override;

 private:
  OutputFile file_;
  std::string line_;
  bool timed_;
};

}  // namespace linkwright::app
