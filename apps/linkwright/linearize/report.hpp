#pragma once
/// A linear model and what is told of it: as text, as JSON, as a MAT-file.

#include <optional>
#include <string>
#include <vector>

#include "linkwright/linear/analysis.hpp"
#include "linkwright/linear/equilibrium.hpp"
#include "linkwright/linear/transfer_function.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

/// At one state.
struct LinearReport {
  linear::OperatingPoint point;
  std::optional<linear::Equilibrium> equilibrium;
  linear::LinearModel model;
  linear::Analysis analysis;
  std::vector<linear::TransferFunction> transfer_functions{};  ///< with --transfer
};

/// At one state, or at the states of a trajectory.
struct LinearReports {
  std::string file;
  bool many = false;
  std::vector<std::string> motor_states{}, motor_inputs{};  ///< names
  std::vector<LinearReport> list{};
};

std::string to_lines(const System& system, const LinearReports& reports);
Json to_json(const System& system, const LinearReports& reports);
/// The bytes of a MAT-file; matrices of a trajectory have a third dimension.
std::string to_mat(const System& system, const LinearReports& reports);

}  // namespace linkwright::app
