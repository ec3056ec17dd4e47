#include "linkwright/coordinates/transfer.hpp"

#include <fmt/format.h>

#include "coordinates/parameters.hpp"
#include "coordinates/scaled.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::MatrixXd;

static_assert(Transfer::worst_condition * closure::rank_threshold > 0.999 &&
                  Transfer::worst_condition * closure::rank_threshold < 1.001,
              "rank is judged by one number in all rooms");

void require_square(const Influence& q_by_phi) {
  if (q_by_phi.of.size() != q_by_phi.by.size())
    throw Error(fmt::format(
        "{} coordinates ({}) in place of {} ({}); expected as many. Parts of a "
        "set are taken by `select`, joined by `stack`",
        q_by_phi.of.size(), names_of(q_by_phi.of), q_by_phi.by.size(), names_of(q_by_phi.by)));
}

}  // namespace

Transfer::Transfer(const Influence& q_by_phi) {
  require_square(q_by_phi);
  const Scaled scaled(q_by_phi);
  condition_ = scaled.condition();
  if (!(condition_ <= worst_condition))
    throw Error(
        fmt::format("the coordinates {} do not determine the motion here: condition {:.2g}, "
                    "at most {:.0e} is allowed. A motion in which {} moves most leaves them "
                    "almost at rest. Choose other coordinates, or leave the singular position",
                    names_of(q_by_phi.of), condition_, worst_condition,
                    in_quotes(scaled.least_seen().name)),
        Error::Kind::failed_computation);
  const MatrixXd inverse = q_by_phi.G.view().fullPivLu().inverse();
  initial_ = {q_by_phi.by, q_by_phi.of, Matrix(inverse),
              dot(-inverse, quadratic(q_by_phi.H, inverse))};
}

Influence Transfer::apply(const Influence& u_by_phi) const { return compose(u_by_phi, initial_); }

DynamicModel Transfer::apply(const DynamicModel& model) const { return transfer(model, initial_); }

}  // namespace linkwright::coordinates
