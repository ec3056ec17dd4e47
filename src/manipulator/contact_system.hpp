#pragma once
/// Ω λ = r over the rows of all contacts, dense or by its structure.
///
/// Given    the meetings of hands and objects, and of the tree either Θ = J 𝓜⁻¹ Jᵀ over all hands and objects
///          (operational_space) or its shares (operational_shares)
/// Computes Ω = Rᵀ Θ R, R what one unit of a row does to hand and object, and solutions of Ω λ = r
/// Equations  structured: Ω = D + U S Uᵀ with D block diagonal by contacts, U = −Rᵀ zᵀ and Rᵀ Aᵀ towards base and
///          object, S = diag(Λ_base, M⁻¹(C) …). With D = L Lᵀ, Y = L⁻¹ U (Woodbury's identity)
///            (1 + S YᵀY) w = S Yᵀ L⁻¹ r,   λ = L⁻ᵀ (L⁻¹ r − Y w)
///          which asks for no inverse of S: w are the accelerations that base and objects gain. D may be worse
///          conditioned than Ω, so that one step of refinement follows
/// Cost     O(ℓ) for a given number of objects (their blocks and the base's are solved as one matrix), and O(ℓ³)

#include "linkwright/closure/meeting.hpp"
#include "linkwright/closure/workspace.hpp"
#include "linkwright/manipulator/closed_chain.hpp"
#include "linkwright/operators/sweeps/operational_shares.hpp"
#include "manipulator/row_choice.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::manipulator {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// A hand on an object. Forces per unit of a row, on the object positive.
struct Contact {
  int arm = 0;
  const ClosurePlace* place = nullptr;
  int hand = 0, object = 0;  // places among the tips
  int core = 0;              // which of the objects' blocks of S
  bool on_world = false;     // the hand
  Pose at{};                 // the contact's frame in the object's
  closure::Meeting<double> meeting{};
  // By place_rows(): columns are forces, [moment; force], in the hand's frame, in the object's, on the
  // object's node; those beyond the last row are zero.
  Matrix6 on_hand = Matrix6::Zero(), on_object = on_hand, on_node = on_hand;
  // By factorize_structured(): six rows and columns throughout, those beyond the last row of the identity.
  Matrix6 D = Matrix6::Zero(), L = D;
  Matrix6 to_base = D, to_object = D;  // U, towards the base, towards the object
  Matrix6 Y_base = D, Y_object = D;    // L⁻¹ U

  [[nodiscard]] int rows() const { return place->rows; }
  [[nodiscard]] int row() const { return place->row; }
  /// Rows as forces on the object at its contact's frame, then what they are elsewhere.
  void place_rows();
};

class ContactSystem {
 public:
  ContactSystem(const System& system, std::vector<Contact> contacts, int objects, bool base_moves);

  std::vector<Contact> contacts;

  /// D = L Lᵀ and 1 + S YᵀY; false where a contact's rows cannot give way by its arm alone.
  [[nodiscard]] bool factorize_structured(const operators::OperationalShares<double>& shares,
                                          const std::vector<int>& tip_of_place, int meeting,
                                          const std::vector<int>& object_nodes);
  /// Ω, and its factors; where rows depend on others, those that do not.
  void factorize_dense(const Eigen::MatrixXd& Theta, const ConstVectorRef& q);
  /// r ← λ
  void solve(Eigen::VectorXd& r);
  /// Forces of least norm where rows were left out.
  void shorten(Eigen::VectorXd& lambda);

  void compute_omega(const Eigen::MatrixXd& Theta, MatrixRef out) const;
  /// Ω over all six directions of every contact.
  void compute_full_omega(const Eigen::MatrixXd& Theta, MatrixRef out) const;

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] OmegaSolve solved() const { return by_; }
  [[nodiscard]] ClosedWorkspace& closed() { return closed_; }

 private:
  void solve_structured(Eigen::VectorXd& r);
  void apply_inverse(Eigen::VectorXd& r);
  void subtract_omega(const Eigen::VectorXd& lambda, Eigen::VectorXd& r);
  void weigh_by_S();
  void solve_dense(Eigen::VectorXd& r);

  ClosedWorkspace closed_;  // for the rank of rows, where it is in doubt
  int rows_, rank_ = 0, objects_;
  bool base_moves_;
  OmegaSolve by_ = OmegaSolve::dense;
  RowChoice choice_;  // independent rows, where some are not
  Eigen::MatrixXd Omega_, L_, J_, S_, K_;
  Eigen::VectorXd y_, w_, permuted_;
  Eigen::PartialPivLU<Eigen::MatrixXd> core_;
};

}  // namespace linkwright::manipulator
