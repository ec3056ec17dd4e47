#pragma once
/// numpy arrays in and out: what is given is checked by name once, and not copied where it can be used as it is.
///
///     Input q(given, "q", system.nq());                  // (nq,) or (K, nq)
///     Array tau = Array::vector(system.nv());
///     compute(q.state(0), tau.data());

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <Eigen/Core>
#include "pool.hpp"

namespace linkwright::python {

namespace nb = nanobind;

/// Whatever a caller hands in for numbers; Input looks at it. Borrowed for the call.
struct Numbers {
  nb::handle given;
  [[nodiscard]] bool is_none() const { return given.is_none(); }
};

/// A new numpy array of doubles, owned.
class Array {
 public:
  Array() = default;
  static Array vector(Eigen::Index size) { return create({size}); }
  /// Column after column, as Eigen writes it.
  static Array matrix(Eigen::Index rows, Eigen::Index columns) {
    return create({columns, rows}).transposed();
  }
  /// The last of `shape` runs fastest.
  static Array create(const std::vector<Eigen::Index>& shape);
  /// A view of the same numbers with the axes in reverse order.
  [[nodiscard]] Array transposed() const;
  /// A view with the last two axes exchanged.
  [[nodiscard]] Array with_last_axes_swapped() const;

  [[nodiscard]] double* data() const { return data_; }
  [[nodiscard]] const nb::object& object() const { return object_; }

 private:
  explicit Array(nb::object object);
  nb::object object_;
  double* data_ = nullptr;
};

/// Room for numbers during one call. The next call gets the same: fresh pages of the system's memory cost more
/// than what is computed in them.
class Room {
 public:
  [[nodiscard]] bool is_empty() const { return data_ == nullptr; }
  [[nodiscard]] double* data() const { return data_; }
  double* make(Eigen::Index size);

 private:
  using Shelf = Pool<std::vector<double>>;
  static Shelf& shelf();
  std::optional<Shelf::Lease> lent_;
  std::unique_ptr<double[]> own_;  // more than is worth keeping
  double* data_ = nullptr;
};

/// Numbers that a caller gave, as doubles: one state or many. Throws Error naming the argument, what was
/// expected and what came.
class Input {
 public:
  enum class Many { allowed, refused };
  /// `or_width`: another number of entries that is accepted too.
  Input(Numbers given, const char* name, Eigen::Index width, Many many = Many::allowed,
        Eigen::Index or_width = -1);

  /// Whether it has a row per state.
  [[nodiscard]] bool is_many() const { return many_; }
  [[nodiscard]] Eigen::Index rows() const { return rows_; }
  [[nodiscard]] Eigen::Index width() const { return width_; }
  [[nodiscard]] const char* name() const { return name_; }
  /// Makes `state` and `vector` safe for several threads at once: what they need to copy is copied.
  void lay_out() const { (void)rows_data(); }
  /// The numbers of state s, side by side; of a single state those for every s.
  [[nodiscard]] const double* state(Eigen::Index s) const {
    return rows_data() + (many_ ? s * width_ : 0);
  }
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> vector(Eigen::Index s = 0) const {
    return {state(s), width_};
  }
  /// rows × width, a column per coordinate: without a copy where the caller's array is laid out so (as the
  /// results of batches are). A single state is repeated.
  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> columns(Eigen::Index rows);

 private:
  [[nodiscard]] const double* rows_data() const;
  void take(nb::handle given);

  const char* name_;
  nb::object array_;  // keeps the numbers alive; of doubles, by rows or by columns
  const double* data_ = nullptr;
  Eigen::Index rows_ = 1, width_ = 0;
  bool many_ = false, by_columns_ = false;
  mutable Room rows_copy_, columns_copy_;
};

/// How many states the arguments speak of: 0 for one state alone. Throws Error where they disagree.
Eigen::Index common_rows(std::span<const Input* const> inputs);
inline Eigen::Index common_rows(std::initializer_list<const Input*> inputs) {
  return common_rows(std::span(inputs.begin(), inputs.size()));
}

/// Called once, before anything else.
void import_numpy();

}  // namespace linkwright::python

namespace nanobind::detail {

template <>
struct type_caster<linkwright::python::Numbers> {
  NB_TYPE_CASTER(linkwright::python::Numbers, const_name("numpy.typing.ArrayLike"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.given = source;
    return true;
  }
};

template <>
struct type_caster<linkwright::python::Array> {
  NB_TYPE_CASTER(linkwright::python::Array, const_name("numpy.typing.NDArray[numpy.float64]"))
  static handle from_cpp(const linkwright::python::Array& array, rv_policy,
                         cleanup_list*) noexcept {
    return array.object().inc_ref();
  }
};

}  // namespace nanobind::detail
