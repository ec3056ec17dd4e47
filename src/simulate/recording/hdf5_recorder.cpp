// HDF5: one table `data` (rows × columns) whose attributes `columns` and `units` name it, facts as
// attributes of the file, the model's files as texts in the group `model`.
#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "linkwright/error.hpp"
#include "simulate/recording/hdf5_driver.hpp"
#include "simulate/recording/recorders.hpp"

namespace linkwright {
namespace {

/// Rows that are stored together, column by column: reading one column touches only its own.
constexpr hsize_t block_rows = 1024;
constexpr unsigned compression = 2;  // doubles gain little from more

/// HDF5 is one global machine: one thread at a time, and quiet, since our errors tell more.
class Quiet {
 public:
  Quiet() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::scoped_lock<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// An HDF5 object with its own kind of close.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {
    if (id < 0) throw Error("HDF5 refuses");  // completed with the path by `guarded`
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { (void)close(); }

  operator hid_t() const { return id_; }
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

void require(herr_t result) {
  if (result < 0) throw Error("HDF5 refuses");
}

/// Creation properties without the time of day: two equal runs give the same bytes.
Handle timeless(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  require(H5Pset_obj_track_times(properties, false));
  return properties;
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  require(H5Tset_size(type, H5T_VARIABLE));
  require(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void write_attribute(hid_t object, const std::string& name, hid_t type, hid_t space,
                     const void* value) {
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  require(H5Awrite(attribute, type, value));
}

void write_texts(hid_t object, const std::string& name, const std::vector<const char*>& texts) {
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  write_attribute(object, name, text_type(), space, texts.data());
}

void write_text(hid_t object, const std::string& name, const std::string& text) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const char* const start = text.c_str();
  write_attribute(object, name, text_type(), space, &start);
}

void write_fact(hid_t object, const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact.value))
    return write_text(object, fact.name, *text);
  if (const auto* number = std::get_if<double>(&fact.value)) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    return write_attribute(object, fact.name, H5T_NATIVE_DOUBLE, space, number);
  }
  const auto& numbers = std::get<std::vector<double>>(fact.value);
  if (numbers.empty()) return;  // a mechanism without freedoms has no efforts to tell of
  const hsize_t count = numbers.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  write_attribute(object, fact.name, H5T_NATIVE_DOUBLE, space, numbers.data());
}

void write_sources(hid_t file, const std::vector<SourceText>& sources) {
  const Handle group(
      H5Gcreate2(file, "model", H5P_DEFAULT, timeless(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    // Named by number: a file's name may hold slashes, which would make groups.
    const Handle text(H5Dcreate2(group, ("file" + std::to_string(i)).c_str(), text_type(), space,
                                 H5P_DEFAULT, timeless(H5P_DATASET_CREATE), H5P_DEFAULT),
                      H5Dclose);
    const char* const start = sources[i].text.c_str();
    require(H5Dwrite(text, text_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &start));
    write_text(text, "name", sources[i].name);
  }
}

Handle make_table(hid_t file, const std::vector<Column>& columns) {
  const hsize_t width = columns.size();
  const hsize_t now[2] = {0, width}, most[2] = {H5S_UNLIMITED, width}, chunk[2] = {block_rows, 1};
  const Handle space(H5Screate_simple(2, now, most), H5Sclose);
  const Handle properties = timeless(H5P_DATASET_CREATE);
  require(H5Pset_chunk(properties, 2, chunk));
  require(H5Pset_attr_phase_change(properties, 0, 0));  // long attributes, stored apart
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    require(H5Pset_shuffle(properties));
    require(H5Pset_deflate(properties, compression));
  }
  Handle table(
      H5Dcreate2(file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT),
      H5Dclose);
  std::vector<const char*> names, units;
  for (const Column& column : columns) {
    names.push_back(column.name.c_str());
    units.push_back(column.unit.c_str());
  }
  write_texts(table, "columns", names);
  write_texts(table, "units", units);
  return table;
}

}  // namespace

struct Hdf5Recorder::Open {
  Hdf5Disk disk;
  Handle file, table;
  hsize_t stored = 0;

  explicit Open(int descriptor) : disk{descriptor} {
    const Handle access(make_access(disk), H5Pclose);
    file =
        Handle(H5Fcreate("recording", H5F_ACC_TRUNC, timeless(H5P_FILE_CREATE), access), H5Fclose);
  }
  ~Open() {
    const Quiet quiet;
    (void)table.close();
    (void)file.close();
  }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;

  void append(const std::vector<double>& block, hsize_t width) {
    const hsize_t count[2] = {block.size() / width, width}, start[2] = {stored, 0};
    const hsize_t size[2] = {stored + count[0], width};
    require(H5Dset_extent(table, size));
    const Handle place(H5Dget_space(table), H5Sclose);
    require(H5Sselect_hyperslab(place, H5S_SELECT_SET, start, nullptr, count, nullptr));
    const Handle memory(H5Screate_simple(2, count, nullptr), H5Sclose);
    require(H5Dwrite(table, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, block.data()));
    stored = size[0];
  }

  /// Runs `action` and turns a failure of the disk, or of HDF5, into the file's own Error.
  template <class Action>
  void guarded(const OutputFile& out, Action action) {
    bool refused = false;
    {
      const Quiet quiet;
      try {
        action();
      } catch (const Error&) {
        refused = true;
      }
    }
    if (disk.trouble != 0) out.fail("the disk refuses", disk.trouble);
    if (refused) out.fail("HDF5 refuses", 0);
  }
};

Hdf5Recorder::Hdf5Recorder(const std::string& path, const RecordingHeader& header)
    : Recorder(header.columns), file_(path) {
  if (file_.descriptor() < 0)
    file_.fail("HDF5 needs an ordinary file, this is a device or pipe; record CSV there", 0);
  {
    const Quiet quiet;
    open_ = std::make_unique<Open>(file_.descriptor());
  }
  open_->guarded(file_, [&] {
    for (const Fact& fact : header.facts) write_fact(open_->file, fact);
    write_sources(open_->file, header.sources);
    open_->table = make_table(open_->file, header.columns);
  });
  block_.reserve(block_rows * header.columns.size());
}

Hdf5Recorder::~Hdf5Recorder() = default;

void Hdf5Recorder::write_row(std::span<const double> values) {
  block_.insert(block_.end(), values.begin(), values.end());
  if (block_.size() < block_rows * values.size()) return;
  open_->guarded(file_, [&] { open_->append(block_, values.size()); });
  block_.clear();
}

void Hdf5Recorder::complete(const std::vector<Fact>& outcome) {
  open_->guarded(file_, [&] {
    if (!block_.empty()) open_->append(block_, columns().size());
    block_.clear();
    for (const Fact& fact : outcome) write_fact(open_->file, fact);
    require(open_->table.close());
    require(open_->file.close());
  });
  file_.commit();
}

}  // namespace linkwright
