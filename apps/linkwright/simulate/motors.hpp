#pragma once
/// Voltages and extra states of motors on the command line of `simulate`.

#include <string>
#include <utility>
#include <vector>

#include "linkwright/simulate/simulation.hpp"

namespace linkwright::app {

/// "m1=24,m2=-12". Throws Error naming the option for anything else.
std::vector<std::pair<std::string, double>> parse_named_numbers(std::string_view option,
                                                                const std::string& text);

/// Writes numbers to where `known` has a quantity of that name, `prefix` in front. Throws Error with the
/// closest name for an unknown one.
void set_named(std::string_view option, const std::string& text,
               const std::vector<linkwright::Quantity>& known, std::string_view prefix,
               Eigen::VectorXd& values);

/// Whether a voltage source of the network has that name.
bool is_network_voltage(const System& system, std::string_view name);

/// Motors that could be driven by a voltage and are given none.
void note_open_terminals(const System& system, const std::vector<std::string>& voltages);
/// Motors that the file's state gives a current and no voltage drives: open terminals carry none.
void warn_of_lost_currents(const System& system, const std::vector<std::string>& voltages);

}  // namespace linkwright::app
