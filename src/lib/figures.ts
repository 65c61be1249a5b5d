const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A span of time for people: `8 s`, `2 min 5 s`, `1 h 2 min`. @param ms milliseconds */
export function renderDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms / SECOND)) * SECOND;
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor(whole / MINUTE)];
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${(whole % MINUTE) / SECOND} s` : `${whole / SECOND} s`;
}

/** The same where tenths of a second tell something: `3.4 s`, and from 100 seconds on `2 min 5 s`. */
export function renderExactDuration(ms: number): string {
  return ms < 100 * SECOND ? `${(ms / SECOND).toFixed(1)} s` : renderDuration(ms);
}

/** The same where there is little room: `8s`, `2m05s`, `1h02m`. */
export function renderShortDuration(ms: number): string {
  return renderDuration(ms)
    .replace(/ (\d) /, " 0$1 ")
    .replace("min", "m")
    .replaceAll(" ", "");
}

/** A moment of today as a clock shows it: `01:34:49`. @param at milliseconds since the epoch */
export function clockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** A count where there is little room: `950`, `12.3k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
