#include "linkwright/coordinates/transfer.hpp"

#include <fmt/format.h>

#include "coordinates/parameters.hpp"
#include "coordinates/scaled.hpp"
#include "coordinates/third_order.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::MatrixXd;

static_assert(Transfer::worst_condition * closure::rank_threshold > 0.999 &&
                  Transfer::worst_condition * closure::rank_threshold < 1.001,
              "rank is judged by one number in all rooms");

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// As many as there are freedoms; where not, what is left open or says the same twice.
void require_square(const Influence& q, const Scaled& scaled) {
  const std::size_t given = q.of.size(), freedoms = q.by.size();
  if (given == freedoms) return;
  throw Error(fmt::format(
      "{} ({}) for {} ({}); expected as many. {}. Parts of a set are taken by `select`, joined by "
      "`stack`",
      counted(given, "coordinate"), names_of(q.of), counted(freedoms, "freedom"), names_of(q.by),
      given < freedoms ? "They stay at rest while this moves: " + scaled.unseen_motion()
                       : scaled.dependent_parameters() + " depend on each other"));
}

void require_regular(const Influence& q, const Scaled& scaled) {
  if (scaled.condition() <= Transfer::worst_condition) return;
  throw Error(
      fmt::format(
          "the coordinates {} do not determine the motion here: the smallest singular value of "
          "their [G] is {:.2g}, condition {:.2g}, at most {:.0e} is allowed. Lost direction, "
          "which nothing moves: {}; it binds {}. A motion that leaves all of them almost at "
          "rest: {}. Choose other coordinates, or leave the singular position",
          names_of(q.of), scaled.smallest(), scaled.condition(), Transfer::worst_condition,
          scaled.lost_direction(), scaled.dependent_parameters(), scaled.unseen_motion()),
      Error::Kind::failed_computation);
}

/// φ by q from q by φ. u = φ in the chain rule gives zero beyond the first order, so that each order of the
/// inverse cancels what the orders below it make (3-15), (3-19), (3-47).
Influence inverted(const Influence& q_by_phi) {
  const MatrixXd inverse = q_by_phi.G.view().fullPivLu().inverse();
  Influence out{
      q_by_phi.by, q_by_phi.of, Matrix(inverse), dot(-inverse, quadratic(q_by_phi.H, inverse)), {}};
  if (q_by_phi.order() == Order::third)
    out.D = dot(-inverse, chain_terms(q_by_phi, inverse, out.H));
  return out;
}

}  // namespace

Transfer::Transfer(const Influence& q_by_phi) {
  const Scaled scaled(q_by_phi);
  require_square(q_by_phi, scaled);
  condition_ = scaled.condition();
  require_regular(q_by_phi, scaled);
  initial_ = inverted(q_by_phi);
}

Influence Transfer::apply(const Influence& u_by_phi) const { return compose(u_by_phi, initial_); }

DynamicModel Transfer::apply(const DynamicModel& model) const { return transfer(model, initial_); }

}  // namespace linkwright::coordinates
