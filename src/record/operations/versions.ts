import { readdir, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import * as z from "zod/mini";
import { wordsIn } from "../../lib/sentence.ts";
import { failure, type OperationContext, defineLocalMap } from "./context.ts";

const KEPT_MS = 7 * 86_400_000;
const reserved = defineLocalMap("versions.json", () => z.record(z.string(), z.number()));

export const versionOperations = ({ files, directory, now: clock, clean }: OperationContext) => ({
  /** Reserves the next version of a folder of migrations, in its convention, for a week. */
  nextVersion: clean(async ({ dir, title = "" }: { dir: string; title?: string | undefined }) => {
    const now = clock();
    const wanted = [realpath(directory), realpath(resolve(directory, dir)).catch(() => "/")];
    const [root = "", folder = ""] = await Promise.all(wanted);
    const inside = relative(root, folder).replaceAll("\\", "/");
    if (/^\.\.(?:\/|$)/.test(inside) || isAbsolute(inside))
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

/** How names of migrations begin: a mark, the version, what separates it from the rest. The first that fits counts. */
const FORMS = [
  /^()(\d{4}_\d\d_\d\d_\d{6})(_)(.*)$/,
  /^(V)(\d+(?:[._]\d+)*)(__)(.*)$/i,
  /^()(\d+(?:\.\d+)+)([-_])(.*)$/,
  /^()(\d+)(__|[-_.])(.*)$/,
];

/** How far two versions that are times lie apart at least, in milliseconds, by their number of digits. */
const STEPS: Readonly<Record<number, number>> = { 8: 86_400_000, 10: 1_000, 12: 60_000, 13: 1, 14: 1_000 };
/** What lies farther ahead is no time, in milliseconds. */
const MAX_AHEAD = 1e11;

interface Name {
  readonly version: string;
  readonly form: string;
  readonly mark: string;
  readonly separator: string;
  readonly end: string;
}

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
  const countOf = ({ form }: Name): number => found.filter((each) => each.form === form).length;
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

function read(name: string): Name | null {
  for (const [at, form] of FORMS.entries()) {
    const [, mark = "", version = "", separator = "", rest = ""] = form.exec(name) ?? [];
    if (version === "") continue;
    const end = separator === "." ? `.${rest}` : (/\..*$/.exec(rest)?.[0] ?? "");
    return { version, mark, separator, end, form: `${at}${mark}${separator}` };
  }
  return null;
}

function after(last: string, now: number): string {
  const digits = last.replaceAll(/\D/g, "");
  const time = timeAfter(digits, now);
  let at = 0;
  if (time !== null) return last.replaceAll(/\d/g, () => time[at++] ?? "");
  return last.replace(/\d+$/, (number) => String(BigInt(number) + 1n).padStart(number.length, "0"));
}

/** The next version where this one is a time: now, or just after it. */
function timeAfter(digits: string, now: number): string | null {
  const { length } = digits;
  const step = STEPS[length];
  if (step === undefined) return null;
  const unit = length === 10 ? 1_000 : length === 13 ? 1 : 0;
  const read = digits.padEnd(14, "0").replace(/^(....)(..)(..)(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6Z");
  const last = unit === 0 ? Date.parse(read) : Number(digits) * unit;
  if (!(last > 0 && last < now + MAX_AHEAD)) return null;
  const next = Math.max(now, last + step);
  return unit === 0
    ? new Date(next).toISOString().replaceAll(/\D/g, "").slice(0, length)
    : String(Math.floor(next / unit));
}
