#pragma once
/// The pairs of inverse_dynamics.hpp, written where the caller wants them.
///
/// Given    what prepare_derivatives leaves
/// A single state goes column by column, eight rows at a time: rows inboard of the column's joint by
/// the first two formulas, the others by the next two, zeros between branches; all of a column is
/// written in a row. A pack of states, whose numbers are packs themselves, goes column by column too, but
/// pair by pair, and finds zeros where no pair is.
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

/// The first `count` lanes alone, half by half: what is stored as a whole and read again in parts waits.
template <class Lanes, class T>
LINKWRIGHT_INLINE void store_first(const Lanes& x, int count, T* to) {
#ifdef __AVX512F__
  if constexpr (std::is_same_v<T, double> && sizeof(Lanes) == 64) {
    const unsigned mask = (1U << static_cast<unsigned>(count)) - 1U;
    return _mm512_mask_storeu_pd(to, static_cast<__mmask8>(mask), (__m512d)x);
  }
#endif
  constexpr int size = sizeof(Lanes) / sizeof(T), half = size / 2;
  if (count == size) {
    __builtin_memcpy(to, &x, sizeof x);
  } else if constexpr (spatial::is_split<Lanes>) {
    if (count < half) return store_first(x.lo, count, to);
    __builtin_memcpy(to, &x.lo, sizeof x.lo);
    store_first(x.hi, count - half, to + half);
  } else {
    for (int i = 0; i < size; ++i)
      if (i < count) to[i] = x[i];
  }
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
    void write_mass_row(const Tree<Constant<T>>& tree, const DerivativeScratch<T>& d, int c,
                        const Mass& mass) {
  const auto slot = static_cast<std::size_t>(c);
  const auto& n = tree.nodes[static_cast<std::size_t>(d.node[slot])];
  const Force<T>& u = d.felt[slot].inertial;
  const int* entry = tree.velocity_of.data();
  const auto put = [&](int j) LINKWRIGHT_INLINE_LAMBDA {
    T m = dot(u, d.column[static_cast<std::size_t>(j)].S);
    if (j == c) m += rotor_of<T>(tree, n, c - n.freedom);
    if constexpr (std::is_same_v<Mass, PackedMass<T>>)
      mass.out.data[d.depth[static_cast<std::size_t>(j)] + c * mass.out.stride] = m;
    else
      mass.out.data[entry[j] + entry[c] * mass.out.stride] =
          mass.out.data[entry[c] + entry[j] * mass.out.stride] = m;
  };
  for (int j = c; j >= 0; j = d.inboard[static_cast<std::size_t>(j)]) put(j);
}
/// Copies, where there are registers for them: compilers load what is only referred to again after every
/// store, which might have changed it for all that they know.
template <class X>
using Kept = std::conditional_t<spatial::register_bytes == 64, X, const X&>;

/// The columns of freedom c: put(j, dT_j/dq, dT_j/dv) for every freedom j that is related to it.
template <class T, class Put>
requires(!std::is_floating_point_v<T>) LINKWRIGHT_INLINE
    void each_pair(const Tree<Constant<T>>& tree, const DerivativeScratch<T>& d, int c, Put&& put) {
  const auto slot = static_cast<std::size_t>(c);
  const auto& n = tree.nodes[static_cast<std::size_t>(d.node[slot])];
  const Kept<Force<T>> by_q = d.felt[slot].by_q, by_v = d.felt[slot].by_v;
  for (int j = d.inboard[static_cast<std::size_t>(n.freedom)]; j >= 0;
       j = d.inboard[static_cast<std::size_t>(j)]) {
    const Motion<T>& S = d.column[static_cast<std::size_t>(j)].S;
    put(j, dot(by_q, S), dot(by_v, S));
  }
  const Kept<Motion<T>> psi_rate2 = d.column[slot].psi_rate2, sum_rate = d.column[slot].sum_rate;
  const Kept<Vector3<T>> turn = d.column[slot].S.angular,
                         turn_rate = d.column[slot].psi_rate.angular;
  for (int j = n.freedom; j < n.end; ++j) {
    const Felt<T>& f = d.felt[static_cast<std::size_t>(j)];
    put(j, dot(f.inertial, psi_rate2) + dot(f.gyric, turn_rate),
        dot(f.inertial, sum_rate) + dot(f.gyric, turn));
  }
}
template <class T, class Mass>
requires(!std::is_floating_point_v<T>) LINKWRIGHT_INLINE
    void write_pairs(const Tree<Constant<T>>& tree, DerivativeScratch<T>& d, const Square<T>& by_q,
                     const Square<T>& by_v, const Mass& mass) {
  const int* entry = tree.velocity_of.data();
  for (int c = 0; c < tree.nv; ++c) {
    T *q = by_q.data + entry[c] * by_q.stride, *v = by_v.data + entry[c] * by_v.stride;
    each_pair(tree, d, c, [&](int j, const T& dq, const T& dv) LINKWRIGHT_INLINE_LAMBDA {
      q[entry[j]] = dq, v[entry[j]] = dv;
    });
    if constexpr (!std::is_same_v<Mass, NoMass>) write_mass_row(tree, d, c, mass);
  }
}

/// dT/dq, dT/dv and 𝓜 of bodies and the forces that turn with them; what else pushes:
/// add_force_derivatives.
template <class T, class Loads, class Mass>
LINKWRIGHT_INLINE void derivatives_and_mass(const Tree<Constant<T>>& tree, Scratch<T>& s,
                                            DerivativeScratch<T>& d, const T* v, const T* a,
                                            const Loads& loads, const Square<T>& by_q,
                                            const Square<T>& by_v, const Mass& mass) {
  prepare_derivatives(tree, s, d, v, a, loads);
  write_pairs(tree, d, by_q, by_v, mass);
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
