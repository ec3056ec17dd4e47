#include "linkwright/network/multi_port.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/model/names.hpp"
#include "network/mechanics/room.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::network {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct MultiPort::Parts {
  std::vector<Port> ports;
  MatrixXd Lambda;
  VectorXd beta;
};

namespace {

void add_port(std::vector<MultiPort::Port>& ports, const std::string& name, int size) {
  for (const MultiPort::Port& other : ports)
    if (other.name == name)
      throw Error(fmt::format(
          "two ports have the name '{}'; every port is connected once, by pairs or not at all",
          name));
  const int first = ports.empty() ? 0 : ports.back().first + ports.back().size;
  ports.push_back({name, first, size});
}

/// Rows of J at the ports: what a unit of y there does at the joints.
MatrixXd port_rows(mechanics::Room& room, std::span<const MechanismPort> ports, int size) {
  MatrixXd J = MatrixXd::Zero(size, room.system.nv());
  Index row = 0;
  for (const MechanismPort& port : ports) {
    if (port.entry >= 0) {
      J(row++, port.entry) = 1;
      continue;
    }
    const FramePlace& frame = room.system.frame(port.frame);
    const mechanics::Terminal terminal = mechanics::make_terminal(
        room.tree(), room.placement, room.body_of_node, frame.node, frame.pose.translation);
    for (int i = 0; i < 6; ++i) {
      double unit[6]{};
      unit[i] = 1;
      mechanics::add_cut_set(room.placement, terminal,
                             {{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}},
                             J.row(row++));
    }
  }
  return J;
}

/// M⁻¹ x of the mechanism, closed or open; after accelerate().
void give_way(mechanics::Room& room, const VectorXd& x, VectorXd& a, VectorXd& e) {
  if (room.closed && room.closed->report.way == LoopReport::Way::full)
    return room.closed->solver.solve_in_full(x, a);
  if (room.closed) return room.closed->solver.solve(room.placement, room.recursion, x, a);
  room.recursion.apply_W(room.placement, x, e);
  room.recursion.apply_Wt(room.placement, e, a);
}

}  // namespace

MechanismPort shaft_port(const System& system, std::string_view joint, int freedom) {
  const JointPlace& place = system.joint(joint);
  if (freedom < 0 || freedom >= place.nv)
    throw Error(
        fmt::format("joint '{}' has {} freedoms, so it has no shaft {}", joint, place.nv, freedom));
  return {system.velocity_names()[at(place.v + freedom)], place.v + freedom, {}};
}
MechanismPort frame_port(const System& system, std::string_view frame) {
  return {std::string(frame), -1, system.frame(frame)};
}

MultiPort::MultiPort(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
MultiPort::~MultiPort() = default;
MultiPort::MultiPort(MultiPort&&) noexcept = default;
MultiPort& MultiPort::operator=(MultiPort&&) noexcept = default;

const std::vector<MultiPort::Port>& MultiPort::ports() const { return parts_->ports; }
const MultiPort::Port& MultiPort::port(std::string_view name) const {
  for (const Port& port : parts_->ports)
    if (port.name == name) return port;
  std::vector<std::string> names;
  for (const Port& port : parts_->ports) names.push_back(port.name);
  throw Error(fmt::format("there is no port '{}'{}", name, did_you_mean(name, names)));
}
int MultiPort::size() const { return static_cast<int>(parts_->beta.size()); }
const MatrixXd& MultiPort::Lambda() const { return parts_->Lambda; }
const VectorXd& MultiPort::beta() const { return parts_->beta; }

void MultiPort::compute_accelerations(const ConstVectorRef& y, VectorRef x_rate) const {
  door::check_output(y.size(), size(), "y");
  x_rate = parts_->Lambda * y + parts_->beta;
}

void MultiPort::compute_norton(MatrixRef P, VectorRef u) const {
  door::check_output(P, size(), size(), "P");
  door::check_output(u.size(), size(), "u");
  const Eigen::ColPivHouseholderQR<MatrixXd> factors(parts_->Lambda);
  if (factors.rank() < size()) {
    const Index weak = factors.colsPermutation().indices()[factors.rank()];
    const auto port =
        std::find_if(parts_->ports.begin(), parts_->ports.end(),
                     [weak](const Port& p) { return weak >= p.first && weak < p.first + p.size; });
    throw Error(
        fmt::format(
            "Λ has rank {} of {}, so it has no Norton form: at port '{}' some acceleration is "
            "not free, whatever acts there. Use Λ and β, or ports with fewer numbers",
            factors.rank(), size(), port->name),
        Error::Kind::failed_computation);
  }
  P = factors.solve(MatrixXd::Identity(size(), size()).eval());
  u = -(P * parts_->beta);
}

MultiPort compute_multi_port(NetworkWorkspace& work, const State& state, const ConstVectorRef& tau,
                             ExternalForces forces, std::span<const MechanismPort> ports) {
  mechanics::Room& room = work.room();
  auto parts = std::make_unique<MultiPort::Parts>();
  for (const MechanismPort& port : ports) add_port(parts->ports, port.name, port.size());
  const Index nv = room.system.nv();
  int size = 0;
  for (const MechanismPort& port : ports) {
    if (port.entry >= nv)
      throw Error(
          fmt::format("port '{}' is entry {} of v, which has {}", port.name, port.entry, nv));
    size += port.size();
  }
  VectorXd a(nv), e(nv), x(nv), given(nv);
  compute_forward_dynamics(work, state, tau, forces, a);
  parts->beta.resize(size);
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (ports[i].entry >= 0)
      parts->beta[parts->ports[i].first] = a[ports[i].entry];
    else
      parts->beta.segment<6>(parts->ports[i].first) =
          to_eigen(frame_acceleration(work, ports[i].frame, Axes::world));
  const MatrixXd J = port_rows(room, ports, size);
  parts->Lambda.resize(size, size);
  for (int i = 0; i < size; ++i) {
    given = J.row(i).transpose();
    give_way(room, given, x, e);
    parts->Lambda.col(i) = J * x;
  }
  room.has_rates = false;
  return MultiPort(std::move(parts));
}

MultiPort join(const MultiPort& a, const MultiPort& b, PortPairs pairs) {
  const Index size_a = a.size(), size = size_a + b.size();
  int joined = 0;
  std::vector<char> taken_a(a.ports().size()), taken_b(b.ports().size());
  const auto take = [](const MultiPort& of, const std::string& name, std::vector<char>& taken) {
    const MultiPort::Port& port = of.port(name);
    char& mark = taken[static_cast<std::size_t>(&port - of.ports().data())];
    if (mark != 0) throw Error(fmt::format("port '{}' is connected twice", name));
    mark = 1;
    return port;
  };
  MatrixXd E = MatrixXd::Zero(size, size);  // the first `joined` rows
  for (const auto& [name_a, name_b] : pairs) {
    const MultiPort::Port one = take(a, name_a, taken_a), other = take(b, name_b, taken_b);
    if (one.size != other.size)
      throw Error(fmt::format("port '{}' has {} numbers and '{}' has {}: they cannot be joined",
                              name_a, one.size, name_b, other.size));
    for (int i = 0; i < one.size; ++i, ++joined)
      E(joined, one.first + i) = 1, E(joined, size_a + other.first + i) = -1;
  }
  auto parts = std::make_unique<MultiPort::Parts>();
  std::vector<Index> left;
  const auto keep = [&](const MultiPort& of, const std::vector<char>& taken, Index offset) {
    for (std::size_t k = 0; k < taken.size(); ++k) {
      const MultiPort::Port& port = of.ports()[k];
      if (taken[k] != 0) continue;
      add_port(parts->ports, port.name, port.size);
      for (int i = 0; i < port.size; ++i) left.push_back(offset + port.first + i);
    }
  };
  keep(a, taken_a, 0), keep(b, taken_b, size_a);
  MatrixXd Lambda = MatrixXd::Zero(size, size);
  Lambda.topLeftCorner(size_a, size_a) = a.Lambda();
  Lambda.bottomRightCorner(size - size_a, size - size_a) = b.Lambda();
  VectorXd beta(size);
  beta << a.beta(), b.beta();
  // E ẋ = 0 by y = −Eᵀ μ.
  const MatrixXd rows = E.topRows(joined), given = rows * Lambda;
  const MatrixXd between = given * rows.transpose();
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors(between);
  const VectorXd drift = rows * beta;
  const MatrixXd mu = factors.solve(given);
  const VectorXd mu_drift = factors.solve(drift);
  const MatrixXd whole = Lambda - given.transpose() * mu;
  const VectorXd rest = beta - given.transpose() * mu_drift;
  parts->Lambda = whole(left, left);
  parts->beta = rest(left);
  return MultiPort(std::move(parts));
}

}  // namespace linkwright::network
