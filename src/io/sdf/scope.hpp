#pragma once
/// Names of an SDF file and the frames behind them. Each model is a scope of its own; `a::b` is b in the model a.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/sdf/values.hpp"
#include "linkwright/error.hpp"
#include "model/problems.hpp"

namespace linkwright::sdf {

inline constexpr std::string_view model_frame = "__model__";

class Scope;

/// What a pose may be relative to: a link, joint, frame or model of a scope.
struct Place {
  enum class Kind { link, joint, frame, model };
  Kind kind = Kind::frame;
  GivenPose given{};
  std::string relative_to{};  ///< where the file gives none, by the rule of the kind
  std::string
      attached_to{};    ///< link, frame, joint: whose motion it follows; empty: a link is itself
  std::string thing{};  ///< "frame 'a::tip'"
  std::unique_ptr<Scope> inner{};
  std::string placement_frame{};  ///< of a model: the frame inside that stands at `given`
  enum class Stage { open, under_way, known, refused } stage = Stage::open;
  Pose in_scope{};
};

class Scope {
 public:
  Scope(std::string prefix, bool is_world, const Problems& problems)
      : prefix_(std::move(prefix)), is_world_(is_world), problems_(&problems) {}

  /// "a::b::", or empty at the top.
  [[nodiscard]] const std::string& prefix() const { return prefix_; }
  [[nodiscard]] bool is_world() const { return is_world_; }
  /// Throws Error where the name is taken.
  Place& add(const std::string& name, Place place);

  /// Where a name stands in this scope's own frame, which for a model is __model__. Throws Error naming
  /// `thing` for a name that is none and for frames that are relative to each other.
  Pose pose_of(const std::string& name, const Source& where, std::string_view thing);
  /// A pose relative to a frame, or to `otherwise` where it names none.
  Pose pose_of(const GivenPose& given, const std::string& otherwise, std::string_view thing);
  /// The body that a name belongs to, "world" for what stands still.
  std::string body_of(const std::string& name, const Source& where, std::string_view thing);

  /// The scope of a nested model.
  [[nodiscard]] Scope& inner(const std::string& model) { return *places_.at(model).inner; }

  /// The link that __model__ follows; of nested models where there is none of its own.
  std::string canonical_link{};
  std::vector<std::string> links{}, models{};  ///< local names, in order
  Scope* outer = nullptr;
  Pose in_world{};  ///< of the scope's frame, when all scopes are known

 private:
  struct Found {
    Scope* scope;
    std::string name;
    Place* place;  ///< none: the frame of the scope, or the world
    Pose up{};     ///< frame of that scope in this one
  };
  Found find(const std::string& name, const Source& where, std::string_view thing);
  Pose resolve(Place& place);
  Pose compute(const Place& place);
  std::string follow(const std::string& name, const Source& where, std::string_view thing,
                     int depth);
  std::string main_link(const Source& where, std::string_view thing);
  [[nodiscard]] std::string model_text() const;
  [[noreturn]] void refuse(const std::string& name, const Source& where,
                           std::string_view thing) const;

  std::string prefix_;
  bool is_world_;
  const Problems* problems_;
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace linkwright::sdf
