#include "coordinates/scaled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "coordinates/parameters.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

/// Shares below this part of the largest are not worth a word.
constexpr double share_worth_telling = 0.05;

/// Those that take part in a direction, the largest first.
std::vector<Eigen::Index> taking_part(const Eigen::VectorXd& weights) {
  const double most = weights.size() > 0 ? weights.cwiseAbs().maxCoeff() : 0;
  std::vector<Eigen::Index> out;
  for (Eigen::Index i = 0; i < weights.size(); ++i)
    if (std::abs(weights[i]) > share_worth_telling * most) out.push_back(i);
  std::stable_sort(out.begin(), out.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(weights[a]) > std::abs(weights[b]) + 1e-9 * most;
  });
  return out;
}

/// "'a' : 'b' = 1 : -0.5", at most four.
std::string in_proportion(const Parameters& parameters, const Eigen::VectorXd& weights) {
  std::vector<Eigen::Index> parts = taking_part(weights);
  const bool more = parts.size() > 4;
  if (more) parts.resize(4);
  std::string names, numbers;
  for (const Eigen::Index i : parts) {
    if (!names.empty()) names += " : ", numbers += " : ";
    names += in_quotes(parameters[at(i)].name);
    numbers += fmt::format("{:.3g}", weights[i] / weights[parts.front()]);
  }
  if (parts.size() == 1) return names + " alone";
  return names + (more ? " : … = " : " = ") + numbers + (more ? " : …" : "");
}

std::string in_brackets(const Vector3& direction) {
  const double size = norm(direction);
  const auto rounded = [size](double x) { return std::round(100 * x / size) / 100 + 0.0; };
  return fmt::format("({:g}, {:g}, {:g})", rounded(direction.x), rounded(direction.y),
                     rounded(direction.z));
}

/// A direction among the numbers of one frame's motion.
struct FrameDirection {
  std::string frame;
  Axes axes;
  Vector3 turn, move;
  [[nodiscard]] std::string text() const {
    std::string out = in_quotes(frame);
    const double a = norm(turn), b = norm(move), most = std::max(a, b);
    if (a > share_worth_telling * most) out += " turns about " + in_brackets(turn);
    if (a > share_worth_telling * most && b > share_worth_telling * most) out += " and";
    if (b > share_worth_telling * most) out += " moves along " + in_brackets(move);
    return out + (axes == Axes::world ? " in world axes" : " in its own axes");
  }
};

/// The numbers of frames are told as axes and ways, the others by name.
std::string in_words(const Parameters& parameters, const Eigen::VectorXd& weights) {
  const std::vector<Eigen::Index> parts = taking_part(weights);
  std::set<std::string> names;
  for (const Eigen::Index i : parts) names.insert(parameters[at(i)].name);
  // One that is given twice would cancel itself.
  if (names.size() < parts.size()) return in_proportion(parameters, weights);
  std::vector<FrameDirection> frames;
  Parameters others;
  std::vector<double> shares;
  for (const Eigen::Index i : parts) {
    const Parameter& p = parameters[at(i)];
    if (p.component < 0) {
      others.push_back(p);
      shares.push_back(weights[i]);
      continue;
    }
    auto found = std::find_if(frames.begin(), frames.end(), [&](const FrameDirection& f) {
      return f.frame == p.frame && f.axes == p.axes;
    });
    if (found == frames.end()) found = frames.insert(found, {p.frame, p.axes, {}, {}});
    Vector3& direction = p.component < 3 ? found->turn : found->move;
    double* const numbers[3]{&direction.x, &direction.y, &direction.z};
    *numbers[p.component % 3] += weights[i];
  }
  std::string text;
  for (const FrameDirection& frame : frames) text += (text.empty() ? "" : ", ") + frame.text();
  if (others.empty()) return text;
  const Eigen::VectorXd rest =
      Eigen::Map<const Eigen::VectorXd>(shares.data(), static_cast<Eigen::Index>(shares.size()));
  return text + (text.empty() ? "" : ", with ") + in_proportion(others, rest);
}

}  // namespace

Eigen::MatrixXd to_units(const Influence& influence) {
  return units_of(influence.of).cwiseInverse().asDiagonal() * influence.G.view() *
         units_of(influence.by).asDiagonal();
}

Scaled::Scaled(const Influence& influence) : influence_(&influence), G_(to_units(influence)) {
  if (G_.size() > 0) svd_.compute(G_, Eigen::ComputeFullU | Eigen::ComputeFullV);
}

double Scaled::condition() const {
  if (G_.size() == 0) return 1;
  const auto& values = svd_.singularValues();
  const double least = values[values.size() - 1];
  return least > 0 ? std::max(values[0], 1.0) / least : std::numeric_limits<double>::infinity();
}

double Scaled::smallest() const {
  return G_.size() == 0 || G_.rows() != G_.cols() ? 0 : svd_.singularValues()[G_.rows() - 1];
}

std::string Scaled::unseen_motion() const {
  if (G_.size() == 0) return "everything";
  const Eigen::VectorXd motion = svd_.matrixV().col(G_.cols() - 1);
  return in_proportion(influence_->by, motion.cwiseProduct(units_of(influence_->by)));
}

std::string Scaled::lost_direction() const {
  if (G_.size() == 0) return "all of them";
  return in_words(influence_->of, svd_.matrixU().col(G_.rows() - 1));
}

std::string Scaled::dependent_parameters() const {
  if (G_.size() == 0) return names_of(influence_->of);
  return names_of(at_places(influence_->of, taking_part(svd_.matrixU().col(G_.rows() - 1))));
}

}  // namespace linkwright::coordinates
