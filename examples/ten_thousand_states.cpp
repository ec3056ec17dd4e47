// Ten thousand states in one call: states stand side by side in the lanes of vectors, and the numbers are those of one call each.
//
//   example_ten_thousand_states [ROOT]      ROOT: the repository, default the current folder
#include <ctime>
#include <iostream>
#include <linkwright/linkwright.hpp>

namespace {

/// Of the processor, the shortest of three.
template <class Work>
double seconds(const Work& work) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t begin = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace linkwright;
  const std::string root = argc > 1 ? argv[1] : ".";
  const System system = compile(read_model(root + "/models/arm7.urdf"));
  const int states = 10000, nv = system.nv();

  // One row per state.
  Eigen::MatrixXd q(states, system.nq()), v(states, nv), a(states, nv), together(states, nv),
      alone(states, nv);
  Eigen::VectorXd one(system.nq());
  for (int s = 0; s < states; ++s) {
    compute_random(system, static_cast<std::uint64_t>(s), one);
    q.row(s) = one.transpose();
  }
  v.setRandom();
  a.setRandom();

  Batch batch(system);  // {.threads = 2} would halve it
  const double all = seconds([&] { batch.compute_inverse_dynamics(q, v, a, {}, together); });
  Workspace work(system);
  State state(system);
  Eigen::VectorXd rate(nv), tau(nv);
  const double singly = seconds([&] {
    for (int s = 0; s < states; ++s) {
      state.q = q.row(s).transpose();
      state.v = v.row(s).transpose();
      rate = a.row(s).transpose();
      compute_inverse_dynamics(work, state, rate, {}, tau);
      alone.row(s) = tau.transpose();
    }
  });
  std::cout << "states " << states << "\ntimes_faster " << singly / all << "\ndifference "
            << (together - alone).norm() / alone.norm() << '\n';
}
