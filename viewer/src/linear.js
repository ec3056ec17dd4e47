// Rank-revealing solution of small systems of equations: Householder's method with pivoting, on the transposed rows.

/** Reflects x by the unit vector u, from entry `first` on. */
function reflect(u, x, first) {
  let sum = 0;
  for (let i = first; i < x.length; ++i) sum += u[i] * x[i];
  for (let i = first; i < x.length; ++i) x[i] -= 2 * sum * u[i];
}

const normFrom = (x, first) => {
  let sum = 0;
  for (let i = first; i < x.length; ++i) sum += x[i] * x[i];
  return Math.sqrt(sum);
};

/** The unit vector whose reflection brings x, from entry k on, onto the axis k. */
function reflector(x, k) {
  const u = new Float64Array(x.length);
  for (let i = k; i < x.length; ++i) u[i] = x[i];
  u[k] += x[k] < 0 ? -normFrom(x, k) : normFrom(x, k);
  const size = normFrom(u, k);
  for (let i = k; i < u.length; ++i) u[i] /= size;
  return u;
}

/** The place of the longest of the columns from k on, measured from entry k. */
function longest(columns, k) {
  let [best, most] = [k, -1];
  for (let j = k; j < columns.length; ++j) {
    const size = normFrom(columns[j].values, k);
    if (size > most) [best, most] = [j, size];
  }
  return { best, most };
}

/**
 * Takes rows (of n numbers each) apart into those that are independent and what they leave open. Rows shorter than
 * `threshold` times the longest, once the ones before are taken out, repeat what those say; `mostRank` bounds how many
 * are kept, where it is known how many can be.
 */
export function takeApart(rows, n, threshold, mostRank = rows.length) {
  const columns = rows.map((row, index) => ({ index, values: Float64Array.from(row) }));
  const reflectors = [];
  let largest = 0;
  for (let k = 0; k < Math.min(n, columns.length, mostRank); ++k) {
    const { best, most } = longest(columns, k);
    if (k === 0) largest = most;
    if (!(most > threshold * largest) || most === 0) break;
    [columns[k], columns[best]] = [columns[best], columns[k]];
    const u = reflector(columns[k].values, k);
    for (let j = k; j < columns.length; ++j) reflect(u, columns[j].values, k);
    reflectors.push(u);
  }
  const rank = reflectors.length;
  /** Column k of the orthogonal matrix Q. */
  const direction = (k) => {
    const x = new Float64Array(n);
    x[k] = 1;
    for (let i = rank - 1; i >= 0; --i) reflect(reflectors[i], x, i);
    return x;
  };
  return {
    rank,
    /** The shortest x for which the independent rows give what `right` says. */
    solve(right) {
      const x = new Float64Array(n);
      for (let k = 0; k < rank; ++k) {
        const { index, values } = columns[k];
        let rest = right[index];
        for (let i = 0; i < k; ++i) rest -= values[i] * x[i];
        x[k] = rest / values[k];
      }
      for (let i = rank - 1; i >= 0; --i) reflect(reflectors[i], x, i);
      return x;
    },
    /** Orthonormal directions in which all independent rows are zero. */
    open: () => Array.from({ length: n - rank }, (_, i) => direction(rank + i)),
  };
}

export const dotProduct = (a, b) => {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += a[i] * b[i];
  return sum;
};
export const largestEntry = (x) => x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
