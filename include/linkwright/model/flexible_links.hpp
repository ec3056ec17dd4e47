#pragma once
/// Links that bend, twist and stretch: a beam becomes a chain of rigid pieces on virtual elastic
/// joints, which every other part of the library treats like any joint with a spring.
///
///     linkwright::FlexibleLink boom{.body = "boom", .along = {2, 0, 0}, .E = 7e10, .G = 2.6e10};
///     boom.density = 2700, boom.elements = 8, boom.damping_ratio = 0.01;
///     boom.section = {.width = 0.05, .height = 0.01};
///     const linkwright::System system = compile(linkwright::to_elastic_chains(model, {boom}));

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// The cross-section of a beam whose x axis runs along it.
struct BeamSection {
  enum class Shape { rectangle, circle, tube };
  Shape shape = Shape::rectangle;
  double width = 0, height = 0;         ///< rectangle: along the beam's y and z
  double radius = 0, inner_radius = 0;  ///< circle; tube
};

/// A body that is a beam, by material and section or by stiffness and mass per length.
struct FlexibleLink {
  enum class Bending { both, y, z };
  std::string body{};
  Vector3 from{};   ///< where the beam begins, in the body's frame
  Vector3 along{};  ///< from there to its far end
  /// The beam's z, as far as it is normal to `along`; zero: the body's z, for a beam along it the body's x.
  Vector3 up{};
  std::optional<double> E{}, G{}, density{};
  std::optional<BeamSection> section{};
  std::vector<double> EI{};  ///< about y and z of the beam; one number serves both
  std::optional<double> GJ{}, EA{}, mass_per_length{};
  /// About the beam's own axis; none: of the section, or of a metal beam with this EI.
  std::optional<double> inertia_per_length{};
  Bending bending = Bending::both;  ///< about which axes of the beam it bends
  std::optional<bool> axial{};      ///< whether it stretches; none: where EA is given
  std::optional<int> elements{};    ///< elastic joints; none: by `modes`
  std::optional<int> modes{};       ///< bending modes within 2 % each way; none: three
  double damping_ratio = 0;         ///< of the first mode of each kind, clamped at `from`
  Source source{};
};

/// The most elastic joints that one link may have.
inline constexpr int max_elements = 1000;

/// What a beam does; each kind has modes of its own.
enum class BeamMotion { bend_y, bend_z, twist, stretch };
inline constexpr std::array all_beam_motions{BeamMotion::bend_y, BeamMotion::bend_z,
                                             BeamMotion::twist, BeamMotion::stretch};
/// "bend_y", ...
std::string_view to_string(BeamMotion motion);

/// What the numbers of a FlexibleLink amount to.
struct Beam {
  double length = 0;
  Matrix3 axes = Matrix3::identity();  ///< its x, y, z as columns, in the body's axes
  /// By BeamMotion: EI about y and z, GJ, EA; 0: it does not move this way. to_beam gives every motion that
  /// was asked for more than 0.
  std::array<double, 4> stiffness{};
  double mass_per_length = 0;
  Vector3 inertia_per_length{};  ///< of a slice, about x, y, z
  int elements = 0;

  [[nodiscard]] bool moves(BeamMotion motion) const {
    return stiffness[static_cast<std::size_t>(motion)] > 0;
  }
};

/// Throws an Error that names the link and what is wrong with its numbers. A beam without density and
/// mass per length has the mass of the body, spread evenly.
Beam to_beam(const FlexibleLink& link, const Body& body);

/// Distances of the elastic joints from the root, equally spaced about the middle such that the rule
/// ∫ f dx ≈ (L/k) Σ f(xᵢ) is exact for cubics. So what a force or a moment at the tip, gravity or
/// any even load bends statically is exact at the tip for every k > 1, and frequencies are of the second
/// order in 1/k. Each joint has the stiffness k EI / L.
std::vector<double> elastic_joint_places(const Beam& beam);

/// Angular frequencies (rad/s) of the first modes of a beam that is clamped at its root and free at its
/// tip: Euler and Bernoulli's for bending. None where it does not move this way.
std::vector<double> clamped_frequencies(const Beam& beam, BeamMotion motion, int count);

/// The same mechanism with each of these links as a chain of k + 1 rigid pieces: the body keeps its
/// name, frame and place in the list and is the first piece; "boom:1" … "boom:k" follow at the end of the
/// list, each with its frame on its elastic joint and the body's axes when nothing is bent. After the
/// joints of the model come, from root to tip, "boom:bend1" (about y and z, or one of them), "boom:twist1",
/// "boom:stretch1" …, passive, each with a spring and the damping β times as large, β = 2 damping_ratio / ω₁
/// of the clamped beam for each kind of motion. Joints, frames, closures, grasps, springs, loads and shapes
/// that sat on the body sit on the piece at their place along the beam; what lies beyond an end, on that end.
/// Long boxes and cylinders along the beam are cut to pieces; a link without shapes is drawn by its section.
/// Throws one Error with all mistakes in `links`.
Model to_elastic_chains(const Model& model, const std::vector<FlexibleLink>& links);

/// Whether a joint of such a model belongs to a flexible link: in no file, moving, and not a base.
inline bool is_elastic(const Joint& joint) {
  return joint.implied && joint.parent != world_name && velocity_count(joint) > 0;
}
/// For each of Model::joint_springs whether it is the stiffness of a flexible link, and not one that was
/// added to its joint.
std::vector<bool> find_springs_of_beams(const Model& model);

/// A flexible link as its chain tells it.
struct FoundFlexibleLink {
  std::string body{};
  Beam beam{};  ///< without its axes; of the inertia of a slice that about x
  double damping_ratio = 0;
};
/// The flexible links of a model that to_elastic_chains made, in their order: what their pieces, joints and
/// springs amount to, within rounding.
std::vector<FoundFlexibleLink> find_flexible_links(const Model& model);

}  // namespace linkwright
