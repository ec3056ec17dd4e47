#include "linkwright/operators/sparsity.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "operators/svg_text.hpp"

namespace linkwright::operators {
namespace {

// Okabe and Ito's blue and orange, which stay apart for colour-blind readers; blocks in a pale tint.
struct Look {
  const char *name, *tint, *mark, *meaning;
};
constexpr Look identity_look{"identity", "#fbf0dc", "#d98f1e", "identity block"};
constexpr Look other_look{"other", "#e6eff7", "#2f76ad", "other block, its nonzero entries dark"};
constexpr const char* zero_meaning = "zero block";

constexpr double margin = 16, gap = 26, title_height = 22, legend_height = 30, name_size = 9;
constexpr double mark_size = 0.84;  // of an entry's place: entries stay apart

int sum_of(const std::vector<int>& sizes) { return std::accumulate(sizes.begin(), sizes.end(), 0); }

void check_panel(const SparsityPanel& panel) {
  const auto rows = static_cast<std::size_t>(sum_of(panel.rows));
  const auto columns = static_cast<std::size_t>(sum_of(panel.columns));
  if (rows * columns != panel.entries.size())
    throw Error(fmt::format("panel '{}' has {} entries; its blocks are for {} rows and {} columns",
                            panel.title, panel.entries.size(), rows, columns));
  if (!panel.row_names.empty() && panel.row_names.size() != panel.rows.size())
    throw Error(fmt::format("panel '{}' has {} names for {} rows of blocks", panel.title,
                            panel.row_names.size(), panel.rows.size()));
}

/// Where the rows and columns of a panel are, in pixels.
struct Placed {
  const SparsityPanel& panel;
  double x, y;   // upper left corner of the matrix
  double scale;  // pixels per entry

  [[nodiscard]] double width() const { return scale * sum_of(panel.columns); }
  [[nodiscard]] double height() const { return scale * sum_of(panel.rows); }
};
double scale_of(const SparsityPanel& panel) {
  return panel.side / std::max({sum_of(panel.rows), sum_of(panel.columns), 1});
}
double names_width(const SparsityPanel& panel) {
  std::size_t longest = 0;
  for (const std::string& name : panel.row_names) longest = std::max(longest, length_of(name));
  return longest == 0 ? 0 : 0.55 * name_size * static_cast<double>(longest) + 6;
}

/// Left to right, and on to the next line where the width is used up.
std::vector<Placed> place(std::span<const SparsityPanel> panels, double width) {
  std::vector<Placed> placed;
  double x = margin, y = margin, below = margin;
  for (const SparsityPanel& panel : panels) {
    Placed p{panel, 0, 0, scale_of(panel)};
    const double whole = names_width(panel) + p.width();
    if (x > margin && x + whole > width - margin) x = margin, y = below + gap * 0.6;
    p.x = x + names_width(panel), p.y = y + title_height;
    x += whole + gap;
    below = std::max(below, p.y + p.height());
    placed.push_back(p);
  }
  return placed;
}

/// The nonzero entries of a block, one stroke each, a little shorter than the entry is wide.
std::string strokes_of(const Placed& p, int top, int left, int rows, int columns) {
  const int stride = sum_of(p.panel.columns);
  const double length = mark_size * p.scale;
  std::string path;
  for (int i = top; i < top + rows; ++i)
    for (int j = left; j < left + columns; ++j)
      if (p.panel.entries[static_cast<std::size_t>(i * stride + j)] != Entry::zero)
        path += fmt::format("M{:.2f} {:.2f}h{:.2f}", p.x + p.scale * (j + 0.5) - length / 2,
                            p.y + p.scale * (i + 0.5), length);
  return path;
}

void draw_blocks(const Placed& p, std::string& out) {
  int top = 0;
  for (std::size_t i = 0; i < p.panel.rows.size(); top += p.panel.rows[i++]) {
    int left = 0;
    for (std::size_t j = 0; j < p.panel.columns.size(); left += p.panel.columns[j++]) {
      const Block block = block_at(p.panel, i, j);
      if (block == Block::zero) continue;
      const Look& look = block == Block::identity ? identity_look : other_look;
      out += fmt::format(
          "<g class=\"{}\" data-block=\"{} {}\">"
          "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>"
          "<path d=\"{}\" stroke=\"{}\" stroke-width=\"{:.2f}\"/></g>\n",
          look.name, i, j, p.x + p.scale * left, p.y + p.scale * top, p.scale * p.panel.columns[j],
          p.scale * p.panel.rows[i], look.tint,
          strokes_of(p, top, left, p.panel.rows[i], p.panel.columns[j]), look.mark,
          mark_size * p.scale);
    }
  }
}
void draw_grid(const Placed& p, std::string& out) {
  std::string lines;
  double at = p.x;
  for (std::size_t j = 0; j + 1 < p.panel.columns.size(); ++j) {
    at += p.scale * p.panel.columns[j];
    lines += fmt::format("M{:.2f} {:.2f}v{:.2f}", at, p.y, p.height());
  }
  at = p.y;
  for (std::size_t i = 0; i + 1 < p.panel.rows.size(); ++i) {
    at += p.scale * p.panel.rows[i];
    lines += fmt::format("M{:.2f} {:.2f}h{:.2f}", p.x, at, p.width());
  }
  out += fmt::format(
      "<path d=\"{}\" stroke=\"#d8d8d8\" stroke-width=\"0.5\" fill=\"none\"/>\n"
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" "
      "stroke=\"#999999\" stroke-width=\"0.8\"/>\n",
      lines, p.x, p.y, p.width(), p.height());
}
void draw_words(const Placed& p, std::string& out) {
  out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"13\">{}</text>\n", p.x, p.y - 7,
                     escaped(p.panel.title));
  double top = p.y;
  for (std::size_t i = 0; i < p.panel.row_names.size(); ++i) {
    const double height = p.scale * p.panel.rows[i];
    out += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" text-anchor=\"end\">{}</text>\n", p.x - 5,
        top + height / 2 + 0.35 * name_size, name_size, escaped(p.panel.row_names[i]));
    top += height;
  }
}
void draw_legend(double y, std::string& out) {
  double x = margin;
  const auto sample = [&](const char* tint, const char* mark, const char* meaning) {
    out += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"12\" height=\"12\" fill=\"{}\" stroke=\"#d8d8d8\" "
        "stroke-width=\"0.5\"/><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"4\" height=\"4\" "
        "fill=\"{}\"/><text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"11\">{}</text>\n",
        x, y, tint, x + 4, y + 4, mark, x + 18, y + 10, meaning);
    x += 18 + 5.8 * static_cast<double>(length_of(meaning)) + gap;
  };
  sample(identity_look.tint, identity_look.mark, identity_look.meaning);
  sample(other_look.tint, other_look.mark, other_look.meaning);
  sample("#ffffff", "#ffffff", zero_meaning);
}

}  // namespace

std::vector<int> block_sizes(const Operators& at, Space s) {
  if (!is_joint(s)) return std::vector<int>(static_cast<std::size_t>(at.size(s) / 6), 6);
  std::vector<int> node_of(static_cast<std::size_t>(at.size(s)));
  const auto& data = at.data();
  for (std::size_t k = 1; k < data.tree->nodes.size(); ++k)
    if (data.aggregate_of[k] < 0)
      std::fill_n(node_of.begin() + data.first_joint[k], data.tree->nodes[k].d,
                  static_cast<int>(k));
  for (const Aggregate<double>& loop : data.aggregates)
    for (const int joint : loop.joint)
      node_of[static_cast<std::size_t>(joint)] = loop.nodes.front();
  std::vector<int> sizes;
  for (std::size_t i = 0; i < node_of.size(); ++i) {
    if (i == 0 || node_of[i] != node_of[i - 1]) sizes.push_back(0);
    ++sizes.back();
  }
  return sizes;
}

Block block_at(const SparsityPanel& panel, std::size_t row, std::size_t column) {
  const auto start = [](const std::vector<int>& sizes, std::size_t i) {
    return std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(i), 0);
  };
  const int top = start(panel.rows, row), left = start(panel.columns, column);
  const int stride = sum_of(panel.columns);
  const int rows = panel.rows[row], columns = panel.columns[column];
  bool zero = true, identity = rows == columns;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const Entry entry = panel.entries[static_cast<std::size_t>((top + i) * stride + left + j)];
      zero = zero && entry == Entry::zero;
      identity = identity && entry == (i == j ? Entry::one : Entry::zero);
    }
  if (zero) return Block::zero;
  return identity ? Block::identity : Block::other;
}

std::string draw_sparsity(std::span<const SparsityPanel> panels, double width) {
  for (const SparsityPanel& panel : panels) check_panel(panel);
  double right = 0, below = margin;
  std::string body, titles;
  for (const Placed& p : place(panels, width)) {
    draw_blocks(p, body);
    draw_grid(p, body);
    draw_words(p, body);
    right = std::max(right, p.x + p.width() + margin);
    below = std::max(below, p.y + p.height());
    titles += (titles.empty() ? "" : ", ") + p.panel.title;
  }
  draw_legend(below + 14, body);
  right = std::max(right, 540.0);  // the legend's
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" font-family=\"DejaVu Sans, Verdana, "
      "sans-serif\" fill=\"#333333\">\n<title>Sparsity of {2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      right, below + 14 + legend_height, escaped(titles), body);
}

}  // namespace linkwright::operators
