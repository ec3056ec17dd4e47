#pragma once
/// The regressor of many states at once, on several threads.
///
///     linkwright::coordinates::RegressorBatch batch(regressor, {.threads = 2});
///     Eigen::MatrixXd Y(system.nv() * regressor.size(), q.rows()), rest(system.nv(), q.rows());
///     batch.compute(q, v, a, Y, rest);                 // q, v, a: one row per state
///     Eigen::Map<Eigen::MatrixXd> third(Y.col(2).data(), system.nv(), regressor.size());
///
/// What goes in has one row per state, as in batch/batch.hpp; what comes out one column per state. States that the
/// function for one state refuses get NaN and are listed in the report. The bits are those of one state, for every
/// number of threads.

#include "linkwright/batch/batch.hpp"
#include "linkwright/coordinates/regressor.hpp"

namespace linkwright::coordinates {

class RegressorBatch {
 public:
  using In = Eigen::Ref<const Eigen::MatrixXd>;
  using Out = Eigen::Ref<Eigen::MatrixXd>;

  /// The regressor must outlive the batch. Of a system with closures its spanning tree is meant, and
  /// options.closures must say so.
  explicit RegressorBatch(const Regressor& regressor, BatchOptions options = {});
  explicit RegressorBatch(Regressor&&, BatchOptions = {}) = delete;
  ~RegressorBatch();
  RegressorBatch(const RegressorBatch&) = delete;
  RegressorBatch& operator=(const RegressorBatch&) = delete;

  [[nodiscard]] int threads() const;
  /// Y: nv · size rows, the columns of one state's matrix under each other; rest: nv rows.
  BatchReport compute(const In& q, const In& v, const In& a, Out Y, Out rest);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace linkwright::coordinates
