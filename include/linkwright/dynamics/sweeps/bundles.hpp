#pragma once
/// The sweeps of a single state with equal branches side by side (system/bundle.hpp). The recursions
/// are those of all trees; here is only what goes between a bundle and the body that carries it:
/// outward its motion, the same in every lane; inward a sum over the lanes of what hangs on it.
///
/// forward_dynamics_filter, forward_dynamics_smoother   forward_dynamics.hpp
/// inverse_dynamics                                     inverse_dynamics.hpp
/// mass_matrix                                          mass_matrix.hpp
/// Cost     that of one branch instead of up to four, and 10 loads, stores or sums per freedom

#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"
#include "linkwright/dynamics/sweeps/resistance.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

using Lanes = Bundle::Number;

/// read(index) in every lane.
template <class Read>
LINKWRIGHT_INLINE Lanes gather(const Bundle::Lanes& index, Read&& read) {
  return Lanes(
      typename Lanes::Lanes{read(index[0]), read(index[1]), read(index[2]), read(index[3])});
}
LINKWRIGHT_INLINE void gather_all(const std::vector<Bundle::Lanes>& index, const double* from,
                                  Lanes* to) {
  for (const Bundle::Lanes& lanes : index)
    *to++ = gather(lanes, [&](int i) LINKWRIGHT_INLINE_LAMBDA { return from[i]; });
}
LINKWRIGHT_INLINE void scatter_all(const std::vector<Bundle::Lanes>& index, const Lanes* from,
                                   double* to) {
  for (const Bundle::Lanes& lanes : index) {
    for (int l = 0; l < Bundle::width; ++l) to[lanes[static_cast<std::size_t>(l)]] = from->x[l];
    ++from;
  }
}
LINKWRIGHT_INLINE Vector3<Lanes> in_all_lanes(const Vector3<double>& v) {
  return {Lanes(v.x), Lanes(v.y), Lanes(v.z)};
}
LINKWRIGHT_INLINE Motion<Lanes> in_all_lanes(const Motion<double>& m) {
  return {in_all_lanes(m.angular), in_all_lanes(m.linear)};
}
LINKWRIGHT_INLINE Matrix3<Lanes> in_all_lanes(const Matrix3<double>& m) {
  return {Lanes(m.xx), Lanes(m.xy), Lanes(m.xz), Lanes(m.yx), Lanes(m.yy),
          Lanes(m.yz), Lanes(m.zx), Lanes(m.zy), Lanes(m.zz)};
}

/// Adds to each of the numbers of `to` the sum over the first lanes of its counterpart in `from`. Both
/// consist of nothing but numbers in a row.
template <template <class> class Quantity>
LINKWRIGHT_INLINE void add_lanes(const Bundle& bundle, const Quantity<Lanes>& from,
                                 Quantity<double>& to) {
  constexpr int count = sizeof(Quantity<double>) / sizeof(double);
  static_assert(sizeof(Quantity<Lanes>) == count * sizeof(Lanes));
  const auto* pack = reinterpret_cast<const Lanes*>(&from);
  auto* number = reinterpret_cast<double*>(&to);
  const auto used = Lanes::first_lanes(bundle.lanes);
  const auto lanes_of = [&](int i) LINKWRIGHT_INLINE_LAMBDA {
    return select(used, pack[i < count ? i : 0], Lanes(0.0)).x;
  };
  // Four at a time: pairs, then pairs of pairs.
  for (int i = 0; i < count; i += 4) {
    const auto a = lanes_of(i), b = lanes_of(i + 1), c = lanes_of(i + 2), d = lanes_of(i + 3);
    const auto ab =
        __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const auto cd =
        __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
    const auto sum =
        __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    for (int j = 0; j < 4 && i + j < count; ++j) number[i + j] += sum[j];
  }
}

/// One lane of a quantity that consists of nothing but numbers in a row.
template <template <class> class Quantity>
LINKWRIGHT_INLINE void copy_lane(const Quantity<Lanes>& from, int lane, Quantity<double>& to) {
  constexpr int count = sizeof(Quantity<double>) / sizeof(double);
  static_assert(sizeof(Quantity<Lanes>) == count * sizeof(Lanes));
  const auto* pack = reinterpret_cast<const Lanes*>(&from);
  auto* number = reinterpret_cast<double*>(&to);
  for (int i = 0; i < count; ++i) number[i] = pack[i].x[lane];
}

/// Of a joint with d freedoms.
LINKWRIGHT_INLINE void copy_lane(const MultiGain<Lanes>& from, int lane, int d,
                                 MultiGain<double>& to) {
  for (int i = 0; i < d; ++i) {
    copy_lane(from.Y[i], lane, to.Y[i]);
    for (int j = 0; j < i; ++j) to.L[i][j] = from.L[i][j].x[lane];
    to.inverse_Delta[i] = from.inverse_Delta[i].x[lane];
    to.e[i] = from.e[i].x[lane];
  }
}

/// Where the joints of the tree stand, into the packs.
LINKWRIGHT_INLINE void gather_places(const Bundle& bundle, const Scratch<double>& s,
                                     Scratch<Lanes>& packs) {
  outward(bundle.branch, [&](auto joint, int k) LINKWRIGHT_INLINE_LAMBDA {
    const Bundle::Lanes& nodes = bundle.nodes[static_cast<std::size_t>(k)];
    const auto of = [&](auto read) LINKWRIGHT_INLINE_LAMBDA {
      return gather(nodes, [&](int n) LINKWRIGHT_INLINE_LAMBDA { return read(s.place[n]); });
    };
    using P = const Place<double>&;
    Place<Lanes>& x = packs.place[k];
    if constexpr (decltype(joint)::revolute) {
      x.c = of([](P p) { return p.c; }), x.s = of([](P p) { return p.s; });
    } else {
      x.p.x = of([](P p) { return p.p.x; }), x.p.y = of([](P p) { return p.p.y; });
      x.p.z = of([](P p) { return p.p.z; });
      x.R.xx = of([](P p) { return p.R.xx; }), x.R.xy = of([](P p) { return p.R.xy; });
      x.R.xz = of([](P p) { return p.R.xz; }), x.R.yx = of([](P p) { return p.R.yx; });
      x.R.yy = of([](P p) { return p.R.yy; }), x.R.yz = of([](P p) { return p.R.yz; });
      x.R.zx = of([](P p) { return p.R.zx; }), x.R.zy = of([](P p) { return p.R.zy; });
      x.R.zz = of([](P p) { return p.R.zz; });
    }
  });
}
/// External forces on the bodies of the tree, into the packs; null where there are none.
LINKWRIGHT_INLINE const Force<Lanes>* gather_forces(const Bundle& bundle, const Force<double>* f,
                                                    Scratch<Lanes>& packs) {
  if (f == nullptr) return nullptr;
  for (std::size_t k = 1; k < bundle.nodes.size(); ++k) {
    const auto of = [&](auto read) LINKWRIGHT_INLINE_LAMBDA {
      return gather(bundle.nodes[k], [&](int n) LINKWRIGHT_INLINE_LAMBDA { return read(f[n]); });
    };
    using F = const Force<double>&;
    packs.f_ext[k] = {{of([](F g) { return g.moment.x; }), of([](F g) { return g.moment.y; }),
                       of([](F g) { return g.moment.z; })},
                      {of([](F g) { return g.force.x; }), of([](F g) { return g.force.y; }),
                       of([](F g) { return g.force.z; })}};
  }
  return packs.f_ext.data();
}

/// step(bundle, its scratch) for all bundles.
template <class Step>
LINKWRIGHT_INLINE void each_bundle(const BundledTree& tree, BundledScratch& s, Step&& step) {
  for (std::size_t i = 0; i < tree.bundles.size(); ++i) step(tree.bundles[i], s.bundles[i]);
}

/// Whether something resists every joint. Else the gains that tell so stand in the tree's own scratch.
LINKWRIGHT_INLINE bool all_resisted(const BundledTree& tree, BundledScratch& s) {
  bool all = true;
  for (const Run& run : tree.trunk)
    for (int k = run.first; k <= run.last; ++k) all = is_resisted(tree, s, k) && all;
  each_bundle(tree, s, [&](const Bundle& bundle, BundleScratch& packs) LINKWRIGHT_INLINE_LAMBDA {
    typename Lanes::Bits held = ~typename Lanes::Bits{};
    for (int k = 2; k < bundle.branch.count(); ++k)
      held = held & is_resisted(bundle.branch, packs.sweep, k);
    all = !spatial::any(typename Lanes::Bits(~held)) && all;
  });
  if (all) [[likely]]
    return true;
  each_bundle(tree, s, [&](const Bundle& bundle, BundleScratch& packs) {
    for (std::size_t k = 2; k < bundle.nodes.size(); ++k)
      for (int l = 0; l < bundle.lanes; ++l) {
        const auto to = static_cast<std::size_t>(bundle.nodes[k][static_cast<std::size_t>(l)]);
        const int modes = bundle.branch.nodes[k].modes;
        if (modes < 0) {
          s.gain[to].D_inv = packs.sweep.gain[k].D_inv.x[l];
          s.gain[to].around = packs.sweep.gain[k].around.x[l];
          continue;
        }
        auto& gain = s.multi_gain[static_cast<std::size_t>(tree.nodes[to].modes)];
        const auto& pack = packs.sweep.multi_gain[static_cast<std::size_t>(modes)];
        for (int i = 0; i < tree.nodes[to].d; ++i)
          gain.pivot[i] = pack.pivot[i].x[l], gain.most[i] = pack.most[i].x[l];
      }
  });
  return false;
}

/// As the one for all scalars; false where nothing resists a joint.
inline bool bundled_forward_dynamics_filter(const BundledTree& tree, BundledScratch& s,
                                            const double* q, const double* v, const double* tau,
                                            double* room, const ExternalLoads<double>& loads) {
  const Force<double>* f_ext = place_and_gather<double>(tree, s, q, v, loads);
  const double* effort = add_joint_forces<double>(tree, q, v, tau, room);
  bias_sweep<double>(tree, tree.trunk, s, v, f_ext);
  // The runs that end there join what bundles have passed on.
  for (const Bundle& bundle : tree.bundles) s.P[bundle.carrier] = {};
  each_bundle(tree, s, [&](const Bundle& bundle, BundleScratch& packs) LINKWRIGHT_INLINE_LAMBDA {
    Scratch<Lanes>& p = packs.sweep;
    gather_places(bundle, s, p);
    gather_all(bundle.velocities, v, packs.v.data());
    gather_all(bundle.velocities, effort, packs.x.data());
    p.omega[1] = in_all_lanes(s.omega[bundle.carrier]);
    p.z[1] = {};
    bias_sweep<Lanes>(bundle.branch, bundle.branch.runs, p, packs.v.data(),
                      gather_forces(bundle, f_ext, p));
    filter_sweep<Lanes>(bundle.branch, bundle.branch.runs, p, packs.x.data());
    if (bundle.carrier == 0) return;
    add_lanes(bundle, p.P[1], s.P[bundle.carrier]);
    add_lanes(bundle, p.z[1], s.z[bundle.carrier]);
  });
  filter_sweep<double>(tree, tree.trunk, s, effort);
  return all_resisted(tree, s);
}

/// What the filter left in the packs, to where it stands for every other joint: gains, innovations and
/// a(k), for whom walks through the tree joint by joint.
LINKWRIGHT_INLINE void scatter_filtered(const BundledTree& tree, BundledScratch& s) {
  each_bundle(tree, s, [&](const Bundle& bundle, BundleScratch& packs) LINKWRIGHT_INLINE_LAMBDA {
    for (std::size_t k = 2; k < bundle.nodes.size(); ++k)
      for (int l = 0; l < bundle.lanes; ++l) {
        const auto to = static_cast<std::size_t>(bundle.nodes[k][static_cast<std::size_t>(l)]);
        const int modes = bundle.branch.nodes[k].modes;
        copy_lane(packs.sweep.a[k], l, s.a[to]);
        if (modes < 0)
          copy_lane(packs.sweep.gain[k], l, s.gain[to]);
        else
          copy_lane(packs.sweep.multi_gain[static_cast<std::size_t>(modes)], l, tree.nodes[to].d,
                    s.multi_gain[static_cast<std::size_t>(tree.nodes[to].modes)]);
      }
  });
}
/// The innovations back into the packs, after something was added to them.
LINKWRIGHT_INLINE void gather_innovations(const BundledTree& tree, BundledScratch& s) {
  each_bundle(tree, s, [&](const Bundle& bundle, BundleScratch& packs) LINKWRIGHT_INLINE_LAMBDA {
    for (std::size_t k = 2; k < bundle.nodes.size(); ++k) {
      const int modes = bundle.branch.nodes[k].modes;
      const Bundle::Lanes& nodes = bundle.nodes[k];
      if (modes < 0) {
        packs.sweep.gain[k].nu =
            gather(nodes, [&](int n) LINKWRIGHT_INLINE_LAMBDA { return s.gain[n].nu; });
        continue;
      }
      auto& gain = packs.sweep.multi_gain[static_cast<std::size_t>(modes)];
      for (int i = 0; i < bundle.branch.nodes[k].d; ++i)
        gain.e[i] = gather(nodes, [&](int n) LINKWRIGHT_INLINE_LAMBDA {
          return s
              .multi_gain[static_cast<std::size_t>(tree.nodes[static_cast<std::size_t>(n)].modes)]
              .e[i];
        });
    }
  });
}

inline void bundled_forward_dynamics_smoother(const BundledTree& tree, BundledScratch& s,
                                              double* a) {
  s.alpha[0] = moving_world<double>(tree).alpha;
  smoother_sweep<double>(tree, tree.trunk, s, a);
  each_bundle(tree, s, [&](const Bundle& bundle, BundleScratch& packs) LINKWRIGHT_INLINE_LAMBDA {
    packs.sweep.alpha[1] = in_all_lanes(s.alpha[bundle.carrier]);
    smoother_sweep<Lanes>(bundle.branch, bundle.branch.runs, packs.sweep, packs.y.data());
    scatter_all(bundle.velocities, packs.y.data(), a);
  });
}

inline void bundled_inverse_dynamics(const BundledTree& tree, BundledScratch& s, const double* v,
                                     const double* a, const Force<double>* f_ext, double* tau) {
  s.moving[0] = moving_world<double>(tree);
  s.A[0] = {};
  motion_sweep<double>(tree, tree.trunk, s, v, a, f_ext);
  each_bundle(tree, s, [&](const Bundle& bundle, BundleScratch& packs) LINKWRIGHT_INLINE_LAMBDA {
    Scratch<Lanes>& p = packs.sweep;
    gather_places(bundle, s, p);
    gather_all(bundle.velocities, v, packs.v.data());
    gather_all(bundle.velocities, a, packs.x.data());
    const Moving<double>& from = s.moving[bundle.carrier];
    p.moving[1] = {in_all_lanes(from.omega), in_all_lanes(from.alpha)};
    p.A[1] = in_all_lanes(s.A[bundle.carrier]);
    p.f[1] = {};
    motion_sweep<Lanes>(bundle.branch, bundle.branch.runs, p, packs.v.data(), packs.x.data(),
                        gather_forces(bundle, f_ext, p));
    force_sweep<Lanes>(bundle.branch, bundle.branch.runs, p, packs.x.data(), packs.y.data());
    scatter_all(bundle.velocities, packs.y.data(), tau);
    if (bundle.carrier != 0) add_lanes(bundle, p.f[1], s.f[bundle.carrier]);
  });
  force_sweep<double>(tree, tree.trunk, s, a, tau);
}

/// The columns of a bundle's freedoms, as its carrier feels them, to where the tree keeps them: those of
/// one branch are neighbours.
LINKWRIGHT_INLINE void scatter_columns(const BundledTree& tree, const Bundle& bundle,
                                       const Scratch<Lanes>& packs, Scratch<double>& s) {
  for (int l = 0; l < bundle.lanes; ++l) {
    const auto root = static_cast<std::size_t>(bundle.nodes[2][static_cast<std::size_t>(l)]);
    const int first = tree.nodes[root].freedom;
    for (int i = 0; i < bundle.branch.nv; ++i) {
      const Force<Lanes>& F = packs.force_columns[i];
      s.set_force_column(first + i, {{F.moment.x.x[l], F.moment.y.x[l], F.moment.z.x[l]},
                                     {F.force.x.x[l], F.force.y.x[l], F.force.z.x[l]}});
    }
  }
}

/// write_entry(a, b, x): x = M(a, b); write(n, i, row): as row_sweep hands it on.
template <class WriteEntry, class Write>
LINKWRIGHT_INLINE void bundled_mass_matrix_rows(const BundledTree& tree, BundledScratch& s,
                                                WriteEntry&& write_entry, Write&& write) {
  clear_composites(tree.trunk, s);
  each_bundle(tree, s, [&](const Bundle& bundle, BundleScratch& packs) LINKWRIGHT_INLINE_LAMBDA {
    Scratch<Lanes>& p = packs.sweep;
    const Bundle::Lanes* entry = bundle.velocities.data();
    gather_places(bundle, s, p);
    clear_composites(bundle.branch.runs, p);
    p.composite[1] = {};
    row_sweep<Lanes>(bundle.branch, bundle.branch.runs, p,
                     [&](const auto& n, int i, const Lanes* row) LINKWRIGHT_INLINE_LAMBDA {
                       const Bundle::Lanes& own = entry[n.v + i];
                       for (int c = n.freedom + i; c < n.end; ++c)
                         for (int l = 0; l < Bundle::width; ++l)
                           write_entry(own[l], entry[c][l], row[c].x[l]);
                     });
    if (bundle.carrier == 0) return;
    add_lanes(bundle, p.composite[1], s.composite[bundle.carrier]);
    scatter_columns(tree, bundle, p, s);
  });
  row_sweep<double>(tree, tree.trunk, s, write);
}

inline void bundled_mass_matrix(const BundledTree& tree, BundledScratch& s, double* out,
                                std::ptrdiff_t stride) {
  if (tree.bundles.empty()) return mass_matrix<double>(tree, s, out, stride);
  clear_square(tree.nv, out, stride);
  bundled_mass_matrix_rows(
      tree, s,
      [&](std::ptrdiff_t a, std::ptrdiff_t b, double x)
          LINKWRIGHT_INLINE_LAMBDA { out[a + b * stride] = out[b + a * stride] = x; },
      [&](const auto& n, int i, const double* row)
          LINKWRIGHT_INLINE_LAMBDA { write_row(tree, n, i, row, out, stride); });
}

inline void bundled_mass_matrix_lower(const BundledTree& tree, BundledScratch& s, double* out,
                                      std::ptrdiff_t stride) {
  if (tree.bundles.empty()) return mass_matrix_lower<double>(tree, s, out, stride);
  bundled_mass_matrix_rows(
      tree, s,
      [&](std::ptrdiff_t a, std::ptrdiff_t b, double x)
          LINKWRIGHT_INLINE_LAMBDA { out[std::max(a, b) + std::min(a, b) * stride] = x; },
      [&](const auto& n, int i, const double* row)
          LINKWRIGHT_INLINE_LAMBDA { write_lower(tree, n, i, row, out, stride); });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
