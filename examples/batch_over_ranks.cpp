// A batch of states split over ranks, as an MPI program does it: each rank answers for its slice of the states, and the
// slices together are the whole, bit for bit. Without MPI one process plays all ranks in turn.
//
//   example_batch_over_ranks [ROOT]      ROOT: the repository, default the current folder
//   mpiexec -n 4 example_batch_over_ranks ROOT      each process is one rank; the numbers are those of its own slice
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <linkwright/linkwright.hpp>
#include <string>

namespace {

struct Slice {
  Eigen::Index first, count;
};

/// As even as can be: the first ranks have one more where it does not come out even.
Slice slice_of(Eigen::Index states, int rank, int ranks) {
  const Eigen::Index each = states / ranks, more = states % ranks;
  return {rank * each + std::min<Eigen::Index>(rank, more), each + (rank < more ? 1 : 0)};
}

/// What the launcher tells (Open MPI, MPICH); MPI_Comm_rank and MPI_Comm_size in a program that uses MPI.
int told(const char* one, const char* other, int otherwise) {
  for (const char* name : {one, other})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string root = argc > 1 ? argv[1] : ".";
  const linkwright::System system =
      linkwright::compile(linkwright::read_model(root + "/models/arm7.urdf"));
  constexpr Eigen::Index states = 1003;
  const int nq = system.nq(), nv = system.nv();
  // A row per state; every rank draws the same ones, and of files it would read its own rows.
  Eigen::MatrixXd q(states, nq), v = Eigen::MatrixXd::Ones(states, nv), a(states, nv);
  const Eigen::MatrixXd tau = Eigen::MatrixXd::Zero(states, nv);
  Eigen::VectorXd one(nq);
  for (Eigen::Index s = 0; s < states; ++s) {
    compute_random(system, static_cast<std::uint64_t>(s), one);
    q.row(s) = one.transpose();
  }

  linkwright::Batch batch(system);
  const auto answer_slice = [&](const Slice& slice) {
    const auto rows = [&slice](auto& of) { return of.middleRows(slice.first, slice.count); };
    batch.compute_forward_dynamics(rows(q), rows(v), rows(tau), {},
                                   rows(a));  // views: nothing is copied
  };
  const int ranks = told("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1);
  if (ranks > 1) {
    const Slice mine = slice_of(states, told("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0), ranks);
    answer_slice(mine);  // then MPI_Gatherv, or each rank writes its rows
    std::cout << "first " << mine.first << "\nstates " << mine.count << '\n';
    return 0;
  }
  constexpr int played = 5;
  Eigen::Index answered = 0;
  for (int rank = 0; rank < played; ++rank) {
    const Slice slice = slice_of(states, rank, played);
    answer_slice(slice);
    answered += slice.count;
  }
  Eigen::MatrixXd whole(states, nv);
  batch.compute_forward_dynamics(q, v, tau, {}, whole);
  std::cout << "ranks " << played << "\nstates " << answered << "\ndifferent_numbers "
            << (a.array() != whole.array()).count() << '\n';
}
