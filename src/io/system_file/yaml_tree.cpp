#include "io/system_file/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "io/text_file.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

constexpr std::size_t deepest_nesting = 64;
constexpr std::string_view merge_key = "<<";

using Value = std::shared_ptr<YamlValue>;
using Entry = YamlValue::Entry;

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}

  [[nodiscard]] Value root() const { return root_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    place(create(YamlValue::Kind::null, mark, anchor));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    // yaml-cpp hands a plain ~ or null over as text; quoted text carries the tag "!".
    const bool null = tag != "!" && (text == "~" || text == "null");
    Value value = create(null ? YamlValue::Kind::null : YamlValue::Kind::scalar, mark, anchor);
    value->scalar = text;
    place(value);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    const bool open = found == anchors_.end() ||
                      std::any_of(stack_.begin(), stack_.end(),
                                  [&](const Open& level) { return level.value == found->second; });
    if (open) fail(line(mark), "an alias stands inside its own anchor; write the value out");
    place(found->second);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(create(YamlValue::Kind::list, mark, anchor));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(create(YamlValue::Kind::map, mark, anchor));
  }
  void OnMapEnd() override {
    merge(*stack_.back().value);
    close();
  }

 private:
  struct Open {
    Value value;
    std::optional<Entry> pending;  ///< a key that waits for its value
  };

  static int line(const YAML::Mark& mark) { return mark.line + 1; }

  [[noreturn]] void fail(int line_number, const std::string& message) const {
    throw Error(Source{file_, line_number}, message);
  }

  Value create(YamlValue::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Value value = std::make_shared<YamlValue>();
    value->kind = kind;
    value->line = line(mark);
    if (anchor != 0) anchors_[anchor] = value;
    return value;
  }

  void open(const Value& value) {
    if (stack_.size() >= deepest_nesting)
      fail(value->line, fmt::format("values are nested deeper than {} levels; no system file needs "
                                    "that",
                                    deepest_nesting));
    stack_.push_back({value, std::nullopt});
  }

  void close() {
    const Value value = stack_.back().value;
    stack_.pop_back();
    place(value);
  }

  void place(const Value& value) {
    if (stack_.empty()) {
      root_ = value;
      return;
    }
    Open& top = stack_.back();
    if (top.value->kind == YamlValue::Kind::list) {
      top.value->items.push_back(value);
    } else if (!top.pending) {
      if (value->kind != YamlValue::Kind::scalar)
        fail(value->line, "a key is not plain text; expected `key: value`");
      top.pending = Entry{value->scalar, nullptr, value->line};
    } else {
      top.pending->value = value;
      add(*top.value, *top.pending);
      top.pending.reset();
    }
  }

  void add(YamlValue& map, const Entry& entry) const {
    std::map<std::string, int>& lines = key_lines_[&map];
    const auto [first, inserted] = lines.emplace(entry.key, entry.line);
    if (!inserted)
      fail(entry.line, fmt::format("the key {} is given twice, first at line {}; keep one",
                                   in_quotes(entry.key), first->second));
    map.entries.push_back(entry);
  }

  /// `<<: *other` takes over the keys of other maps that this one does not give itself.
  void merge(YamlValue& map) const {
    const auto found = std::find_if(map.entries.begin(), map.entries.end(),
                                    [](const Entry& entry) { return entry.key == merge_key; });
    if (found != map.entries.end()) {
      const Entry entry = *found;
      map.entries.erase(found);
      if (entry.value->kind == YamlValue::Kind::list)
        for (const auto& item : entry.value->items) take_over(map, *item, entry.line);
      else
        take_over(map, *entry.value, entry.line);
    }
    key_lines_.erase(&map);
  }

  void take_over(YamlValue& map, const YamlValue& other, int line_number) const {
    if (other.kind != YamlValue::Kind::map)
      fail(line_number, "the merge key '<<' needs a map or a list of maps");
    std::map<std::string, int>& lines = key_lines_[&map];
    for (const Entry& entry : other.entries)
      if (lines.emplace(entry.key, entry.line).second) map.entries.push_back(entry);
  }

  const std::string& file_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Value> anchors_;
  mutable std::map<const YamlValue*, std::map<std::string, int>> key_lines_;
  Value root_;
};

}  // namespace

std::shared_ptr<const YamlValue> parse_yaml_tree(std::string_view text, const std::string& file) {
  check_text(text, file);
  std::istringstream stream{std::string(text)};
  TreeBuilder first(file), second(file);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(first) || !first.root())
      throw Error(Source{file}, "the file holds no values; expected `linkwright: 1`");
    if (parser.HandleNextDocument(second) && second.root())
      throw Error(Source{file, second.root()->line},
                  "a second document after `---`; expected one document");
  } catch (const YAML::Exception& e) {
    throw Error(Source{file, e.mark.line >= 0 ? e.mark.line + 1 : 0},
                "this is not valid YAML: " + e.msg);
  }
  return first.root();
}

}  // namespace linkwright
