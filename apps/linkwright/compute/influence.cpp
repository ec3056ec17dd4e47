#include "compute/influence.hpp"

#include "linkwright/closure/independent.hpp"
#include "linkwright/coordinates/dynamic_model.hpp"
#include "linkwright/dynamics/kinematics.hpp"

namespace linkwright::app {
namespace {

using Eigen::Index;

/// All entries of v by those asked for.
coordinates::Influence joints_by(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                                 coordinates::Order order) {
  std::vector<std::string> names;
  for (const int i : ask.coordinates)
    names.push_back(work.system().velocity_names()[static_cast<std::size_t>(i)]);
  return coordinates::compute_joint_influence(work, in.state.q, names, order);
}

void write(const coordinates::Array& array, Eigen::VectorXd& out) {
  Index at = 0;
  for (Index p = 0; p < array.planes(); ++p)
    for (Index j = 0; j < array.size(); ++j)
      for (Index k = 0; k < array.size(); ++k) out[at++] = array(p, j, k);
}
void write(const coordinates::Array4& array, Eigen::VectorXd& out) {
  Index at = 0;
  for (Index p = 0; p < array.planes(); ++p)
    for (Index j = 0; j < array.size(); ++j)
      for (Index k = 0; k < array.size(); ++k)
        for (Index l = 0; l < array.size(); ++l) out[at++] = array(p, j, k, l);
}

/// [G] alone, without the n² numbers of [H].
void first_order(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                 Eigen::VectorXd& out) {
  const Index nv = work.system().nv(), count = static_cast<Index>(ask.coordinates.size());
  Eigen::MatrixXd J(6, nv);
  compute_jacobian(work.tree(), in.state.q, ask.frames.front(), ask.axes, J);
  if (count > 0) {
    Eigen::MatrixXd G(nv, count);
    Eigen::VectorXd g(nv);
    compute_coordinate_map(work, in.state, ask.coordinates, G, g);
    J = (J * G).eval();
  }
  out = Eigen::MatrixXd(J.transpose()).reshaped();
}

}  // namespace

void influence(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
               Eigen::VectorXd& out) {
  if (ask.order == 1) return first_order(work, in, ask, out);
  const auto order = ask.order == 3 ? coordinates::Order::third : coordinates::Order::second;
  coordinates::Influence u =
      coordinates::compute_frame_influence(work, in.state.q, ask.frames.front(), ask.axes, order);
  if (!ask.coordinates.empty()) u = compose(u, joints_by(work, in, ask, order));
  if (ask.order == 2)
    write(u.H, out);
  else
    write(u.D, out);
}

void coriolis_array(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                    Eigen::VectorXd& out) {
  State still(work.system());
  still.q = in.state.q;
  coordinates::DynamicModel model = coordinates::compute_joint_model(work, still, {});
  if (!ask.coordinates.empty())
    model = transfer(model, joints_by(work, in, ask, coordinates::Order::second));
  write(model.power, out);
}

}  // namespace linkwright::app
