import { isAbsolute, resolve } from "node:path";

/** What git takes for an address and no path: with a scheme, or with a host before a colon. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|[^/]*:)/iu;

/** The environment in which git takes relative remotes from the user's own tree, wherever it runs; empty where there is none. Pure. @param top of the user's tree */
export function fromUsersTree(
  urls: readonly string[],
  top: string,
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const relative = [...new Set(urls)].filter((url) => !isAbsolute(url) && !ADDRESS.test(url) && url !== "");
  if (relative.length === 0) return {};
  const first = Number(environment["GIT_CONFIG_COUNT"]) || 0;
  const settings = relative.flatMap((url, index) => [
    [`GIT_CONFIG_KEY_${first + index}`, `url.${resolve(top, url)}.insteadOf`] as const,
    [`GIT_CONFIG_VALUE_${first + index}`, url] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(first + relative.length), ...Object.fromEntries(settings) };
}
