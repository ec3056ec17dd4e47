#include <algorithm>

#include "coordinates/elimination.hpp"
#include "coordinates/finish.hpp"
#include "coordinates/legs.hpp"
#include "coordinates/parameters.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Places = std::vector<Index>;

Index count(const Places& places) { return static_cast<Index>(places.size()); }

/// Part of an influence: some rows, by some coordinates on which alone they depend.
Influence part_of(const Influence& all, const Places& rows, const Places& columns) {
  Influence out{at_places(all.of, rows),
                at_places(all.by, columns),
                Matrix(MatrixXd(all.G.view()(rows, columns))),
                Array(count(rows), count(columns)),
                {}};
  for (Index i = 0; i < count(rows); ++i)
    out.H.plane(i) = all.H.plane(rows[static_cast<std::size_t>(i)])(columns, columns);
  return out;
}

DynamicModel part_of(const DynamicModel& all, const Places& places) {
  DynamicModel out{at_places(all.of, places), at_places(all.by, places),
                   Matrix(MatrixXd(all.inertia.view()(places, places))),
                   Array(count(places), count(places)),
                   Matrix(MatrixXd(all.load.view()(places, Eigen::all)))};
  for (Index i = 0; i < count(places); ++i)
    out.power.plane(i) = all.power.plane(places[static_cast<std::size_t>(i)])(places, places);
  return out;
}

/// Adds a part's numbers to those of the whole.
void add(const DynamicModel& part, const Places& rows, const Places& columns, DynamicModel& all) {
  all.inertia.view()(rows, columns) += part.inertia.view();
  all.load.view()(rows, Eigen::all) += part.load.view();
  for (Index i = 0; i < count(rows); ++i)
    all.power.plane(rows[static_cast<std::size_t>(i)])(columns, columns) += part.power.plane(i);
}
void put(const Influence& part, const Places& rows, const Places& columns, Influence& all) {
  all.G.view()(rows, columns) = part.G.view();
  for (Index i = 0; i < count(rows); ++i)
    all.H.plane(rows[static_cast<std::size_t>(i)])(columns, columns) = part.H.plane(i);
}

/// What the platform's own freedoms feel of themselves is counted once, not with every leg.
void leave_out_platform(DynamicModel& leg, Index nw) {
  leg.inertia.view().topLeftCorner(nw, nw).setZero();
  for (Index i = 0; i < nw; ++i) leg.power.plane(i).topLeftCorner(nw, nw).setZero();
  leg.load.view().topRows(nw).setZero();
}

/// One leg after its elimination, and where it stands in the whole.
struct Solved {
  Leg leg;
  Places phi;               // the platform's freedoms, then its own: entries of v
  Places y;                 // among the coordinates of all legs and the platform
  Places rest;              // among what all legs leave to the platform
  DynamicModel model;       // by y
  DynamicModel constraint;  // its rows, by y
  Elimination e;
};

Solved solve_leg(const DynamicModel& open, const Influence& closures, const Places& platform,
                 const Leg& leg) {
  Solved out;
  out.leg = leg;
  out.phi = platform;
  out.phi.insert(out.phi.end(), leg.freedoms.begin(), leg.freedoms.end());
  DynamicModel own = part_of(open, out.phi);
  leave_out_platform(own, count(platform));
  Places candidates;
  for (Index i = count(platform); i < count(out.phi); ++i) candidates.push_back(i);
  const Influence c = part_of(closures, leg.rows, out.phi);
  out.e = eliminate(c, candidates);
  const DynamicModel referred = refer_to(own, out.e.initial);
  out.model = map_loads(out.e.initial.G.view().transpose(), out.e.initial.by, referred);
  out.constraint = map_loads(out.e.carried, c.of, referred);
  return out;
}

/// The platform's coordinates, then what the legs keep of theirs.
struct Assembled {
  Influence joints;         // v by y
  DynamicModel model;       // S_y
  DynamicModel constraint;  // by y, as far as the legs' own equations tell
  Influence rest;           // what the legs leave to y
  MatrixXd carried, Z;
  double condition = 1;
};

Assembled make_room(const DynamicModel& open, const Influence& closures, const Places& platform,
                    std::vector<Solved>& legs) {
  Parameters y = at_places(open.by, platform), rest;
  for (Solved& leg : legs) {
    const Index nw = count(platform);
    for (Index i = 0; i < nw; ++i) leg.y.push_back(i);
    for (std::size_t i = static_cast<std::size_t>(nw); i < leg.e.initial.by.size(); ++i) {
      leg.y.push_back(static_cast<Index>(y.size()));
      y.push_back(leg.e.initial.by[i]);
    }
    for (std::size_t i = 0; i < leg.e.rest.of.size(); ++i) {
      leg.rest.push_back(static_cast<Index>(rest.size()));
      rest.push_back({"rest:" + std::to_string(rest.size()), 1});
    }
  }
  const auto n = static_cast<Index>(open.by.size()), ny = static_cast<Index>(y.size());
  const auto m = static_cast<Index>(closures.of.size()), r = static_cast<Index>(rest.size());
  return {{open.by, y, Matrix(n, ny), Array(n, ny), {}},
          {y, y, Matrix(ny, ny), Array(ny, ny), Matrix(ny, 1)},
          {closures.of, y, Matrix(m, ny), Array(m, ny), Matrix(m, 1)},
          {rest, y, Matrix(r, ny), Array(r, ny), {}},
          MatrixXd::Zero(m, n),
          MatrixXd::Zero(m, r),
          1};
}

Assembled put_together(const DynamicModel& open, const Influence& closures, const Places& platform,
                       std::vector<Solved>& legs) {
  Assembled all = make_room(open, closures, platform, legs);
  Places w;
  for (Index i = 0; i < count(platform); ++i) w.push_back(i);
  all.joints.G.view()(platform, w).setIdentity();
  add(part_of(open, platform), w, w, all.model);  // (4-48), (4-49)
  for (const Solved& leg : legs) {
    add(leg.model, leg.y, leg.y, all.model);
    add(leg.constraint, leg.leg.rows, leg.y, all.constraint);
    put(leg.e.initial, leg.phi, leg.y, all.joints);
    put(leg.e.rest, leg.rest, leg.y, all.rest);
    all.carried(leg.leg.rows, leg.phi) = leg.e.carried;
    all.Z(leg.leg.rows, leg.rest) = leg.e.Z;
    all.condition = std::max(all.condition, leg.e.condition);
  }
  return all;
}

}  // namespace

Mechanism compute_leg_by_leg(ClosedWorkspace& work, const State& state, ExternalForces forces,
                             const std::string& platform, const Influence& q_by_phi) {
  const Legs found = find_legs(work.system(), platform);
  const DynamicModel open = compute_joint_model(work, state, forces);
  const Influence closures = compute_closure_influence(work, state.q);
  std::vector<Solved> legs;
  for (const Leg& leg : found.legs) legs.push_back(solve_leg(open, closures, found.platform, leg));
  const Assembled all = put_together(open, closures, found.platform, legs);
  const Constrained bound = constrain(all.model, all.rest);
  const DynamicModel held = map_loads(all.Z, closures.of, bound.constraint);
  return finish(
      {bound.model, compose(all.joints, bound.initial),
       sum(refer_to(all.constraint, bound.initial), held),
       Matrix(all.carried + all.Z * bound.carried.view() * all.joints.G.view().transpose()),
       all.condition * bound.condition},
      q_by_phi);
}

}  // namespace linkwright::coordinates
