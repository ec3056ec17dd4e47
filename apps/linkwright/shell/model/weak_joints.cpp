#include "shell/model/weak_joints.hpp"

#include "linkwright/dynamics/weak_joints.hpp"
#include "shell/output.hpp"

namespace linkwright::app {

bool warn_of_weak_joints(Workspace& work, const Eigen::VectorXd& q, std::string_view where) {
  const std::string text = describe_weak_joints(work, q, where);
  if (!text.empty()) report_warning(text);
  return !text.empty();
}

}  // namespace linkwright::app
