// The cone solver: CSDP, COIN-OR's interior-point method for semidefinite programmes. A second-order cone is
// the linear matrix inequality [s0 s̄ᵀ; s̄ s0 I] ⪰ 0, and one of three numbers, a friction cone, is exactly
// the cone of 2×2 matrices [s0+s1 s2; s2 s0−s1] ⪰ 0 (Han, Trinkle, Li 2000). CSDP solves
//
//     max tr(C X), tr(A_i X) = a_i, X ⪰ 0        min aᵀ y, Z = Σ y_i A_i − C ⪰ 0
//
// x is its y, a the cost, Z the matrices of A x + b, and X gives the prices. Its easy entry would read a file
// of parameters where the program happens to stand and print to stdout, so its parts are called one by one.

#include "manipulator/cones/cone_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

extern "C" {
#include <csdp/declarations.h>
}

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// One entry of a symmetric block: numbered from 1, i ≤ j.
struct Entry {
  int i, j;
  double value;
};

/// What one number of a condition's vector is in its matrix.
std::vector<Entry> entries_of(ConeCondition::Kind kind, Index size, Index row, double value) {
  const int k = static_cast<int>(row) + 1, n = static_cast<int>(size);
  if (kind == ConeCondition::Kind::nonnegative) return {{k, k, value}};
  if (n == 3) {
    if (row == 0) return {{1, 1, value}, {2, 2, value}};
    if (row == 1) return {{1, 1, value}, {2, 2, -value}};
    return {{1, 2, value}};
  }
  if (row > 0) return {{1, k, value}};
  std::vector<Entry> diagonal;
  for (int i = 1; i <= n; ++i) diagonal.push_back({i, i, value});
  return diagonal;
}

int order_of(const ConeCondition& condition) {
  const int n = static_cast<int>(condition.b.size());
  return condition.kind == ConeCondition::Kind::second_order && n == 3 ? 2 : n;
}

/// Memory in CSDP's way: counted from 1, freed by free().
template <class T>
T* numbers(std::size_t count) {
  return static_cast<T*>(std::calloc(count + 1, sizeof(T)));
}

/// A block-diagonal matrix with the shape of the conditions.
class Blocks {
 public:
  explicit Blocks(const std::vector<ConeCondition>& conditions) {
    matrix.nblocks = static_cast<int>(conditions.size());
    matrix.blocks = numbers<blockrec>(conditions.size());
    for (std::size_t k = 0; k < conditions.size(); ++k) {
      blockrec& block = matrix.blocks[k + 1];
      const int n = order_of(conditions[k]);
      block.blocksize = n;
      const auto size = static_cast<std::size_t>(n);
      if (conditions[k].kind == ConeCondition::Kind::nonnegative) {
        block.blockcategory = DIAG;
        block.data.vec = numbers<double>(size);
      } else {
        block.blockcategory = MATRIX;
        block.data.mat = numbers<double>(size * size);
      }
    }
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
  ~Blocks() { free_mat(matrix); }

  void add(int block, const Entry& e) {
    blockrec& b = matrix.blocks[block];
    if (b.blockcategory == DIAG) {
      b.data.vec[e.i] += e.value;
      return;
    }
    b.data.mat[ijtok(e.i, e.j, b.blocksize)] += e.value;
    if (e.i != e.j) b.data.mat[ijtok(e.j, e.i, b.blocksize)] += e.value;
  }
  [[nodiscard]] double entry(int block, int i, int j) const {
    const blockrec& b = matrix.blocks[block];
    if (b.blockcategory == DIAG) return i == j ? b.data.vec[i] : 0;
    return b.data.mat[ijtok(i, j, b.blocksize)];
  }

  blockmatrix matrix{};
};

/// The adjoint of entries_of: tr(E X) for the matrix E of one number.
double price(const Blocks& X, int block, ConeCondition::Kind kind, Index size, Index row) {
  double sum = 0;
  for (const Entry& e : entries_of(kind, size, row, 1))
    sum += (e.i == e.j ? 1 : 2) * e.value * X.entry(block, e.i, e.j);
  return sum;
}

/// The matrices A_i, linked as CSDP wants them.
class Constraints {
 public:
  Constraints(const ConeProgram& program)
      : count_(static_cast<int>(program.cost.size())),
        list(numbers<constraintmatrix>(program.cost.size() + 1U)),
        by_block(program.conditions.size() + 1, nullptr) {
    std::vector<sparseblock*> last(program.conditions.size(), nullptr);
    for (int i = 1; i <= count_; ++i) {
      sparseblock* previous = nullptr;
      for (std::size_t k = 0; k < program.conditions.size(); ++k) {
        sparseblock* block = make(program.conditions[k], i, static_cast<int>(k) + 1);
        if (block == nullptr) continue;
        (previous != nullptr ? previous->next : list[i].blocks) = block;
        (last[k] != nullptr ? last[k]->nextbyblock : by_block[k + 1]) = block;
        previous = last[k] = block;
      }
    }
  }
  Constraints(const Constraints&) = delete;
  Constraints& operator=(const Constraints&) = delete;
  ~Constraints() {
    for (int i = 1; i <= count_; ++i) release(list[i].blocks);
    std::free(list);
  }
  static void release(sparseblock* block) {
    while (block != nullptr) {
      sparseblock* next = block->next;
      std::free(block->entries), std::free(block->iindices), std::free(block->jindices);
      std::free(block);
      block = next;
    }
  }

 private:
  static sparseblock* make(const ConeCondition& condition, int variable, int number) {
    std::vector<Entry> all;
    for (Index row = 0; row < condition.b.size(); ++row) {
      const double value = condition.A(row, variable - 1);
      if (value == 0) continue;
      for (const Entry& e : entries_of(condition.kind, condition.b.size(), row, value)) {
        const auto same = std::find_if(all.begin(), all.end(),
                                       [&e](const Entry& o) { return o.i == e.i && o.j == e.j; });
        if (same == all.end())
          all.push_back(e);
        else
          same->value += e.value;
      }
    }
    if (all.empty()) return nullptr;
    auto* block = static_cast<sparseblock*>(std::calloc(1, sizeof(sparseblock)));
    block->entries = numbers<double>(all.size());
    block->iindices = numbers<int>(all.size());
    block->jindices = numbers<int>(all.size());
    block->numentries = static_cast<int>(all.size());
    block->blocknum = number, block->blocksize = order_of(condition);
    block->constraintnum = variable, block->issparse = 1;
    for (std::size_t k = 0; k < all.size(); ++k) {
      block->entries[k + 1] = all[k].value;
      block->iindices[k + 1] = all[k].i, block->jindices[k + 1] = all[k].j;
    }
    return block;
  }

  int count_;

 public:
  constraintmatrix* list;
  std::vector<sparseblock*> by_block;  // counted from 1 as well
};

/// All the room that CSDP works in.
struct Room {
  Room(int n, int k, const blockmatrix& shape)
      : vectors(14, std::vector<double>(static_cast<std::size_t>(std::max(n, k)) + 2)),
        system(static_cast<std::size_t>((k + 1) * (k + 1))) {
    for (blockmatrix* m : {&work1, &work2, &work3, &Zi, &dZ, &dX}) alloc_mat(shape, m);
    for (blockmatrix* m : {&best_x, &best_z, &chol_x, &chol_z}) alloc_mat_packed(shape, m);
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() {
    for (const blockmatrix& m : {work1, work2, work3, Zi, dZ, dX}) free_mat(m);
    for (const blockmatrix& m : {best_x, best_z, chol_x, chol_z}) free_mat_packed(m);
    Constraints::release(fill.blocks);
  }
  double* vector(int i) { return vectors[static_cast<std::size_t>(i)].data(); }

  blockmatrix work1{}, work2{}, work3{}, Zi{}, dZ{}, dX{}, best_x{}, best_z{}, chol_x{}, chol_z{};
  constraintmatrix fill{};
  std::vector<std::vector<double>> vectors;
  std::vector<double> system;
};

/// As CSDP's own, but closer: the problems are tiny.
paramstruc parameters() {
  paramstruc p{};
  p.axtol = p.atytol = p.objtol = cone_tolerance;
  p.pinftol = p.dinftol = 1e8;
  p.maxiter = 200;
  p.minstepfrac = 0.9, p.maxstepfrac = 0.97, p.minstepp = p.minstepd = 1e-8;
  p.usexzgap = 1, p.tweakgap = 0, p.affine = 0;
  p.perturbobj = 0, p.fastmode = 0;
  return p;
}

constexpr int partial_success = 3;

ConeSolution::Outcome outcome_of(int code) {
  if (code == 0 || code == partial_success) return ConeSolution::Outcome::solved;
  if (code == 2) return ConeSolution::Outcome::infeasible;  // of the inequality form, which is ours
  if (code == 1) return ConeSolution::Outcome::unbounded;
  return ConeSolution::Outcome::failed;
}

}  // namespace

ConeSolution solve(const ConeProgram& program) {
  const int k = static_cast<int>(program.cost.size());
  int n = 0;
  for (const ConeCondition& c : program.conditions) n += order_of(c);
  Blocks C(program.conditions);
  for (std::size_t b = 0; b < program.conditions.size(); ++b) {
    const ConeCondition& c = program.conditions[b];
    for (Index row = 0; row < c.b.size(); ++row)
      for (const Entry& e : entries_of(c.kind, c.b.size(), row, -c.b[row]))
        C.add(static_cast<int>(b) + 1, e);
  }
  Constraints constraints(program);
  std::vector<double> a(static_cast<std::size_t>(k) + 1);
  for (int i = 0; i < k; ++i) a[static_cast<std::size_t>(i) + 1] = program.cost[i];

  Room room(n, k, C.matrix);
  makefill(k, C.matrix, constraints.list, &room.fill, room.work1, 0);
  sort_entries(k, C.matrix, constraints.list);
  Blocks X(program.conditions), Z(program.conditions);
  double* y = nullptr;
  {
    blockmatrix x0{}, z0{};
    initsoln(n, k, C.matrix, a.data(), constraints.list, &x0, &y, &z0);
    std::swap(X.matrix, x0), std::swap(Z.matrix, z0);
    free_mat(x0), free_mat(z0);
  }
  double primal = 0, dual = 0;
  const int code =
      sdp(n, k, C.matrix, a.data(), 0, constraints.list, constraints.by_block.data(), room.fill,
          X.matrix, y, Z.matrix, room.chol_x, room.chol_z, &primal, &dual, room.work1, room.work2,
          room.work3, room.vector(0), room.vector(1), room.vector(2), room.vector(3),
          room.vector(4), room.vector(5), room.vector(6), room.vector(7), room.vector(8),
          room.best_x, room.vector(9), room.best_z, room.Zi, room.system.data(), room.vector(10),
          room.dZ, room.dX, room.vector(11), room.vector(12), room.vector(13), 0, parameters());
  ConeSolution solution;
  solution.outcome = outcome_of(code), solution.rough = code == partial_success;
  solution.x = Eigen::Map<const VectorXd>(y + 1, k);
  std::free(y);
  double proved = 0;
  for (std::size_t b = 0; b < program.conditions.size(); ++b) {
    const ConeCondition& c = program.conditions[b];
    VectorXd z(c.b.size());
    for (Index row = 0; row < z.size(); ++row)
      z[row] = price(X, static_cast<int>(b) + 1, c.kind, c.b.size(), row);
    proved -= c.b.dot(z);
    solution.prices.push_back(std::move(z));
  }
  solution.gap = program.cost.dot(solution.x) - proved;
  return solution;
}

}  // namespace linkwright::manipulator
