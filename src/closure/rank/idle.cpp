#include "closure/rank/idle.hpp"

#include <algorithm>

#include "closure/rank/dense_loops.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/groups.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Two groups of welded bodies and the motions between them: a joint of the tree or a closure.
struct Edge {
  std::string name;
  int a, b;          // groups; 0 is what stands with the world
  MatrixXd rows;     // forces that block motion, at the world's origin, scaled
  MatrixXd motions;  // columns per freedom, scaled; closures: none
  int v = -1;        // where its freedoms start; −1: a closure
};

/// Bodies and closures as a graph. Twists are [ω; v/length] at the world's origin.
class Linkage {
 public:
  explicit Linkage(ClosedWorkspace& work) : work_(work), system_(work.system()) {
    weld();
    for (const JointPlace& joint : system_.joints())
      if (joint.nv > 0 && joint.nv < 6) add_joint(joint);  // six freedoms join nothing
    for (const ClosurePlace& c : system_.closures())
      if (c.kind != PairKind::gear && c.rows > 0 && c.rows < 6) add_closure(c);
    at_group_.resize(system_.model().bodies.size() + 1);
    for (std::size_t e = 0; e < edges_.size(); ++e)
      for (const int g : {edges_[e].a, edges_[e].b})
        at_group_[at(g)].push_back(static_cast<int>(e));
  }

  std::vector<Mobility::Idle> find() {
    for (std::size_t g = 1; g < at_group_.size(); ++g)
      if (group_[g] == static_cast<int>(g) && at_group_[g].size() >= 2) test({static_cast<int>(g)});
    for (std::size_t g = 1; g < at_group_.size(); ++g)
      if (at_group_[g].size() == 2) follow_chain(static_cast<int>(g));
    return std::move(found_);
  }

 private:
  void weld() {
    Groups groups(system_.model().bodies.size() + 1);
    for (const JointPlace& joint : system_.joints())
      if (joint.nv == 0) groups.join(at(joint.parent + 1), at(joint.child + 1));
    for (const ClosurePlace& c : system_.closures())
      if (c.kind != PairKind::gear && c.rows == 6) groups.join(at(c.body_a + 1), at(c.body_b + 1));
    for (std::size_t b = 0; b <= system_.model().bodies.size(); ++b)
      group_.push_back(static_cast<int>(groups.root(b)));
  }

  void add_joint(const JointPlace& joint) {
    const auto& s = work_.tree().scratch();
    Edge edge{joint.name, group_[at(joint.parent + 1)], group_[at(joint.child + 1)], {}, {},
              joint.v};
    if (edge.a == edge.b) return;
    edge.motions.resize(6, joint.nv);
    for (int k = joint.node; k != 0; k = system_.tree().nodes[at(k)].parent) {
      const Node<double>& n = system_.tree().nodes[at(k)];
      if (n.v < joint.v || n.v >= joint.v + joint.nv) break;
      for (int i = 0; i < n.d; ++i)
        edge.motions.col(n.v - joint.v + i) = to_scaled(s.column(n.freedom + i));
    }
    const Eigen::FullPivLU<MatrixXd> lu(edge.motions.transpose());
    edge.rows = lu.kernel().transpose();
    if (lu.dimensionOfKernel() == 0) edge.rows.resize(0, 6);
    edges_.push_back(std::move(edge));
  }
  void add_closure(const ClosurePlace& c) {
    const auto& s = work_.tree().scratch();
    Edge edge{c.name, group_[at(c.body_a + 1)], group_[at(c.body_b + 1)], {}, {}, -1};
    if (edge.a == edge.b) return;
    Meeting<double> m;
    m.X = relative_pose(c, s.pose[at(c.node_a)], s.pose[at(c.node_b)]);
    const Pose tip = s.pose[at(c.node_b)] * c.at_b;
    edge.rows.resize(c.rows, 6);
    for (int i = 0; i < c.rows; ++i) {
      const Force f = to_parent(tip, row_of(c, m, i).W);
      edge.rows.row(i) << to_eigen(f.moment).transpose() / work_.dense().length,
          to_eigen(f.force).transpose();
    }
    edges_.push_back(std::move(edge));
  }
  [[nodiscard]] VectorXd to_scaled(const Motion& m) const {
    VectorXd out(6);
    out << to_eigen(m.angular), to_eigen(m.linear) / work_.dense().length;
    return out;
  }

  /// Chains of bodies with two joints each, from one end on.
  void follow_chain(int first) {
    constexpr std::size_t longest = 4;
    std::vector<int> chain{first};
    for (int edge = at_group_[at(first)].back(); chain.size() < longest;) {
      const Edge& e = edges_[at(edge)];
      const int next = e.a == chain.back() ? e.b : e.a;
      if (next == 0 || at_group_[at(next)].size() != 2 ||
          std::find(chain.begin(), chain.end(), next) != chain.end())
        return;
      chain.push_back(next);
      test(chain);
      edge = at_group_[at(next)].front() == edge ? at_group_[at(next)].back()
                                                 : at_group_[at(next)].front();
    }
  }

  /// Whether these groups, as one rigid body, can move while all others rest.
  void test(const std::vector<int>& chain) {
    const auto inside = [&](int g) {
      return std::find(chain.begin(), chain.end(), g) != chain.end();
    };
    std::vector<int> border;
    for (const int g : chain)
      for (const int e : at_group_[at(g)])
        if (inside(edges_[at(e)].a) != inside(edges_[at(e)].b)) border.push_back(e);
    Index count = 0;
    for (const int e : border) count += edges_[at(e)].rows.rows();
    MatrixXd rows(count, 6);
    count = 0;
    for (const int e : border) {
      rows.middleRows(count, edges_[at(e)].rows.rows()) = edges_[at(e)].rows;
      count += edges_[at(e)].rows.rows();
    }
    MatrixXd V = MatrixXd::Identity(6, 6);
    Index rank = 0;
    if (rows.rows() > 0) {  // free joints bind nothing
      Eigen::JacobiSVD<MatrixXd> svd(rows, Eigen::ComputeFullV);
      svd.setThreshold(rank_threshold);
      V = svd.matrixV(), rank = svd.rank();
    }
    for (Index i = rank; i < 6; ++i) keep(chain, border, V.col(i), inside);
  }
  template <class Inside>
  void keep(const std::vector<int>& chain, const std::vector<int>& border, const VectorXd& twist,
            const Inside& inside) {
    VectorXd v = VectorXd::Zero(system_.nv());
    Mobility::Idle idle;
    for (const int e : border) {
      const Edge& edge = edges_[at(e)];
      idle.joints.push_back(edge.name);
      if (edge.v < 0) continue;
      const VectorXd rates = edge.motions.colPivHouseholderQr().solve(twist);
      v.segment(edge.v, rates.size()) = inside(edge.b) ? rates : VectorXd(-rates);
    }
    const DenseLoops& d = work_.dense();
    const double size = v.cwiseQuotient(d.column_scale).norm();
    if (size == 0) return;
    v /= size;
    // Gears may still forbid it, and it may be known already.
    if ((d.row_scale.asDiagonal() * (d.J * v)).norm() > 1e2 * rank_threshold) return;
    VectorXd left = v.cwiseQuotient(d.column_scale);
    for (const VectorXd& known : known_) left -= known.dot(left) * known;
    if (left.norm() < 1e-4) return;
    known_.push_back(left.normalized());
    for (std::size_t b = 1; b < group_.size(); ++b)
      if (std::find(chain.begin(), chain.end(), group_[b]) != chain.end())
        idle.bodies.push_back(system_.model().bodies[b - 1].name);
    found_.push_back(std::move(idle));
  }

  ClosedWorkspace& work_;
  const System& system_;
  std::vector<int> group_;  // of every body, the world first
  std::vector<Edge> edges_;
  std::vector<std::vector<int>> at_group_;
  std::vector<VectorXd> known_;
  std::vector<Mobility::Idle> found_;
};

}  // namespace

std::vector<Mobility::Idle> find_idle(ClosedWorkspace& work) { return Linkage(work).find(); }

}  // namespace linkwright::closure
