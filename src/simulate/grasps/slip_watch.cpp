#include "simulate/grasps/slip_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

/// Keeps and tells at most so many.
constexpr std::size_t most_told = 200;
/// Of the forces at all contacts, and of the force that gives all bodies 1 m/s²: what is smaller is rounding.
constexpr double negligible = 1e-12;
/// Margins that differ by less, in the same measure, are alike.
constexpr double alike = 1e-6;
/// A normal force that is smaller, in the same measure, keeps nothing closed.
constexpr double hardly_any = 1e-9;

bool same(const FullState& a, const FullState& b) {
  return a.state.t == b.state.t && a.state.q == b.state.q && a.state.v == b.state.v &&
         a.extra == b.extra;
}

/// Equations of a user's own must hand on what their grasps do.
void require_watched(Equations& equations, const Grasp& grasp) {
  if (!equations.released().empty()) return;
  throw Error(
      fmt::format("grasp {} has friction, and these equations of their own do not hand on what it "
                  "carries. Give "
                  "their class `released()`, `compute_contacts()`, `release()` and `look_back()` "
                  "that answer with "
                  "those of the ClosedEquations it uses",
                  in_quotes(grasp.name)));
}

}  // namespace

SlipWatch::SlipWatch(Rates& rates) : rates_(&rates) {
  const Model& model = rates.system().model();
  if (!rates.equations().obeys_closures()) return;
  for (std::size_t i = 0; i < model.grasps.size(); ++i) {
    if (!is_one_sided(model.grasps[i])) continue;
    require_watched(rates.equations(), model.grasps[i]);
    grasps_.push_back(static_cast<int>(i));
  }
  if (grasps_.empty()) return;
  carried_.resize(model.grasps.size());
  for (const Body& body : model.bodies) mass_ += body.mass;
  a_ = Eigen::VectorXd::Zero(rates.system().nv());
  extra_rates_ = Eigen::VectorXd::Zero(rates.extra_count());
  at_ = {State(rates.system()), extra_rates_};
}

const Grasp& SlipWatch::grasp(int contact) const {
  return rates_->system().model().grasps[at(grasps_[at(contact)])];
}
const ContactForce& SlipWatch::carried(int contact) const {
  return carried_[at(grasps_[at(contact)])];
}
std::string SlipWatch::name(int contact) const { return grasp(contact).name; }

bool SlipWatch::is_released(int contact) const {
  return rates_->equations().released()[at(grasps_[at(contact)])] != 0;
}

void SlipWatch::evaluate(const FullState& at) {
  if (known_ && same(at, at_)) return;
  const long evaluations = rates_->evaluations();
  rates_->evaluate(at, a_, extra_rates_);
  rates_->set_evaluations(evaluations);  // not the method's
  rates_->equations().compute_contacts(at, rates_->input(), rates_->forces(), carried_);
  at_ = at;
  known_ = true;
}

double SlipWatch::rounding() const {
  double sum = mass_;
  for (const ContactForce& f : carried_)
    if (std::isfinite(f.margin)) sum += std::abs(f.normal) + f.tangential;
  return sum;
}

double SlipWatch::value(int contact, const FullState& at) {
  if (!begun_ || is_released(contact)) return 1;
  evaluate(at);
  return carried(contact).margin + negligible * rounding();
}

std::string SlipWatch::note(int contact, const FullState& at) {
  evaluate(at);
  const double nothing = hardly_any * rounding();
  const ContactForce& force = carried(contact);
  if (slips_.size() == most_told) return {};
  slips_.push_back(
      {name(contact), at.state.t, find_loss(grasp(contact), force, nothing), force.margin, false});
  return describe_loss(rates_->system(), grasps_[linkwright::at(contact)], force, nothing);
}

void SlipWatch::release(int contact, const FullState& now) {
  rates_->equations().release(now, grasps_[at(contact)]);
  forget();
  for (Slip& slip : slips_)
    if (slip.contact == name(contact)) slip.released = true;
}

void SlipWatch::release(std::vector<int> fired, const FullState& now, const Tell& tell) {
  for (;;) {
    evaluate(now);
    std::vector<int> outside;
    for (int i = 0; i < count(); ++i)
      if (value(i, now) < 0 ||
          (!is_released(i) && std::find(fired.begin(), fired.end(), i) != fired.end()))
        outside.push_back(i);
    if (outside.empty()) return;
    double worst = std::numeric_limits<double>::infinity();
    for (const int i : outside) worst = std::min(worst, carried(i).margin);
    const double together = worst + alike * rounding();
    std::erase_if(outside, [&](int i) { return carried(i).margin > together; });
    for (const int i : outside) tell(note(i, now));
    for (const int i : outside) release(i, now);
    fired.clear();
  }
}

void SlipWatch::look(const FullState& now) {
  for (int i = 0; i < count(); ++i) {
    if (is_released(i)) continue;
    evaluate(now);
    const double margin = carried(i).margin;
    if (!least_ || margin < least_->margin) least_ = {name(i), margin, now.state.t};
  }
}

void SlipWatch::report(SimulationStatistics& statistics) const {
  statistics.slips = slips_;
  statistics.least_margin = least_;
}

}  // namespace linkwright
