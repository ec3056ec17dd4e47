#include "shell/interrupt.hpp"

namespace linkwright::app {
namespace {

volatile std::sig_atomic_t received = 0;

/// The second signal must work even when the program hangs, so it meets the default action again.
void note(int signal) {
  received = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGHUP, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  received = 0;
  struct sigaction action {};
  action.sa_handler = note;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // a read that waits for input is given up
  ::sigaction(SIGINT, &action, &before_int_);
  ::sigaction(SIGTERM, &action, &before_term_);
  ::sigaction(SIGHUP, &action, &before_hup_);
}

Interrupt::~Interrupt() {
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
  ::sigaction(SIGHUP, &before_hup_, nullptr);
}

int Interrupt::signal() const { return received; }

}  // namespace linkwright::app
