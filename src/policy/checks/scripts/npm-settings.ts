import type { Script } from "./script.ts";

/**
 * What a package's `.npmrc` says of how its scripts run, a line each: by which shell, and, where something stands before or after
 * them, whether that runs at all. Pure.
 */
export function npmSettings(npmrc: string | undefined, scripts: readonly Script[]): string[] {
  const hasAside = scripts.some(({ isAside }) => isAside === true);
  const says = hasAside ? /script-shell|^\s*ignore-scripts/u : /script-shell/u;
  return (npmrc ?? "")
    .split("\n")
    .filter((line) => says.test(line))
    .map((line) => `.npmrc: ${line}`);
}
