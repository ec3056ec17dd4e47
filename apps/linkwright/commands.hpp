#pragma once
/// The subcommands. Each adds itself to the program and runs from its own callback; mistakes leave
/// as linkwright::Error and become exit codes in main.

namespace CLI {
class App;
}

namespace linkwright::app {

void add_check(CLI::App& program);
void add_info(CLI::App& program);
void add_convert(CLI::App& program);
void add_assemble(CLI::App& program);
void add_compute(CLI::App& program);
void add_linearize(CLI::App& program);
void add_grasp(CLI::App& program);
void add_graph(CLI::App& program);
void add_simulate(CLI::App& program);
void add_identify(CLI::App& program);
void add_verify(CLI::App& program);
void add_bench(CLI::App& program);
void add_view(CLI::App& program);

}  // namespace linkwright::app
