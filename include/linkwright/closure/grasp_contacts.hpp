#pragma once
/// Contacts of grasps: what they carry, how far they are from letting go, and how hand and object are
/// turned against each other.
///
///     compute_forward_dynamics(work, state, tau, {}, a);
///     std::vector<linkwright::ContactForce> carried(system.model().grasps.size());
///     contact_forces(work, carried);
///     if (carried[0].margin < 0) fmt::print("{}\n", describe_loss(system, 0, carried[0]));
///
/// A grasp with friction is one-sided: the hand pushes along the normal and holds by friction. Its margin,
/// in newtons, is what the force along the surface may grow by before it slips,
///     margin = friction · normal − max(tangential, (friction / torsion) |moment|),
/// the second where a soft finger has a torsion: its moment counts as the force along the surface that is
/// as near to its limit. Positive inside the cone, negative where the contact would have to pull, slide or
/// twist. Without friction a contact holds both ways, and its margin is infinite.
/// Where rows are redundant the forces, and so the margins, are those of least norm (closure/dynamics.hpp).

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/spatial/spatial.hpp"

namespace linkwright {

/// What the hand applies to the object.
struct ContactForce {
  double normal = 0;      ///< along the normal, into the object; below 0 it would have to pull
  double tangential = 0;  ///< along the surface, its size
  double moment = 0;      ///< about the normal
  double margin = std::numeric_limits<double>::infinity();
};

/// How a contact lets go.
enum class ContactLoss { opens, slips, twists };
/// "opens", "slips", "twists".
std::string_view to_string(ContactLoss loss);

/// By the formula above, from the other three numbers.
double contact_margin(const Grasp& grasp, const ContactForce& carried);
/// Of a force of closure_forces at the contact.
ContactForce to_contact_force(const Grasp& grasp, const Force& force);
/// What gives way first; `nothing` is a force that counts as none.
ContactLoss find_loss(const Grasp& grasp, const ContactForce& carried, double nothing = 0);
/// The least normal force under which the contact would hold what it carries along the surface and about
/// the normal; infinite without any friction.
double holding_force(const Grasp& grasp, const ContactForce& carried);

/// Whether a grasp is one-sided, and whether it lets hand and object turn against each other.
inline bool is_one_sided(const Grasp& grasp) { return grasp.friction.has_value(); }
inline bool lets_turn(const Grasp& grasp) { return grasp.contact != Grasp::Contact::rigid; }

/// Where a grasp stands in System::closures.
int grasp_closure(const System& system, int grasp);

/// After compute_forward_dynamics: what every grasp of the model carries.
void contact_forces(ClosedWorkspace& work, std::span<ContactForce> out);

/// The contact coordinates: the attitude of every grasp's contact frame on the object in the frame of its
/// arm, of the two quaternions the one with w ≥ 0. They follow from q and are not integrated. Of a soft
/// finger, which turns about two directions at a time, they reach every attitude.
void compute_contact_attitudes(ClosedWorkspace& work, const ConstVectorRef& q,
                               std::span<Quaternion> out);

/// "contact 'left' slips: it carries 12 N along the surface, and 20 N on it hold 10 N (margin -2 N). A
/// normal force of 24 N would hold it, 4 N more".
std::string describe_loss(const System& system, int grasp, const ContactForce& carried,
                          double nothing = 0);

/// The system without some of its grasps, `left_out` one mark per grasp: joints, coordinates and closures
/// are the same.
System leave_out_grasps(const System& system, std::span<const char> left_out);

}  // namespace linkwright
