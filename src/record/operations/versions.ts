import { readdir, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { pathBelow } from "../../lib/folders.ts";
import { wordsIn } from "../../lib/text.ts";
import { failure, type OperationContext, defineLocalMap } from "./context.ts";

const KEPT_MS = 7 * 86_400_000;
const reserved = defineLocalMap("versions.json", () => z.record(z.string(), z.number()));

export const versionOperations = ({ files, directory, now: clock, clean }: OperationContext) => ({
  /** Reserves the next version of a folder of migrations, in its convention, for a week. */
  nextVersion: clean(async ({ dir, title = "" }: { dir: string; title?: string | undefined }) => {
    const now = clock();
    const wanted = [realpath(directory), realpath(resolve(directory, dir)).catch(() => "/")];
    const [root = "", folder = ""] = await Promise.all(wanted);
    const inside = pathBelow(root, folder);
    if (inside === null)
      throw failure(`${dir} is no folder of the project.`, "Name one that holds migrations.");
    const words = wordsIn(title || "name");
    return files.exclusive(async (writer) => {
      const names = (await readdir(folder).catch((): string[] => [])).toSorted();
      const there = new Set(names.map(versionIn));
      const waiting = Object.entries((await reserved.get(writer, inside)) ?? {}).filter(
        ([version, at]) => !there.has(version) && now - at < KEPT_MS,
      );
      const taken = waiting.map(([version]) => version);
      const next = nextNames(names, taken, words.join("_"), now);
      if (next === null)
        throw failure(
          `No name in ${dir} begins with a version.`,
          "Name the first one as the project's tool does.",
        );
      await reserved.set(writer, inside, { ...Object.fromEntries(waiting), [next.version]: now });
      return next;
    });
  }),
});

/** How names of migrations begin: a mark, the version in numbers or as a time, what separates it from the rest. */
const FORM = /^(V?)(\d{4}_\d\d_\d\d_\d{6}|\d+(?:\.\d+)+(?!\.)|\d+(?:_\d+)+(?=__)|\d+)(__|[-_.])(.*)$/i;

export function versionIn(name: string): string | null {
  return read(name)?.version ?? null;
}

/** The version after all others, in the convention of most; null for none. Times are UTC. @param taken without a file yet */
export function nextNames(
  names: readonly string[],
  taken: readonly string[],
  title: string,
  now: number,
): { readonly version: string; readonly names: readonly string[] } | null {
  const found = names.flatMap((name) => read(name) ?? []);
  const countOf = ({ form }: (typeof found)[number]): number =>
    found.filter((each) => each.form === form).length;
  const [usual] = found.toSorted((one, other) => countOf(other) - countOf(one));
  if (usual === undefined) return null;
  const { compare } = new Intl.Collator("en", { numeric: true });
  const ours = found.filter(({ form }) => form === usual.form);
  const newest =
    ours
      .map(({ version }) => version)
      .toSorted(compare)
      .at(-1) ?? "";
  const version = after([newest, ...taken].toSorted(compare).at(-1) ?? "", now);
  const ends = new Set(ours.filter((name) => name.version === newest).map(({ end }) => end));
  const { mark, separator } = usual;
  const middle = separator === "." ? "" : `${separator}${title}`;
  return { version, names: Array.from(ends, (end) => `${mark}${version}${middle}${end}`) };
}

function read(name: string) {
  const [, mark = "", version = "", separator = "", rest = ""] = FORM.exec(name) ?? [];
  if (version === "") return null;
  const dot = rest.indexOf(".");
  const end = separator === "." ? `.${rest}` : dot === -1 ? "" : rest.slice(dot);
  return { version, mark, separator, end, form: mark + separator };
}

/** The next number, or the time of now where versions of this many digits are times. */
function after(last: string, now: number): string {
  const digits = last.replaceAll(/\D/g, "");
  const time = timeLike(digits, now);
  let at = 0;
  if (time !== null && time > digits) return last.replaceAll(/\d/g, () => time[at++] ?? "");
  return last.replace(/\d+$/, (number) => String(BigInt(number) + 1n).padStart(number.length, "0"));
}

function timeLike(digits: string, now: number): string | null {
  const { length } = digits;
  // Of a counter that long the first digit is another.
  if (!/^[12]/.test(digits)) return null;
  if ([10, 13].includes(length)) return String(now).slice(0, length);
  const isDate = [8, 12, 14].includes(length);
  return isDate ? new Date(now).toISOString().replaceAll(/\D/g, "").slice(0, length) : null;
}
