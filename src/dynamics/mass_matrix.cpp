#include "linkwright/dynamics/mass_matrix.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright {
namespace {

void factorize(Workspace& work, const ConstVectorRef& q) {
  const System& system = work.system();
  kernels().place(system.tree(), work.scratch(), q.data());
  kernels().factorize(system.tree(), work.scratch());
  door::check_articulated(work.system(), work.scratch());
}

}  // namespace

void compute_mass_matrix(Workspace& work, const ConstVectorRef& q, MatrixRef mass_matrix) {
  const System& system = work.system();
  door::check_position(system, q);
  door::check_output(mass_matrix, system.nv(), system.nv(), "mass_matrix");
  kernels().place(system.tree(), work.scratch(), q.data());
  kernels().mass_matrix(system.tree(), work.scratch(), mass_matrix.data(),
                        mass_matrix.outerStride());
}

void compute_mass_matrix(Workspace& work, const ConstVectorRef& q, MassMatrix& out) {
  const System& system = work.system();
  door::check_position(system, q);
  if (out.system_ != &system)
    throw Error(
        "the mass matrix is that of another system: its zeros need not be those of this one. Make "
        "one with MassMatrix(work.system())");
  kernels().place(system.tree(), work.scratch(), q.data());
  kernels().mass_matrix_lower(system.tree(), work.scratch(), out.lower_.data(), system.nv());
}

void compute_mass_matrix_solve(Workspace& work, const ConstVectorRef& q, const ConstVectorRef& x,
                               VectorRef out) {
  const System& system = work.system();
  door::check_position(system, q);
  door::check_velocity_like(system, x, "x");
  door::check_output(out.size(), system.nv(), "out");
  factorize(work, q);
  kernels().solve(system.tree(), work.scratch(), x.data(), out.data());
}

void compute_mass_matrix_inverse(Workspace& work, const ConstVectorRef& q, MatrixRef inverse) {
  const System& system = work.system();
  door::check_position(system, q);
  door::check_output(inverse, system.nv(), system.nv(), "inverse");
  factorize(work, q);
  const auto unit = work.spare();
  std::fill(unit.begin(), unit.end(), 0.0);
  for (int j = 0; j < system.nv(); ++j) {
    unit[static_cast<std::size_t>(j)] = 1;
    kernels().solve(system.tree(), work.scratch(), unit.data(), inverse.col(j).data());
    unit[static_cast<std::size_t>(j)] = 0;
  }
}

}  // namespace linkwright
