/** What never ends by itself, or proves nothing. */
const ENDLESS = /no test specified|(?:^|\s)(?:--watch(?:All)?(?!=false)|-w|watch)(?:\s|$)/;
/** What changes files instead of looking at them. */
const WRITES =
  /(?:^|\s)(?:--write|--fix(?:-\w+)*|--apply(?:-unsafe)?|--in-place|-u|--update(?:-?snapshots?)?|--unsafe)(?=[\s=]|$)|\b(?:gofmt|goimports|shfmt|oxfmt|prettier|biome format)\b.*\s-w\b/im;
/** Formatters that write unless they are told to look. */
const FORMATS =
  /\b(?:prettier|oxfmt|black|ruff format|isort|cargo fmt|dart format|terraform fmt|mix format|dprint fmt|deno fmt)\b(.*)/gi;
const LOOKS = /(?:^|\s)(?:--check(?:-only|-formatted)?|--list-different|--diff|-l|-c)(?=[\s=]|$)/;
/** Runners that watch unless they are told that nobody does. */
const WATCHES = /\b(?:react-scripts|ng|craco|vue-cli-service) test\b/;

/** Whether a command only looks, and comes to an end. */
export function proves(script: string): boolean {
  if (ENDLESS.test(script) || WRITES.test(script)) return false;
  const formats = [...script.matchAll(FORMATS)].map(([, rest = ""]) => rest.split(/&&|\|\||[;|]/)[0] ?? "");
  return formats.every((rest) => LOOKS.test(rest));
}

/** Whether a runner has to be told that nobody watches. */
export function watches(script: string): boolean {
  return WATCHES.test(script) && !/\bCI=|--watch(?:All)?=false|--no-watch/.test(script);
}
