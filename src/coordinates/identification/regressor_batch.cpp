#include "linkwright/coordinates/regressor_batch.hpp"

#include <limits>

#include "batch/arrays.hpp"
#include "batch/state_team.hpp"

namespace linkwright::coordinates {
namespace {

struct Own : BadStates {
  explicit Own(const System& system)
      : work(system), state(system), a(Eigen::VectorXd::Zero(system.nv())) {}
  Workspace work;
  State state;
  Eigen::VectorXd a;
};

}  // namespace

struct RegressorBatch::Engine {
  Engine(const Regressor& of, int threads) : regressor(of), team(threads, of.system()) {}
  const Regressor& regressor;
  StateTeam<Own> team;
};

RegressorBatch::RegressorBatch(const Regressor& regressor, BatchOptions options) {
  check_threads(options.threads);
  require_open(regressor.system(), options.closures,
               "BatchOptions with .closures = Closures::leave_out");
  engine_ = std::make_unique<Engine>(regressor, options.threads);
}
RegressorBatch::~RegressorBatch() = default;
int RegressorBatch::threads() const { return engine_->team.size(); }

BatchReport RegressorBatch::compute(const In& q, const In& v, const In& a, Out Y, Out rest) {
  const Regressor& regressor = engine_->regressor;
  const System& system = regressor.system();
  const Eigen::Index nv = system.nv(), states = q.rows();
  check_rows(q, states, system.nq(), "q");
  check_rows(v, states, nv, "v");
  check_rows(a, states, nv, "a");
  door::check_output(Y, nv * regressor.size(), states, "Y");
  door::check_output(rest, nv, states, "rest");
  const auto compute_state = [&](Own& own, int s) {
    own.state.q = q.row(s).transpose(), own.state.v = v.row(s).transpose();
    own.a = a.row(s).transpose();
    Eigen::Map<Eigen::MatrixXd> one(Y.col(s).data(), nv, regressor.size());
    regressor.compute(own.work, own.state, own.a, one, rest.col(s));
  };
  const auto refuse = [&](int s) {
    Y.col(s).setConstant(std::numeric_limits<double>::quiet_NaN());
    rest.col(s).setConstant(std::numeric_limits<double>::quiet_NaN());
  };
  return engine_->team.run(states, compute_state, refuse);
}

}  // namespace linkwright::coordinates
