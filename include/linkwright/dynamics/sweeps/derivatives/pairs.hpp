#pragma once
/// The pairs of inverse_dynamics.hpp, written where the caller wants them.
///
/// Given    what prepare_derivatives leaves
/// A single state goes column by column, eight rows at a time: rows inboard of the column's joint by
/// the first two formulas, the others by the next two, zeros between branches; all of a column is
/// written in a row. A pack of states, whose numbers are packs themselves, goes pair by pair, and finds
/// zeros where no pair is.
/// Cost     see inverse_dynamics.hpp
///     write_pairs(tree, d, by_q, by_v, NoMass{});
#include "linkwright/dynamics/sweeps/derivatives/inverse_dynamics.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Where 𝓜 goes: nowhere, to a square, or to the packed rows of mass_factors.hpp.
struct NoMass {};
template <class T>
struct SquareMass {
  Square<T> out;
};
template <class T>
struct PackedMass {
  Square<T> out;
};

template <class T, class B>
LINKWRIGHT_INLINE B rotor_of(const Tree<B>& tree, const Node<B>& n, int i) {
  return n.modes < 0 ? n.rotor : tree.modes[static_cast<std::size_t>(n.modes)].rotor[i];
}

/// The lanes of a segment, to where its entries are.
template <class L, class T>
LINKWRIGHT_INLINE void store_segment(const L& x, const Segment& s, T* column) {
#ifdef __AVX512F__
  if constexpr (std::is_same_v<T, double> && L::size == 8) {
    const unsigned mask =
        (1U << static_cast<unsigned>(s.end)) - (1U << static_cast<unsigned>(s.lane));
    return _mm512_mask_storeu_pd(column + s.entry - s.lane, static_cast<__mmask8>(mask),
                                 (__m512d)x.x);
  }
#endif
  T number[L::size];
  x.store(number);
  for (int l = s.lane; l < s.end; ++l) column[s.entry + l - s.lane] = number[l];
}
/// Group g of a column in tree order to the column of the caller.
template <class T>
LINKWRIGHT_INLINE void store_group(const DerivativeScratch<T>& d, int g, const Slots<T>& x,
                                   T* column) {
  const int* first = d.first_segment.data() + g;
  const Segment* segment = d.segments.data() + first[0];
  if (segment->end - segment->lane == slots_of<T, Slots<T>>)
    return x.store(column + segment->entry);
  for (int i = first[0]; i < first[1]; ++i, ++segment) store_segment(x, *segment, column);
}

/// One column of the results for a group of rows.
template <class L>
struct ColumnPart {
  L q, v, mass;
};
/// Of the rows of joints inboard.
template <class T>
LINKWRIGHT_INLINE ColumnPart<Slots<T>> rows_inboard(const Column<Slots<T>>& row,
                                                    const Felt<T>& of) {
  return {dot(of.by_q, row.S), dot(of.by_v, row.S), dot(of.inertial, row.S)};
}
/// Of the rows of the joint itself and outboard of it.
template <class T>
LINKWRIGHT_INLINE ColumnPart<Slots<T>> rows_outboard(const Felt<Slots<T>>& row,
                                                     const Column<T>& of) {
  return {dot(row.inertial, of.psi_rate2) + dot(row.gyric, of.psi_rate.angular),
          dot(row.inertial, of.sum_rate) + dot(row.gyric, of.S.angular), dot(row.inertial, of.S)};
}

/// Column c of the packed rows: 𝓜 of freedom c with those inboard of it.
template <class T>
LINKWRIGHT_INLINE void pack_mass(const DerivativeScratch<T>& d, int c, const T* column, T* row) {
  const int *start = d.stretch.data(), *inboard = d.inboard.data(), *depth = d.depth.data();
  for (int hi = c; hi >= 0;) {
    const int lo = start[hi];
    T* to = row + depth[lo];
    for (int j = lo; j <= hi; ++j) to[j - lo] = column[j];
    hi = inboard[lo];
  }
}

/// A single state.
template <class T, class Mass>
requires std::is_floating_point_v<T> LINKWRIGHT_INLINE void write_pairs(const Tree<T>& tree,
                                                                        DerivativeScratch<T>& d,
                                                                        const Square<T>& by_q,
                                                                        const Square<T>& by_v,
                                                                        const Mass& mass) {
  using L = Slots<T>;
  using Bits = typename L::Bits;
  constexpr int lanes = slots_of<T, L>;
  constexpr bool square = std::is_same_v<Mass, SquareMass<T>>,
                 packed = std::is_same_v<Mass, PackedMass<T>>;
  const L zero(T(0));
  for (int k = 1; k < tree.count(); ++k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    for (int i = 0; i < n.d; ++i) {
      const int c = n.freedom + i, own = n.freedom / lanes, last = (n.end - 1) / lanes;
      const Column<T> x = read_slot<T>(d.column.data(), c);
      const Felt<T> f = read_slot<T>(d.felt.data(), c);
      const T rotor = rotor_of<T>(tree, n, i);
      T *column_q = by_q.data + (n.v + i) * by_q.stride,
        *column_v = by_v.data + (n.v + i) * by_v.stride;
      const auto put = [&](int g, const ColumnPart<L>& part) LINKWRIGHT_INLINE_LAMBDA {
        store_group(d, g, part.q, column_q);
        store_group(d, g, part.v, column_v);
        if constexpr (square)
          store_group(d, g, part.mass, mass.out.data + (n.v + i) * mass.out.stride);
        if constexpr (packed) d.rows[4][g] = part.mass;
      };
      const auto kept = [&](const ColumnPart<L>& part, const Bits& keep) LINKWRIGHT_INLINE_LAMBDA {
        return ColumnPart<L>{select(keep, part.q, zero), select(keep, part.v, zero),
                             select(keep, part.mass, zero)};
      };
      const auto inboard = [&](int g) LINKWRIGHT_INLINE_LAMBDA {
        return Bits((d.slot_end[g].x > T(c)) & (d.slot_number[g].x < T(n.freedom)));
      };
      for (int g = 0; g < own; ++g) {
        const Bits keep = inboard(g);
        put(g, spatial::any(keep) ? kept(rows_inboard<T>(d.column[g], f), keep)
                                  : ColumnPart<L>{zero, zero, zero});
      }
      for (int g = own; g <= last; ++g) {
        const Bits keep =
            Bits((d.slot_number[g].x < T(n.end)) & (d.slot_number[g].x > T(n.freedom - 1)));
        ColumnPart<L> part = rows_outboard<T>(d.felt[g], x);
        if constexpr (square || packed)
          part.mass += select(Bits(d.slot_number[g].x == T(c)), L(rotor), zero);
        if (g != own && (g + 1) * lanes <= n.end) {
          put(g, part);
          continue;
        }
        part = kept(part, keep);
        if (g == own && n.freedom % lanes != 0) {
          const ColumnPart<L> above = kept(rows_inboard<T>(d.column[g], f), inboard(g));
          part = {part.q + above.q, part.v + above.v, part.mass + above.mass};
        }
        put(g, part);
      }
      for (int g = last + 1; g < d.groups; ++g) put(g, {zero, zero, zero});
      if constexpr (packed) {
        T* row = d.row(4);
        pack_mass(d, c, row, mass.out.data + c * mass.out.stride);
      }
    }
  }
}

/// Anything else: pair by pair. What is zero by structure is not written.
template <class T, class Mass>
requires(!std::is_floating_point_v<T>) LINKWRIGHT_INLINE
    void write_pairs(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d, const Square<T>& by_q,
                     const Square<T>& by_v, const Mass& mass) {
  constexpr bool square = std::is_same_v<Mass, SquareMass<T>>,
                 packed = std::is_same_v<Mass, PackedMass<T>>;
  const int* entry = tree.velocity_of.data();
  for (int k = 1; k < tree.count(); ++k) {
    const auto& n = tree.nodes[static_cast<std::size_t>(k)];
    for (int i = 0; i < n.d; ++i) {
      const int j = n.freedom + i;
      const Column<T>& x = d.column[static_cast<std::size_t>(j)];
      const std::ptrdiff_t own = n.v + i;
      for (int c = n.freedom; c < n.end; ++c) {
        const Felt<T>& f = d.felt[static_cast<std::size_t>(c)];
        const std::ptrdiff_t other = entry[c];
        const ColumnPart<T> part = rows_outboard<T>(f, x);
        by_q.data[other + own * by_q.stride] = part.q;
        by_v.data[other + own * by_v.stride] = part.v;
        if constexpr (square)
          mass.out.data[other + own * mass.out.stride] =
              mass.out.data[own + other * mass.out.stride] = part.mass;
        if constexpr (packed)
          if (c >= j)
            mass.out.data[d.depth[static_cast<std::size_t>(j)] + c * mass.out.stride] = part.mass;
        if (c < n.freedom + n.d) continue;
        by_q.data[own + other * by_q.stride] = dot(f.by_q, x.S);
        by_v.data[own + other * by_v.stride] = dot(f.by_v, x.S);
      }
      const auto rotor = rotor_of<T>(tree, n, i);
      if constexpr (square) mass.out.data[own * (mass.out.stride + 1)] += rotor;
      if constexpr (packed)
        mass.out.data[d.depth[static_cast<std::size_t>(j)] + j * mass.out.stride] += rotor;
    }
  }
}

/// dT/dq, dT/dv and 𝓜 of bodies and the forces that turn with them; what else pushes:
/// add_force_derivatives.
template <class T, class Mass>
LINKWRIGHT_INLINE void derivatives_and_mass(const Tree<Constant<T>>& tree, Scratch<T>& s,
                                            DerivativeScratch<T>& d, const T* v, const T* a,
                                            const ExternalLoads<Constant<T>>& loads,
                                            const Square<T>& by_q, const Square<T>& by_v,
                                            const Mass& mass) {
  prepare_derivatives(tree, s, d, v, a, loads);
  write_pairs(tree, d, by_q, by_v, mass);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
