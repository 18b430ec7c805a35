// What measurements add up to.

/** @param {number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/** The value that this share of the others is below; between two of them where it has to be. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)];
  return low + (at % 1) * (sorted[Math.ceil(at)] - low);
}

/** @param {number[]} values */
export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The same random whole numbers below a limit each time. @param {number} seed */
export function numbers(seed) {
  let state = seed * 7919 + 1;
  return (below) => {
    state = (state * 16807) % 2147483647;
    return state % below;
  };
}
