#pragma once
/// Runs the program as a user would and keeps what it said.

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apps {

struct Outcome {
  int code = -1;  ///< −1: it did not end by itself
  std::string out, err;
  long peak_kilobytes = 0;  ///< the most memory it held at a time
};

struct Place {
  std::filesystem::path folder = LINKWRIGHT_SOURCE_DIR;
  std::map<std::string, std::string> environment{};
  std::string input{};
};

/// Runs LINKWRIGHT_PROGRAM with these words; a minute is its limit, several under sanitizers.
Outcome run(const std::vector<std::string>& words, const Place& place = {});
/// Starts it, waits until `ready(process)` says so (half a minute at most), sends `signal`, waits for
/// its end.
Outcome run_and_signal(const std::vector<std::string>& words, int signal,
                       const std::function<bool(int)>& ready, const Place& place = {});
/// Whether a process has a file in this folder open for writing, with a name or without.
bool writes_into(int process, const std::string& folder);
/// Runs it with stderr on a terminal; `err` is what appeared there. Nothing on a machine without
/// pseudo-terminals.
std::optional<Outcome> run_on_terminal(const std::vector<std::string>& words,
                                       const Place& place = {});
/// `linkwright simulate` with these words.
Outcome simulate(std::vector<std::string> words);
/// The same for a program that must succeed and print JSON.
nlohmann::json run_json(const std::vector<std::string>& words);

/// A folder of its own for each test, removed afterwards.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  /// Writes a file and returns its path.
  [[nodiscard]] std::string file(const std::string& name, std::string_view text) const;
  /// Names of everything inside.
  [[nodiscard]] std::vector<std::string> contents() const;

 private:
  std::filesystem::path folder_;
};

bool contains(const std::string& text, const std::string& part);

/// Runs every line, with `command` before its words where that is given: each must be refused with exit
/// code 2, an error on stderr that is no internal one, and nothing on stdout.
void expect_refused(const std::vector<std::vector<std::string>>& lines,
                    const std::string& command = "");

/// A URDF in which nothing moves.
inline constexpr std::string_view still_model =
    R"(<robot name="r"><link name="base"/><link name="l"/><joint name="j" type="fixed">)"
    R"(<parent link="base"/><child link="l"/></joint></robot>)";

/// A bead on a spring so stiff that a step of 1 ms is far beyond what rk4 can bear.
inline constexpr const char* stiff = R"(linkwright: 1
name: stiff
gravity: [0, 0, 0]
bodies: [{name: bead, mass: 0.01}]
joints: [{name: rail, type: prismatic, parent: world, child: bead, axis: [1, 0, 0]}]
springs: [{joint: rail, stiffness: 1e6, rest: 0}]
state: {q: {rail: 0.1}}
)";

std::string read(const std::filesystem::path& path);
std::string shared(const std::string& name);
std::string bundled(const std::string& name);

struct Table {
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows;

  /// The column of that title as numbers; fails the test when there is none.
  [[nodiscard]] std::vector<double> column(const std::string& title) const;
};
/// A CSV text without quoted fields.
Table parse_table(const std::string& text);

}  // namespace apps
