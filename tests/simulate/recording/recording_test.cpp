// Recording: files that appear whole or not at all, and hold what was put in, to the last bit.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

#include "linkwright/io/read_model.hpp"
#include "linkwright/simulate/recording.hpp"
#include "support/csv.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

RecordingHeader plain_header() {
  return {.columns = {{"time", "s"}, {"q:arm/elbow", "rad"}, {"odd, \"name\"", "1"}},
          .facts = {{"method", std::string("rk4")},
                    {"step", 0.001},
                    {"gravity", std::vector{0.0, 0.0, -9.81}}},
          .sources = {{"cell.yaml", "linkwright: 1\n# ä, \"quotes\"\r\nend without newline"},
                      {"parts/arm.urdf", "<robot/>\n"}}};
}

/// Numbers that a careless writer would change.
std::vector<std::vector<double>> hard_rows(std::size_t count) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = 0.1 * static_cast<double>(i);
    rows.push_back({t, std::sin(1e3 * t) / 3, i % 2 == 0 ? -0.0 : std::nextafter(1.0, 2.0)});
  }
  rows.push_back(
      {1e9, std::numeric_limits<double>::denorm_min(), -std::numeric_limits<double>::max()});
  return rows;
}

void record(const std::string& path, const RecordingHeader& header,
            const std::vector<std::vector<double>>& rows) {
  const auto recorder = open_recorder(path, header);
  for (const auto& row : rows) recorder->row(row);
  EXPECT_EQ(recorder->rows(), rows.size());
  recorder->finish();
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::size_t count_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// An HDF5 file read with the C interface.
class Hdf5File {
 public:
  explicit Hdf5File(const std::string& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {}
  ~Hdf5File() { H5Fclose(file_); }
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  [[nodiscard]] Words texts(const std::string& object, const std::string& attribute) const {
    const hid_t a =
        H5Aopen_by_name(file_, object.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Aget_space(a), type = H5Aget_type(a);
    std::vector<char*> raw(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Aread(a, type, raw.data());
    Words found(raw.begin(), raw.end());
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw.data());
    H5Tclose(type), H5Sclose(space), H5Aclose(a);
    return found;
  }
  [[nodiscard]] std::vector<double> numbers(const std::string& attribute) const {
    const hid_t a = H5Aopen(file_, attribute.c_str(), H5P_DEFAULT), space = H5Aget_space(a);
    std::vector<double> found(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Aread(a, H5T_NATIVE_DOUBLE, found.data());
    H5Sclose(space), H5Aclose(a);
    return found;
  }
  [[nodiscard]] std::string text(const std::string& dataset) const {
    const hid_t d = H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), type = H5Dget_type(d);
    char* raw = nullptr;
    H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &raw);
    const std::string found(raw);
    H5free_memory(raw);
    H5Tclose(type), H5Dclose(d);
    return found;
  }
  [[nodiscard]] std::vector<std::vector<double>> rows() const {
    const hid_t d = H5Dopen2(file_, "data", H5P_DEFAULT), space = H5Dget_space(d);
    hsize_t size[2] = {0, 0};
    H5Sget_simple_extent_dims(space, size, nullptr);
    std::vector<double> all(size[0] * size[1]);
    H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
    H5Sclose(space), H5Dclose(d);
    std::vector<std::vector<double>> found;
    for (std::size_t i = 0; i < size[0]; ++i)
      found.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(i * size[1]),
                         all.begin() + static_cast<std::ptrdiff_t>((i + 1) * size[1]));
    return found;
  }

 private:
  hid_t file_;
};

/// Largest size of any file we write, while in scope; a write beyond it fails like a full disk.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(Recording, csv_begins_with_the_names_and_reads_back_to_the_same_bits) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "run.csv";
  const auto rows = hard_rows(30);
  record(path, plain_header(), rows);
  EXPECT_TRUE(text_of(path).starts_with("time,q:arm/elbow,\"odd, \"\"name\"\"\"\n0,"));
  const auto read = read_csv(path);
  ASSERT_EQ(read.size(), rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double back = std::strtod(read[i + 1][k].c_str(), nullptr);
      EXPECT_EQ(back, rows[i][k]);
      EXPECT_EQ(std::signbit(back), std::signbit(rows[i][k]));
    }
  EXPECT_EQ(count_in(folder.path()), 1U);
}

TEST(Recording, csv_does_not_follow_the_locale) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "run.csv";
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no German locale";
  record(path, plain_header(), {{0.5, 1.25, 1e6}});
  std::setlocale(LC_ALL, "C");
  EXPECT_TRUE(contains(text_of(path), "\n0.5,1.25,1000000\n")) << text_of(path);
}

TEST(Recording, a_described_csv_holds_units_facts_and_the_model_in_comments) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "run.csv";
  RecordingHeader header = plain_header();
  header.describe = true;
  record(path, header, {{0, 1, 2}});
  const std::string text = text_of(path);
  for (const char* part :
       {"# method: rk4\n", "# step: 0.001", "# gravity: 0 0 -9.81", "# unit of q:arm/elbow: rad\n",
        "# file parts/arm.urdf", "#| linkwright: 1\n", "#| end without newline\n", "#| <robot/>\n"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  const auto read = read_csv(path);  // skips '#' lines
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0][0], "time");
}

TEST(Recording, hdf5_holds_rows_names_units_facts_and_the_model) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "run.h5";
  const auto rows = hard_rows(2500);  // more than two blocks, and a piece of one
  {
    const auto recorder = open_recorder(path, plain_header());
    for (const auto& row : rows) recorder->row(row);
    EXPECT_FALSE(fs::exists(path));
    recorder->finish({{"steps", 2500.0}, {"end", std::string("reached")}});
  }
  const Hdf5File file(path);
  EXPECT_EQ(file.rows(), rows);
  EXPECT_EQ(file.texts("data", "columns"), (Words{"time", "q:arm/elbow", "odd, \"name\""}));
  EXPECT_EQ(file.texts("data", "units"), (Words{"s", "rad", "1"}));
  EXPECT_EQ(file.texts("/", "method"), Words{"rk4"});
  EXPECT_EQ(file.texts("/", "end"), Words{"reached"});
  EXPECT_EQ(file.numbers("step"), std::vector{0.001});
  EXPECT_EQ(file.numbers("steps"), std::vector{2500.0});
  EXPECT_EQ(file.numbers("gravity"), (std::vector{0.0, 0.0, -9.81}));
  EXPECT_EQ(file.text("model/file0"), plain_header().sources[0].text);
  EXPECT_EQ(file.texts("model/file1", "name"), Words{"parts/arm.urdf"});
  EXPECT_EQ(count_in(folder.path()), 1U);
}

TEST(Recording, hdf5_takes_thousands_of_columns) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "wide.hdf5";
  RecordingHeader header;
  for (int i = 0; i < 6000; ++i)
    header.columns.push_back({"a rather long name of a column " + std::to_string(i), "rad/s"});
  std::vector<double> row(header.columns.size(), 0.5);
  record(path, header, {row, row});
  const Hdf5File file(path);
  EXPECT_EQ(file.texts("data", "columns").back(), header.columns.back().name);
  EXPECT_EQ(file.rows(), (std::vector{row, row}));
}

TEST(Recording, compression_pays_on_a_smooth_run) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "run.h5";
  RecordingHeader header{.columns = {{"time", "s"}, {"still", "m"}, {"steps", "1"}}};
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 10240; ++i) rows.push_back({i / 1024.0, 0.3, std::floor(i / 100.0)});
  record(path, header, rows);
  EXPECT_LT(fs::file_size(path), rows.size() * 3 * sizeof(double) / 4);
}

TEST(Recording, h5py_reads_it) {
  if (std::system("python3 -c 'import h5py' 2>/dev/null") != 0) GTEST_SKIP() << "no h5py";
  const TemporaryFolder folder;
  const std::string path = folder.path() / "run.h5";
  record(path, plain_header(), {{0, 1, 2}, {1, 3, 4}});
  const fs::path script = folder.write("read.py", R"(
import h5py, sys
with h5py.File(sys.argv[1]) as f:
    names = list(f["data"].attrs["columns"])
    assert names[1] == "q:arm/elbow", names
    assert f["data"][:, 1].tolist() == [1, 3]
    assert f.attrs["method"] == "rk4" and f.attrs["gravity"][2] == -9.81
    assert f["model/file1"].attrs["name"] == "parts/arm.urdf"
    assert f["model/file1"][()].decode() == "<robot/>\n"
)");
  EXPECT_EQ(std::system(("python3 " + script.string() + " " + path).c_str()), 0);
}

TEST(Recording, the_same_rows_give_the_same_bytes) {
  const TemporaryFolder folder;
  for (const char* extension : {".csv", ".h5"}) {
    const std::string a = folder.path() / ("a" + std::string(extension));
    const std::string b = folder.path() / ("b" + std::string(extension));
    record(a, plain_header(), hard_rows(2000));
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 would note the second
    record(b, plain_header(), hard_rows(2000));
    EXPECT_TRUE(text_of(a) == text_of(b)) << extension;
  }
}

TEST(Recording, without_finish_nothing_is_left_and_an_old_file_stays) {
  for (const char* name : {"run.csv", "run.h5"}) {
    const TemporaryFolder folder;
    const std::string path = folder.path() / name;
    {
      const auto recorder = open_recorder(path, plain_header());
      for (const auto& row : hard_rows(3000)) recorder->row(row);
      EXPECT_FALSE(fs::exists(path));
    }
    EXPECT_EQ(count_in(folder.path()), 0U) << name;
    (void)folder.write(name, "precious");
    {
      const auto recorder = open_recorder(path, plain_header());
      recorder->row(std::vector{0.0, 1.0, 2.0});
    }
    EXPECT_EQ(text_of(path), "precious");
    EXPECT_EQ(count_in(folder.path()), 1U) << name;
  }
}

TEST(Recording, a_number_that_is_not_finite_names_column_and_time) {
  const TemporaryFolder folder;
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const char* name : {"run.csv", "run.h5"}) {
    const std::string path = folder.path() / name;
    const auto recorder = open_recorder(path, plain_header());
    recorder->row(std::vector{0.0, 1.0, 2.0});
    for (const double bad : {nan, infinity, -infinity}) {
      const std::string message = error_of([&] { recorder->row(std::vector{0.25, bad, 2.0}); });
      EXPECT_TRUE(contains(message, "'q:arm/elbow'")) << message;
      EXPECT_TRUE(contains(message, "t = 0.25 s")) << message;
    }
    EXPECT_TRUE(contains(error_of([&] { recorder->row(std::vector{nan, 1.0, 2.0}); }), "row 2"));
    EXPECT_TRUE(contains(error_of([&] { recorder->row(std::vector{1.0}); }), "expected one for"));
    recorder->row(std::vector{0.5, 1.0, 2.0});
    recorder->finish();  // what was good before can still be kept
    EXPECT_EQ(recorder->rows(), 2U);
    EXPECT_TRUE(contains(error_of([&] { recorder->row(std::vector{1.0, 1.0, 1.0}); }), "finished"));
    EXPECT_TRUE(contains(error_of([&] { recorder->finish(); }), "finished"));
  }
  EXPECT_EQ(read_csv(folder.path() / "run.csv").size(), 3U);
  EXPECT_EQ(Hdf5File(folder.path() / "run.h5").rows().size(), 2U);
}

TEST(Recording, paths_that_cannot_be_written_are_named) {
  const TemporaryFolder folder;
  const auto message_for = [](const std::string& path) {
    return error_of([&] { record(path, plain_header(), {{0, 1, 2}}); });
  };
  for (const char* extension : {".csv", ".h5"}) {
    const std::string missing = folder.path() / ("nowhere/run" + std::string(extension));
    EXPECT_TRUE(contains(message_for(missing), missing)) << message_for(missing);
    EXPECT_TRUE(contains(message_for(missing), "folder does not exist"));
    const fs::path directory = folder.path() / ("folder" + std::string(extension));
    fs::create_directory(directory);
    EXPECT_TRUE(contains(message_for(directory), "it is a folder")) << message_for(directory);
    if (::geteuid() == 0) continue;  // root may write anywhere
    const fs::path locked = folder.path() / "locked";
    fs::create_directory(locked);
    ::chmod(locked.c_str(), 0500);
    EXPECT_TRUE(contains(message_for(locked / ("run" + std::string(extension))), "denied"));
    ::chmod(locked.c_str(), 0700);
  }
  for (const char* name : {"run", "run.txt", "run.CSV"}) {
    const std::string message = message_for(folder.path() / name);
    EXPECT_TRUE(contains(message, ".csv, .h5 or .hdf5")) << message;
  }
  const std::string full = message_for("/dev/full");
  EXPECT_TRUE(contains(full, "/dev/full") && contains(full, "No space left")) << full;
}

TEST(Recording, hdf5_refuses_what_is_no_ordinary_file) {
  const TemporaryFolder folder;
  const fs::path link = folder.path() / "run.h5";
  fs::create_symlink("/dev/null", link);
  // A device takes CSV whatever its name.
  record(link, plain_header(), {{0, 1, 2}});
  EXPECT_TRUE(fs::is_symlink(link));
}

/// Writes `rows` rows that do not compress and finishes.
void record_noise(const std::string& path, int rows) {
  const auto recorder = open_recorder(path, plain_header());
  unsigned state = 1;
  for (int i = 0; i < rows; ++i) {
    state = state * 1664525U + 1013904223U;
    const double noise = std::sin(state);
    recorder->row(std::vector{static_cast<double>(i), noise, 1 / (2 + noise)});
  }
  recorder->finish();
}

TEST(Recording, a_disk_that_fills_up_is_named_and_leaves_nothing) {
  struct Case {
    int rows;
    rlim_t bytes;
  };
  // Full when the file is closed, at the first block, and in the middle.
  for (const Case& full : {Case{10, 100}, Case{200000, 100}, Case{200000, 2500000}}) {
    for (const char* name : {"run.csv", "run.h5"}) {
      const TemporaryFolder folder;
      const std::string path = folder.write(name, "precious");
      std::string message;
      {
        const SizeLimit limit(full.bytes);
        message = error_of([&] { record_noise(path, full.rows); });
      }
      EXPECT_TRUE(contains(message, path) && contains(message, "too large")) << message;
      EXPECT_EQ(text_of(path), "precious") << name << " " << full.bytes;
      EXPECT_EQ(count_in(folder.path()), 1U) << name << " " << full.bytes;
    }
  }
}

TEST(Recording, a_file_keeps_its_link_and_permissions) {
  const TemporaryFolder folder;
  const fs::path real = folder.write("real.h5", "old");
  ::chmod(real.c_str(), 0640);
  const fs::path link = folder.path() / "link.h5";
  fs::create_symlink("real.h5", link);
  record(link, plain_header(), {{0, 1, 2}});
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(Hdf5File(real).rows().size(), 1U);
  struct stat status {};
  ::stat(real.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(Recording, memory_keeps_rows_and_gives_columns) {
  Table table(plain_header().columns);
  table.row(std::vector{0.0, 1.0, 2.0});
  table.row(std::vector{0.5, 3.0, 4.0});
  table.finish();
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.column("q:arm/elbow"), (std::vector{1.0, 3.0}));
  EXPECT_EQ(table.at(1)[2], 4);
  EXPECT_EQ(table.values().size(), 6U);
  EXPECT_TRUE(contains(error_of([&] { (void)table.column("tim"); }), "did you mean 'time'"));
}

TEST(Recording, a_run_can_be_repeated_from_its_recording) {
  const fs::path models = LINKWRIGHT_SOURCE_DIR "/tests/data";
  const Model model = read_model(models / "cell.yaml");
  const System system = compile(model);
  const Channels channels(system);
  const RecordingHeader header = describe_run(system, channels);
  ASSERT_EQ(header.sources.size(), 2U);  // the arm is used thrice and kept once
  EXPECT_EQ(header.sources[0].name, "cell.yaml");
  EXPECT_EQ(header.sources[1].name, "arm.urdf");
  EXPECT_EQ(header.sources[1].text, text_of(models / "arm.urdf"));

  const TemporaryFolder folder;
  const std::string path = folder.path() / "run.h5";
  const std::vector<double> zeros(header.columns.size(), 0.0);
  record(path, header, {zeros});
  const Hdf5File file(path);
  for (std::size_t i = 0; i < header.sources.size(); ++i) {
    const std::string object = "model/file" + std::to_string(i);
    (void)folder.write(file.texts(object, "name").front(), file.text(object));
  }
  const Model again = read_model(folder.path() / "cell.yaml");
  ASSERT_EQ(again.bodies.size(), model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    EXPECT_EQ(again.bodies[i].mass, model.bodies[i].mass);
  EXPECT_EQ(again.joints.size(), model.joints.size());
  EXPECT_EQ(file.numbers("gravity")[2], model.gravity.z);
}

}  // namespace
}  // namespace linkwright::testing
