#pragma once
/// What the arguments of `compute` ask for: options of the quantity, the state, what rows of --states need.

#include <optional>

#include "compute/input/arguments.hpp"
#include "compute/input/state_table.hpp"
#include "compute/quantities.hpp"

namespace linkwright::app {

/// Frames, axes, order. Throws Error for options that have no meaning for the quantity.
QuantityOptions make_options(const ComputeArguments& arguments, const Quantity& quantity,
                             const System& system);
/// The state and the forces that the options and the file give, before any row of --states.
Input make_input(const ComputeArguments& arguments, const Quantity& quantity, const System& system);
/// Entries without a column: neutral where the variable has other columns, what `input` holds where
/// not. Forces that have columns join those of `input`.
void prepare_rows(const ComputeArguments& arguments, const Quantity& quantity, const System& system,
                  StateTable& table, Input& input);
/// A matrix over 100 000 joints would ask for more memory than any machine has.
void check_size(const ComputeArguments& arguments, const Quantity& quantity,
                const ResultNames& names);
/// What an open system cannot answer is refused by name.
void require_answer(const ComputeArguments& arguments, const Quantity& quantity,
                    const System& system);
/// Voltages ask for more of a motion than the other quantities, and zeros in its place would be wrong: Error names
/// the derivative that is missing and the motor that needs it. The quantity then uses what is needed.
void require_derivatives(const ComputeArguments& arguments, const System& system,
                         const std::optional<StateTable>& table, Quantity& quantity);
/// Derivatives are taken at one motion, which accelerations or efforts decide.
void choose_motion(const ComputeArguments& arguments, const std::optional<StateTable>& table,
                   Quantity& quantity, QuantityOptions& options);

}  // namespace linkwright::app
