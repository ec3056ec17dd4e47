#pragma once
/// One IDA integration of the descriptor form E(x) ẋ = f(t, x, u).

#include <exception>
#include <string>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>

#include "linkwright/simulate/descriptor_form.hpp"
#include "simulate/integrators/integration.hpp"

namespace linkwright {

class IdaIntegrator final : public Integration {
 public:
  IdaIntegrator(Rates& rates, const FullState& start, double relative, double absolute,
                double longest_step);
  ~IdaIntegrator() override;

  void step(double end) override;
  void go_to(double t, double end) override;
  void interpolate(double t, FullState& out) override;
  void restart(const FullState& now) override;

  [[nodiscard]] Eigen::Ref<const Eigen::VectorXd> y() const override {
    return x_.head(form_->state_count());
  }
  void read(FullState& out) const override { form_->read(t_, x_, out); }
  [[nodiscard]] long rejected() const override;
  void report(SimulationStatistics& statistics) const override {
    statistics.unknowns = form_->size();
    statistics.index = form_->index();
  }

 private:
  static int residual_of(realtype t, N_Vector x, N_Vector rate, N_Vector residual, void* self);
  static int jacobian_of(realtype t, realtype c, N_Vector x, N_Vector rate, N_Vector residual,
                         SUNMatrix jacobian, void* self, N_Vector, N_Vector, N_Vector);
  static void keep_message(int code, const char* module, const char* function, char* message,
                           void* self);
  void begin(const FullState& now);
  void set_tolerances();
  void restart();
  void solve(double goal, int task);
  void check(int flag) const;
  int evaluate(double t, const double* x, const double* rate, double* residual);
  int differentiate(double t, double c, const double* x, const double* rate, double** columns);

  Rates* rates_;
  std::unique_ptr<DescriptorForm> form_;
  double t_ = 0;
  Eigen::VectorXd x_, rate_, dense_;
  Eigen::VectorXd at_x_, at_rate_, base_;  // of the Newton matrix
  Eigen::VectorXd tolerance_, has_rate_;   // absolute, per variable; 1 or 0
  FullState at_;
  SUNContext context_ = nullptr;
  N_Vector vector_ = nullptr, rate_vector_ = nullptr, dense_vector_ = nullptr,
           tolerance_vector_ = nullptr, id_vector_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* memory_ = nullptr;
  long rejected_before_ = 0;  // counted before the last restart
  double relative_ = 0, absolute_ = 0;
  double begun_again_at_ = -std::numeric_limits<double>::infinity();
  mutable std::exception_ptr trouble_;  // what a callback threw
  std::string message_;
};

}  // namespace linkwright
