#include "shell/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace linkwright::app {
namespace {

constexpr std::chrono::milliseconds shortest_pause{100};

std::string duration(double seconds) {
  const long s = std::lround(std::ceil(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

/// Columns of the terminal; text that wraps could not be removed again.
std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string progress_line(double from, double now, double to, double elapsed) {
  const double share = to > from ? std::clamp((now - from) / (to - from), 0.0, 1.0) : 1;
  std::string line = fmt::format("t = {:.3f} s of {:g} s  {:3.0f} %", now, to, 100 * share);
  if (elapsed <= 0 || share <= 0) return line;
  line += fmt::format("  {:.3g} x real time", (now - from) / elapsed);
  return line + fmt::format("  {} left", duration(elapsed * (1 - share) / share));
}

Progress::Progress(double from, double to)
    : from_(from),
      to_(to),
      visible_(::isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(double now) {
  if (!visible_) return;
  const Clock::time_point moment = Clock::now();
  if (moment - last_ < shortest_pause) return;
  last_ = moment;
  const double elapsed = std::chrono::duration<double>(moment - start_).count();
  const std::string line = progress_line(from_, now, to_, elapsed);
  const std::string text = "\r" + line.substr(0, terminal_width() - 1) + "\x1b[K";
  std::fwrite(text.data(), 1, text.size(), stderr);
  drawn_ = true;
}

}  // namespace linkwright::app
