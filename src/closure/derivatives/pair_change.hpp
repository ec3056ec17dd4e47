#pragma once
/// What one closure demands and carries, and how both change when the motion of its frames does: linear maps.
///
/// Given    X, V, V̇ of b in a (PairMotion); λ in its rows, efforts at its freedoms
/// Computes rows W, closing rows w, the force on b  F = Σ λ W + Σ e w,  e = efforts − rotor · (w · V̇ + ẇ · V),
///          and for a change (ξ, δV, δV̇) of the motion, X → X exp ξ, at fixed λ
///            δ(W · V) = W · δV + y · ξ,    δ(W · V̇ + Ẇ · V) = W · δV̇ + z · δV + x · ξ,
///            δF = F_ξ ξ + F_V δV + F_A δV̇
/// Cost     O(1). Rows that are constant in b's or in a's axes in closed form, others by dual numbers through the
///          rows themselves, one per direction of ξ and of δV.

#include "closure/derivatives/pair_motion.hpp"
#include "linkwright/closure/meeting.hpp"

namespace linkwright::closure {

/// Rows, and the maps of their changes; six numbers each, of moment and force. Those of rows that are constant in b's
/// axes are zero and stay so: which rows these are does not change with the position.
struct RowMaps {
  double W[6][6]{};
  double y[6][6]{}, z[6][6]{}, x[6][6]{};
  double W_by_turn[6][3][6]{};  // W's own change per unit of ξ: turns
  double W_by_way[6][3][6]{};   // and ways
  bool vary = false;            // any W does

  [[nodiscard]] Force force(int i) const {
    return {{W[i][0], W[i][1], W[i][2]}, {W[i][3], W[i][4], W[i][5]}};
  }
};
struct PairRows {
  RowMaps rows, freedoms;  // that bind; of the closing freedoms
};
void find_rows(const ClosurePlace& place, const PairMotion& motion, PairRows& out);

/// The force on b, and the rows of the maps F_ξ, F_V and F_A, which nothing but `find_load` writes.
struct PairLoad {
  Force F{};
  double by_xi[6][6]{}, by_V[6][6]{}, by_A[6][6]{};
  bool varies = false;  // by anything at all
  bool drains = false;  // by V or A: dampers and rotors
};
/// `lambda`: one per row; `efforts`: one per freedom, without what rotors take.
void find_load(const ClosurePlace& place, const PairMotion& motion, const PairRows& rows,
               const double* lambda, const double* efforts, PairLoad& out);

/// Efforts of a pose's springs per unit of the displacement of its freedoms, in the order of its modes.
void pose_spring_stiffness(const ClosurePlace& place, const Pose& X, double (&out)[6][6]);

}  // namespace linkwright::closure
