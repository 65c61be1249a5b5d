/** Programs that run what stands behind their own options, and end as it does; with options that take the next word. */
const WRAPPERS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    env: /^-[uCS]$/u,
    nice: /^-n$/u,
    ionice: /^-[cnp]$/u,
    nohup: /^$/u,
    time: /^-[fo]$/u,
    command: /^$/u,
    builtin: /^$/u,
    exec: /^-a$/u,
    stdbuf: /^-[ioe]$/u,
    setsid: /^$/u,
    timeout: /^-[ks]$/u,
    gtimeout: /^-[ks]$/u,
    sudo: /^-[ugp]$/u,
    doas: /^-[uC]$/u,
    caffeinate: /^$/u,
    chronic: /^$/u,
    xargs: /^-[IdnPLsE]$/u,
  }),
);

/** What a wrapper runs, the same words where they begin with none; null where it runs nothing. */
export function unwrapped(words: readonly string[]): readonly string[] | null {
  const [name = ""] = words;
  const valued = WRAPPERS.get(name);
  if (valued === undefined) return words;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    // Only says where a program is.
    if (name === "command" && /^-[vV]+$/u.test(word)) return null;
    if (valued.test(word)) at++;
    else if (!word.startsWith("-") && !(name === "env" && /^\w+=/u.test(word))) break;
  }
  if (name.endsWith("timeout")) at++;
  return at < words.length ? words.slice(at) : null;
}
