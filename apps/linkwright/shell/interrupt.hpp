#pragma once
/// Ctrl-C as a request to end well.
///
///     Interrupt interrupt;
///     while (!interrupt.requested()) step();

#include <csignal>

namespace linkwright::app {

/// While in scope, the first SIGINT, SIGTERM or SIGHUP only sets a flag; a second one ends the
/// program as usual. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] bool requested() const { return signal() != 0; }
  /// The signal that came, 0 for none.
  [[nodiscard]] int signal() const;

 private:
  struct sigaction before_int_ {
  }, before_term_{}, before_hup_{};
};

/// Leaves a command after Ctrl-C; main turns it into the exit code 128 + signal, as shells do.
struct Interrupted {
  int signal = SIGINT;
};

}  // namespace linkwright::app
