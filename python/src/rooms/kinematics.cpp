// Frames, Jacobians, energy, momentum.
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include "batches.hpp"
#include "bindings.hpp"
#include "bounded.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "results.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

/// Rows of [R p; 0 1], one after the other.
void put(const Pose& pose, double* out) {
  const Matrix3& r = pose.rotation;
  const Vector3& p = pose.translation;
  const double rows[16] = {r.xx, r.xy, r.xz, p.x, r.yx, r.yy, r.yz, p.y,
                           r.zx, r.zy, r.zz, p.z, 0,    0,    0,    1};
  std::copy(rows, rows + 16, out);
}

Array frame_pose(PySystem& self, Numbers given_q, std::string_view frame, Count threads) {
  const System& system = self.system();
  Input q(given_q, "q", system.nq());
  const FrameId id = to_frame(system, frame);
  if (q.is_many()) return batch_frame_pose(self, q, id, threads);
  const Array out = Array::create({4, 4});
  const auto work = self.work();
  place(work->state, q, 0);
  work->state.v.setZero();
  compute_forward_kinematics(work->tree(), work->state, work->state.v);
  put(frame_pose(work->tree(), id), out.data());
  return out;
}

Array frame_velocity(PySystem& self, Numbers given_q, Numbers given_v, std::string_view frame,
                     std::string_view axes, Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  const FrameId id = to_frame(system, frame);
  const Axes in = to_axes(axes);
  return for_each_state(self, {&q, &v}, {6}, threads, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    compute_forward_kinematics(work.tree(), work.state, work.state.v);
    Vector(out, 6) = to_eigen(frame_velocity(work.tree(), id, in));
  });
}

Array frame_acceleration(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_a,
                         std::string_view frame, std::string_view axes, Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv()),
      a(given_a, "a", system.nv());
  const FrameId id = to_frame(system, frame);
  const Axes in = to_axes(axes);
  return for_each_state(self, {&q, &v, &a}, {6}, threads, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    compute_forward_kinematics(work.tree(), work.state, a.vector(s));
    Vector(out, 6) = to_eigen(frame_acceleration(work.tree(), id, in));
  });
}

Array jacobian(PySystem& self, Numbers given_q, std::string_view frame, std::string_view axes,
               Count threads) {
  const System& system = self.system();
  Input q(given_q, "q", system.nq());
  const FrameId id = to_frame(system, frame);
  const Axes in = to_axes(axes);
  if (q.is_many()) return batch_jacobian(self, q, id, in, threads);
  const Index nv = system.nv();
  return for_each_state(self, {&q}, {6, nv}, 1, [&](Work& work, Index s, double* out) {
    compute_jacobian(work.tree(), q.vector(s), id, in, Matrix(out, 6, nv));
  });
}

Array jacobian_rate_times_velocity(PySystem& self, Numbers given_q, Numbers given_v,
                                   std::string_view frame, std::string_view axes, Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  const FrameId id = to_frame(system, frame);
  const Axes in = to_axes(axes);
  return for_each_state(self, {&q, &v}, {6}, threads, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    Vector(out, 6) =
        to_eigen(compute_jacobian_rate_times_velocity(work.tree(), work.state, id, in));
  });
}

/// Kinetic, potential.
Array energy(PySystem& self, Numbers given_q, Numbers given_v, Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  return for_each_state(self, {&q, &v}, {2}, threads, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    const Energy found = self.is_closed() ? compute_energy(work.closed(), work.state)
                                          : compute_energy(work.tree(), work.state);
    out[0] = found.kinetic, out[1] = found.potential;
  });
}

Array momentum(PySystem& self, Numbers given_q, Numbers given_v, Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  return for_each_state(self, {&q, &v}, {6}, threads, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    const Momentum found = compute_momentum(work.tree(), work.state);
    Vector(out, 6) << to_eigen(found.angular), to_eigen(found.linear);
  });
}

Array com(PySystem& self, Numbers given_q, Count threads) {
  const Input q(given_q, "q", self.system().nq());
  return for_each_state(self, {&q}, {3}, threads, [&](Work& work, Index s, double* out) {
    place(work.state, q, s);
    work.state.v.setZero();
    Vector(out, 3) = to_eigen(compute_centre_of_mass(work.tree(), work.state).position);
  });
}

Array com_velocity(PySystem& self, Numbers given_q, Numbers given_v, Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  return for_each_state(self, {&q, &v}, {3}, threads, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    Vector(out, 3) = to_eigen(compute_centre_of_mass(work.tree(), work.state).velocity);
  });
}

// --- one computation, many readings ------------------------------------------------------------

/// Everything's place and motion at one state. Keeps a workspace of the system for itself.
struct Kinematics {
  Kinematics(PySystem& self, Numbers q, Numbers v, Numbers a)
      : system(self.shared()), work(self.work()) {
    place(self, work->state, q, v);
    compute_forward_kinematics(work->tree(), work->state, vector_or_zeros(a, "a", system->nv()));
  }
  [[nodiscard]] Workspace& tree() const { return work->tree(); }

  std::shared_ptr<const System> system;
  PySystem::Lease work;
};

std::unique_ptr<Kinematics> kinematics(PySystem& self, Numbers q, Numbers v, Numbers a) {
  return std::make_unique<Kinematics>(self, q, v, a);
}

Array pose_at(const Kinematics& k, FrameId frame) {
  const Array out = Array::create({4, 4});
  put(frame_pose(k.tree(), frame), out.data());
  return out;
}

Array pose_of(const Kinematics& k, std::string_view frame) {
  return pose_at(k, to_frame(*k.system, frame));
}

nb::dict poses_of(const Kinematics& k) {
  nb::dict all;
  for (const FramePlace& frame : k.system->frames())
    all[nb::str(frame.name.data(), frame.name.size())] =
        nb::cast(pose_at(k, k.system->frame(frame.name)));
  return all;
}

}  // namespace

void bind_kinematics(nb::module_& module, SystemClass& system) {
  nb::class_<Kinematics>(
      module, "Kinematics",
      "Where every frame is and how it moves at one state: computed once, read often.")
      .def("__repr__",
           [](const Kinematics& k) {
             return "Kinematics of " + std::to_string(k.system->frames().size()) +
                    " frames at one state: pose(frame), velocity(frame), acceleration(frame), "
                    "poses()";
           })
      .def("pose", &pose_of, "frame"_a, "The frame in the world, 4 x 4.")
      .def("poses", &poses_of, "{frame name: pose} of all frames.")
      .def(
          "velocity",
          [](const Kinematics& k, std::string_view frame, std::string_view axes) {
            return copy_of(frame_velocity(k.tree(), to_frame(*k.system, frame), to_axes(axes)));
          },
          "frame"_a, "axes"_a = "own", "[angular; linear] of the frame's origin.")
      .def(
          "acceleration",
          [](const Kinematics& k, std::string_view frame, std::string_view axes) {
            return copy_of(frame_acceleration(k.tree(), to_frame(*k.system, frame), to_axes(axes)));
          },
          "frame"_a, "axes"_a = "own", "[angular; linear], true, without gravity.");
  system.def("kinematics", &kinematics, "q"_a.none(), "v"_a = nb::none(), "a"_a = nb::none(),
             nb::keep_alive<0, 1>(),
             "Poses, velocities and accelerations of all frames at one state; v and a are zero "
             "where not given.");
  const auto threads = "threads"_a = 1;
  const auto axes = "axes"_a = "own";
  system
      .def("frame_pose", &frame_pose, "q"_a.none(), "frame"_a, nb::kw_only(), threads,
           "The frame in the world, 4 x 4: rotation and place. Arrays (K, nq) give (K, 4, 4).")
      .def("frame_velocity", &frame_velocity, "q"_a.none(), "v"_a.none(), "frame"_a, axes,
           nb::kw_only(), threads,
           "[angular; linear] of the frame's origin, in its own axes or the world's.")
      .def("frame_acceleration", &frame_acceleration, "q"_a.none(), "v"_a.none(), "a"_a.none(),
           "frame"_a, axes, nb::kw_only(), threads, "[angular; linear], true, without gravity.")
      .def("jacobian", &jacobian, "q"_a.none(), "frame"_a, axes, nb::kw_only(), threads,
           "6 x nv, [angular; linear]: the frame's velocity per unit of each freedom.")
      .def("jacobian_rate_times_velocity", &jacobian_rate_times_velocity, "q"_a.none(),
           "v"_a.none(), "frame"_a, axes, nb::kw_only(), threads,
           "The frame's acceleration while v is constant.")
      .def("_energy", &energy, "q"_a.none(), "v"_a.none(), "threads"_a)
      .def("momentum", &momentum, "q"_a.none(), "v"_a.none(), nb::kw_only(), threads,
           "[angular about the centre of mass; linear], in world axes.")
      .def("com", &com, "q"_a.none(), nb::kw_only(), threads, "Where the centre of mass is.")
      .def("com_velocity", &com_velocity, "q"_a.none(), "v"_a.none(), nb::kw_only(), threads,
           "How fast the centre of mass moves.");
}

}  // namespace linkwright::python
