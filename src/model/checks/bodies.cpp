#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {

const Source& inertial_place(const Body& body) {
  return body.inertial_source.file.empty() ? body.source : body.inertial_source;
}

void check_bodies(const Model& model, Problems& problems) {
  for (const Body& body : model.bodies) {
    const std::string thing = "link " + in_quotes(body.name);
    problems.attempt([&] {
      require_finite(inertial_place(body), thing, "the mass", body.mass);
      if (body.mass < 0)
        throw Error(inertial_place(body),
                    fmt::format("{}: the mass is {} kg; expected zero or more", thing, body.mass));
    });
    problems.attempt(
        [&] { require_finite(inertial_place(body), thing, "the centre of mass", body.com); });
    problems.attempt([&] {
      const Symmetric3& I = body.inertia;
      require_finite(inertial_place(body), thing, "the inertia's diagonal",
                     Vector3{I.xx, I.yy, I.zz});
      require_finite(inertial_place(body), thing, "the inertia's products [ixy, ixz, iyz]",
                     Vector3{I.xy, I.xz, I.yz});
    });
  }
}

}  // namespace linkwright::checks
