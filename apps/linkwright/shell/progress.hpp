#pragma once
/// A line on the terminal that tells how far a long run is.
///
///     Progress progress(0, 10);
///     progress.show(t);          // as often as you like

#include <chrono>
#include <string>

namespace linkwright::app {

/// "t = 2.500 s of 10 s   25 %   3.2 x real time   3 s left", for `elapsed` seconds of waiting.
std::string progress_line(double from, double now, double to, double elapsed);

/// Draws on stderr when that is a terminal, at most ten times a second; silent otherwise. The line
/// is removed at the end.
class Progress {
 public:
  Progress(double from, double to);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double now);

 private:
  using Clock = std::chrono::steady_clock;
  double from_, to_;
  bool visible_, drawn_ = false;
  Clock::time_point start_, last_;
};

}  // namespace linkwright::app
