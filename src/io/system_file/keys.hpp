#pragma once
/// The maps that a system file consists of; src/io/system_file/keys.cpp lists the keys of each.

#include "linkwright/io/vocabulary.hpp"

namespace linkwright::system_file {

/// In the order of system_file_vocabulary().
enum class Section {
  top_level,
  model,
  flexible_base,
  flexible_base_values,
  body,
  joint,
  object,
  frame,
  pose,
  point,
  friction,
  limits,
  dh_table,
  dh_base_link,
  dh_row,
  joint_closure,
  point_closure,
  distance_closure,
  rolling_closure,
  gear_closure,
  grasp,
  line_spring,
  joint_spring,
  joint_load,
  body_load,
  actuator,
  motor,
  elastic_gear,
  network,
  network_component,
  flexible_link,
  beam_section,
  flexible_base_entry,
  shape,
  state,
};

const KeySection& keys_of(Section section);

}  // namespace linkwright::system_file
