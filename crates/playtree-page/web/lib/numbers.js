/** Numbers as texts: short, and the same width where they change often. */

/** @param {number | null | undefined} share in [0, 1] */
export function percent(share, digits = 1) {
  return share == null ? "-" : `${(100 * share).toFixed(digits)} %`;
}

/**
 * 950, 12.3k, 4.5M.
 * @param {number} count
 */
export function short(count) {
  if (count < 1000) return String(Math.round(count));
  const [unit, sign] = count < 999_500 ? [1e3, "k"] : count < 999_500_000 ? [1e6, "M"] : [1e9, "G"];
  const value = count / unit;
  return value.toFixed(value < 9.95 ? 1 : 0) + sign;
}

/**
 * 1,234,567 in the thin style of SI.
 * @param {number} count
 */
export function grouped(count) {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** @param {number} count */
export function bytes(count) {
  if (count < 1 << 20) return `${Math.round(count / 1024)} kB`;
  const megabytes = count / (1 << 20);
  return megabytes < 1024 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1024).toFixed(2)} GB`;
}

/** @param {number} count */
export function seconds(count) {
  return `${count.toFixed(count < 100 ? 1 : 0)} s`;
}

/**
 * 1:02:03, 4:59, and with tenths 0:07.3; whole seconds are rounded up.
 * @param {number} count seconds
 * @param {boolean} tenths
 */
export function clockTime(count, tenths) {
  const whole = tenths ? Math.floor(count) : Math.ceil(count);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  const [first, ...rest] = parts.map(String);
  const text = [first, ...rest.map((part) => part.padStart(2, "0"))].join(":");
  return tenths ? `${text}.${Math.floor(10 * count) % 10}` : text;
}
