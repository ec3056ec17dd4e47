#pragma once
/// The paper's four algorithms as operator expressions, on any scalar.

#include "linkwright/operators/forward_dynamics.hpp"

namespace linkwright::operators {

/// The paper's given quantities as stacked vectors.
template <class T>
struct Given {
  Stacked<Space::link_motion, T> a;   // bias accelerations
  Stacked<Space::link_force, T> b;    // bias forces, less the external ones
  Stacked<Space::base_motion, T> g;   // −gravity, as an acceleration of the world (3.21)
  Stacked<Space::tip_motion, T> a_0;  // bias accelerations of the frames, plus gravity
  Stacked<Space::joint_effort, T> T_;
};
/// What is found; FD2 alone writes the last two.
template <class T>
struct Wanted {
  T *accelerations, *link, *tip;
};

inline namespace LINKWRIGHT_ISA {

template <class T>
void fd1(Evaluation<T>& e, const Given<T>& x, const Wanted<T>& y) {
  T* room = e.take(e.size(Space::joint_effort));
  const Stacked<Space::joint_effort, T> T_free{room};
  evaluate(e, x.T_ - H * phi * (M * (transpose(phi) * (x.a + E * x.g)) + x.b), room);  // (4.17)
  evaluate(e, transpose(I - H * Psi * L) * inverse(D) * (I - H * Psi * L) * T_free,    // (4.18)
           y.accelerations);
}
template <class T>
void fd2(Evaluation<T>& e, const Given<T>& x, const Wanted<T>& y) {
  T *room = e.take(e.size(Space::joint_effort)), *rate = e.take(e.size(Space::joint_rate));
  const Stacked<Space::joint_effort, T> T_free{room};
  const Stacked<Space::joint_rate, T> nu{rate};
  const Stacked<Space::link_motion, T> alpha{y.link};
  evaluate(e, x.T_ - H * phi * (M * (transpose(phi) * (x.a + E * x.g)) + x.b), room);  // (5.5)
  evaluate(e, inverse(D) * (I - H * Psi * L) * T_free, rate);
  evaluate(e, assign_to(y.accelerations, transpose(I - H * Psi * L) * nu),
           assign_to(y.link, transpose(psi) * transpose(H) * nu +
                                 transpose(phi) * (x.a + E * x.g)),  // (5.6)
           assign_to(y.tip, transpose(B) * alpha + x.a_0));          // (5.7)
}
template <class T>
void fd3(Evaluation<T>& e, const Given<T>& x, const Wanted<T>& y) {
  T *motion = e.take(e.size(Space::link_motion)), *effort = e.take(e.size(Space::joint_effort));
  const Stacked<Space::link_motion, T> zeta{motion};
  const Stacked<Space::joint_effort, T> eps{effort};
  evaluate(e, transpose(phi) * (x.a + E * x.g), motion);                        // (5.8)
  evaluate(e, x.T_ - H * psi * (S * L * x.T_ + M * zeta + x.b), effort);        // (5.9)
  evaluate(e, transpose(I - H * Psi * L) * inverse(D) * eps, y.accelerations);  // (5.10)
}
/// The sweep for the velocities (5.13), which makes a and b, has run.
template <class T>
void fd4(Evaluation<T>& e, const Given<T>& x, const Wanted<T>& y) {
  T* rate = e.take(e.size(Space::joint_rate));
  const Stacked<Space::joint_rate, T> nu{rate};
  const auto a = x.a + E * x.g;
  evaluate(e, inverse(D) * ((I - H * Psi * L) * x.T_ - H * (psi_tilde * (P * a) + psi * x.b)),
           rate);  // (5.14)
  evaluate(e,
           nu - transpose(L) * (transpose(Psi) * (transpose(H) * nu + transpose(I - G * H) * a)) -
               transpose(G) * a,  // (5.15)
           y.accelerations);
}

template <class T>
void run(Algorithm which, Evaluation<T>& e, const Given<T>& x, const Wanted<T>& y) {
  switch (which) {
    case Algorithm::FD1:
      return fd1(e, x, y);
    case Algorithm::FD2:
      return fd2(e, x, y);
    case Algorithm::FD3:
      return fd3(e, x, y);
    case Algorithm::FD4:
      return fd4(e, x, y);
  }
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::operators
