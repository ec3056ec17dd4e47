// The one source that speaks numpy's own interface.
#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include "arrays.hpp"

#include <numpy/arrayobject.h>

#include <algorithm>

#include "linkwright/error.hpp"

namespace linkwright::python {
namespace {

PyArrayObject* as_array(const nb::handle& object) {
  return reinterpret_cast<PyArrayObject*>(object.ptr());
}

std::string shape_text(PyArrayObject* array) {
  const int count = PyArray_NDIM(array);
  std::string text = "(";
  for (int i = 0; i < count; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(PyArray_DIM(array, i));
  return text + (count == 1 ? ",)" : ")");
}

std::string name_of_type(const nb::handle& object) {
  return nb::cast<std::string>(nb::str(object.type().attr("__name__")));
}

/// What came in place of numbers.
std::string told(const nb::handle& given, const nb::object& array) {
  const auto dtype = nb::handle(reinterpret_cast<PyObject*>(PyArray_DESCR(as_array(array))));
  const std::string name = nb::cast<std::string>(nb::str(dtype));
  if (PyArray_Check(given.ptr())) return "an array of dtype " + name;
  const char kind = PyArray_DESCR(as_array(array))->kind;
  if (given.is_none()) return "None";
  if (PyArray_NDIM(as_array(array)) == 0) return name_of_type(given);
  return name_of_type(given) + " of " + (kind == 'U' ? "texts" : kind == 'O' ? "objects" : name);
}

/// An array of numbers of any kind, or an Error.
nb::object to_array(nb::handle given, const char* name) {
  nb::object array = nb::steal(PyArray_FromAny(given.ptr(), nullptr, 0, 0, 0, nullptr));
  if (!array.is_valid()) {
    nb::python_error reason;  // a ragged list, say
    throw Error(std::string(name) + ": expected numbers; got " + name_of_type(given) + " (" +
                nb::cast<std::string>(nb::str(reason.value())) + ")");
  }
  const char kind = PyArray_DESCR(as_array(array))->kind;
  if (kind != 'f' && kind != 'i' && kind != 'u')
    throw Error(std::string(name) + " is " + told(given, array) +
                "; expected real numbers (float64)");
  return array;
}

/// `to` has a row per column of `from`; both row after row. A few rows at a time stay in the cache.
void transpose(const double* from, Eigen::Index rows, Eigen::Index columns, double* to) {
  constexpr Eigen::Index some = 16;
  for (Eigen::Index first = 0; first < rows; first += some) {
    const Eigen::Index last = std::min(rows, first + some);
    for (Eigen::Index j = 0; j < columns; ++j)
      for (Eigen::Index i = first; i < last; ++i) to[j * rows + i] = from[i * columns + j];
  }
}

nb::object checked(PyObject* object) {
  if (object == nullptr) throw nb::python_error();
  return nb::steal(object);
}

}  // namespace

void import_numpy() {
  if (_import_array() < 0) throw nb::python_error();
}

Array::Array(nb::object object)
    : object_(std::move(object)), data_(static_cast<double*>(PyArray_DATA(as_array(object_)))) {}

Array Array::create(const std::vector<Eigen::Index>& shape) {
  return Array(checked(PyArray_SimpleNew(static_cast<int>(shape.size()),
                                         const_cast<npy_intp*>(shape.data()), NPY_DOUBLE)));
}

Array Array::transposed() const {
  return Array(checked(PyArray_Transpose(as_array(object_), nullptr)));
}

Array Array::with_last_axes_swapped() const {
  const int last = PyArray_NDIM(as_array(object_)) - 1;
  return Array(checked(PyArray_SwapAxes(as_array(object_), last - 1, last)));
}

Array Array::with_last_three_reversed() const {
  const int last = PyArray_NDIM(as_array(object_)) - 1;
  return Array(checked(PyArray_SwapAxes(as_array(object_), last - 2, last)));
}

Room::Shelf& Room::shelf() {
  static Shelf shelf;
  return shelf;
}

double* Room::make(Eigen::Index size) {
  constexpr Eigen::Index most_kept = 1 << 21;
  const auto count = static_cast<std::size_t>(size);
  if (size > most_kept) {
    own_ = std::make_unique_for_overwrite<double[]>(count);
    return data_ = own_.get();
  }
  lent_.emplace(shelf().lend([] { return std::make_unique<std::vector<double>>(); }));
  if ((*lent_)->size() <= count) (*lent_)->resize(count + 1);  // never nothing: data() is a place
  return data_ = (*lent_)->data();
}

Input::Input(Numbers given, const char* name, Eigen::Index width, Many many, Eigen::Index or_width)
    : name_(name), width_(width) {
  take(given.given);
  PyArrayObject* const array = as_array(array_);
  const int axes = PyArray_NDIM(array);
  many_ = axes == 2 && many == Many::allowed;
  if (axes > 0 && PyArray_DIM(array, axes - 1) == or_width) width_ = or_width;
  const bool fits = (axes == 1 || many_) && PyArray_DIM(array, axes - 1) == width_;
  if (!fits) {
    const std::string n = std::to_string(width);
    throw Error(std::string(name) + " has shape " + shape_text(array) + "; expected (" + n + ",)" +
                (many == Many::allowed ? " or, for many states, (K, " + n + ")" : ""));
  }
  if (many_) rows_ = PyArray_DIM(array, 0);
  data_ = static_cast<const double*>(PyArray_DATA(array));
}

void Input::take(nb::handle given) {
  const auto is_plain = [](PyArrayObject* array) {
    return PyArray_TYPE(array) == NPY_DOUBLE && PyArray_ISBEHAVED_RO(array);
  };
  if (PyArray_Check(given.ptr()) && is_plain(as_array(given)))
    array_ = nb::borrow(given);
  else
    array_ = to_array(given, name_);
  PyArrayObject* array = as_array(array_);
  if (!is_plain(array) || !(PyArray_IS_C_CONTIGUOUS(array) || PyArray_IS_F_CONTIGUOUS(array))) {
    array_ = checked(PyArray_FromArray(array, PyArray_DescrFromType(NPY_DOUBLE),
                                       NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST));
    array = as_array(array_);
  }
  by_columns_ = !PyArray_IS_C_CONTIGUOUS(array);
}

const double* Input::rows_data() const {
  if (!by_columns_) return data_;
  if (rows_copy_.is_empty()) transpose(data_, width_, rows_, rows_copy_.make(rows_ * width_));
  return rows_copy_.data();
}

Eigen::Map<const Eigen::MatrixXd> Input::columns(Eigen::Index rows) {
  if (by_columns_ || (many_ && width_ == 1)) return {data_, rows, width_};
  if (columns_copy_.is_empty()) {
    double* const copy = columns_copy_.make(rows * width_);
    if (many_)
      transpose(data_, rows, width_, copy);
    else
      for (Eigen::Index i = 0; i < width_; ++i) std::fill_n(copy + i * rows, rows, data_[i]);
  }
  return {columns_copy_.data(), rows, width_};
}

Eigen::Index common_rows(std::span<const Input* const> inputs) {
  const Input* first = nullptr;
  for (const Input* input : inputs) {
    if (!input->is_many()) continue;
    if (first == nullptr) first = input;
    if (input->rows() != first->rows())
      throw Error(std::string(input->name()) + " holds " + std::to_string(input->rows()) +
                  " states, " + first->name() + " " + std::to_string(first->rows()) +
                  "; expected as many, or one for all");
  }
  return first == nullptr ? 0 : first->rows();
}

}  // namespace linkwright::python
