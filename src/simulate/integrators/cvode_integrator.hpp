#pragma once
/// One CVODE integration of y = [q; v; extra states].
///
/// Under constraints the motion is π(y), the projection of y onto them, and y obeys ẏ = f(π(y)): the same
/// motion, continued off the constraints so that nothing drives y away from them. What is read is π(y); y
/// itself, off by the errors of its steps, is left alone, and so is what CVODE remembers of it.
/// (CVODE's own projection is for BDF only and changes y, which Adams' memory would not survive.)

#include <exception>
#include <string>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>

#include "simulate/integrators/integration.hpp"

namespace linkwright {

class CvodeIntegrator final : public Integration {
 public:
  CvodeIntegrator(Rates& rates, const FullState& start, Method method, double relative,
                  double absolute, double longest_step);
  ~CvodeIntegrator() override;

  void step(double end) override;
  void go_to(double t, double end) override;
  void interpolate(double t, FullState& out) override;
  void restart(const FullState& now) override;

  [[nodiscard]] Eigen::Ref<const Eigen::VectorXd> y() const override { return y_; }
  void read(FullState& out) const override { unpack(y_.data(), t_, out); }
  [[nodiscard]] long rejected() const override;

 private:
  /// Forgets the past; goes on from y itself.
  void restart();
  static int rates_of(realtype t, N_Vector y, N_Vector y_rate, void* self);
  static void keep_message(int code, const char* module, const char* function, char* message,
                           void* self);
  void choose_solver(Method method);
  void begin(const FullState& now);
  void check(int flag) const;
  void unpack(const double* y, double t, FullState& out) const;
  int evaluate(double t, const double* y, double* y_rate);

  Rates* rates_;
  double t_ = 0;
  Eigen::VectorXd y_, dense_, a_, extra_rates_;
  FullState at_;
  SUNContext context_ = nullptr;
  N_Vector vector_ = nullptr, dense_vector_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver nonlinear_ = nullptr;
  void* memory_ = nullptr;
  long rejected_before_ = 0;            // counted before the last restart
  mutable std::exception_ptr trouble_;  // what a callback threw
  std::string message_;
};

}  // namespace linkwright
