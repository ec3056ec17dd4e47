#pragma once
/// One self-contained HTML page that shows a mechanism in 3D, or a recorded motion of it. It needs
/// no network. What the page is told is described in viewer/README.md.
///
///     linkwright::State state(system);
///     linkwright::Page page = linkwright::to_page(system, state.q);
///     for (const auto& warning : page.warnings) std::cerr << warning.text() << '\n';
///     linkwright::write_page("arm.html", page.text);

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "linkwright/dynamics/state.hpp"

namespace linkwright {

/// A quantity to plot. `group` is "position", "velocity", "energy", "frame", "force" or "user".
struct PageChannel {
  std::string name{}, unit{}, group{"user"};
  std::vector<double> values{};  ///< one per time
};

/// A force to draw as an arrow.
struct PageForce {
  std::string name{};
  std::string body{};         ///< the body it acts on; "world" is one
  Vector3 at{};               ///< where, in the body's frame
  Eigen::Matrix3Xd values{};  ///< in world axes, newton; one column per time
};

/// Something that happened: a limit was reached, a user's function crossed zero.
struct PageEvent {
  double time = 0;
  std::string name{};
};

/// A recorded motion. `time` must not go backwards.
struct PageRun {
  std::vector<double> time{};
  std::size_t recorded = 0;  ///< rows that the run had, where `time` holds fewer
  Eigen::MatrixXd q{};       ///< nq × number of times
  std::vector<PageChannel> channels{};
  std::vector<PageForce> forces{};
  std::vector<PageEvent> events{};
  std::vector<std::pair<std::string, std::string>> summary{};  ///< label, value
  double energy_scale =
      0;  ///< joules that the page's energy drift is told in parts of; 0: none known
};

/// A page keeps at most this many times of a run, evenly spread, the first and the last always; its
/// summary then says so.
inline constexpr int max_page_samples = 3000;

/// Text, and what could not be shown as the model asks (a mesh that is not there).
struct Page {
  std::string text;
  std::vector<Warning> warnings;
};

/// Whether this build has the page: it is bundled by node and npm when the project is built.
bool page_available();

/// The page as HTML. Without a run it has a slider per joint, and shows the mechanism at q first; where
/// q closes the loops, the sliders keep them closed.
/// Throws Error for numbers that are not finite or do not fit the system, and when
/// page_available() is false.
Page to_page(const System& system, const ConstVectorRef& q, const PageRun* run = nullptr);
/// Only the data in it: one JSON object, free of "<", so that no name in it can end a <script>.
Page to_page_data(const System& system, const ConstVectorRef& q, const PageRun* run = nullptr);

/// Writes under a temporary name in the same folder and moves it into place, so that a failure
/// leaves nothing, or the old file. Throws Error with the path and the reason. "-" is stdout.
void write_page(const std::string& path, const std::string& text);

}  // namespace linkwright
