import { realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { readRegular } from "../../lib/read-source.ts";

export interface TestReport {
  readonly passed: number;
  /** Left out: skipped, or still to be written. */
  readonly skipped: number;
  readonly failed: readonly FailedTest[];
}

interface FailedTest {
  readonly name: string;
  /** What it says of the failure; may be empty. */
  readonly message: string;
}

const MAX_BYTES = 32_000_000;
/** Of a tag of XML; one that is longer is none. */
const MAX_TAG = 20_000;

/** A report before the check runs, by which one that was left over from another run is known. */
export async function reportStamp(path: string): Promise<string> {
  return stat(path).then(
    ({ mtimeMs, ino, size }) => `${mtimeMs} ${ino} ${size}`,
    () => "",
  );
}

/**
 * Reads the report that a check has written into the project: JUnit's XML. What is read is data, and never a program's prose.
 * @param before its {@link reportStamp} before the check ran
 * @returns why there is none where it cannot be used
 */
export async function readTestReport(
  directory: string,
  path: string,
  before: string,
): Promise<TestReport | { readonly problem: string }> {
  const [root, file] = await Promise.all(
    [directory, resolve(directory, path)].map(async (each) => realpath(each).catch(() => "")),
  );
  if (root === undefined || file === undefined || file === "") return { problem: `wrote no report ${path}` };
  if (!file.startsWith(`${root}${sep}`)) return { problem: `its report ${path} is outside of the project` };
  if ((await reportStamp(file)) === before) return { problem: `did not write its report ${path} anew` };
  const text = (await readRegular(file, MAX_BYTES))?.toString("utf8");
  const report = text === undefined ? null : parseTestReport(text);
  return report ?? { problem: `its report ${path} is no JUnit XML, or holds no test` };
}

interface Case {
  name: string;
  message: string;
  end: "passed" | "failed" | "skipped";
}

/** @returns null for what is not JUnit's XML, was cut off, or holds no test */
export function parseTestReport(text: string): TestReport | null {
  const cases: Case[] = [];
  let open: Case | null = null;
  let root = "";
  let isWhole = false;
  for (const { name, attributes, isEnd } of tagsOf(text)) {
    root ||= name;
    isWhole = isEnd && name === root;
    if (name === "testcase") open = null;
    if (isEnd) continue;
    const { classname = "", name: own = "", message = "" } = attributesOf(attributes);
    if (name === "testcase") {
      open = { name: [classname, own].filter(Boolean).join(" "), message: "", end: "passed" };
      cases.push(open);
    } else if (open !== null && (name === "failure" || name === "error")) {
      open.end = "failed";
      open.message ||= message;
    } else if (open !== null && name === "skipped") open.end = "skipped";
  }
  return isWhole ? reportOf(cases) : null;
}

/** The tags of an XML text, in order; what stands in comments, CDATA and instructions holds none. */
function* tagsOf(text: string): Iterable<{ name: string; attributes: string; isEnd: boolean }> {
  const SKIPPED = [
    ["<!--", "-->"],
    ["<![CDATA[", "]]>"],
    ["<?", "?>"],
    ["<!", ">"],
  ] as const;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    const [begin, close] = SKIPPED.find(([mark]) => text.startsWith(mark, at)) ?? [];
    if (begin !== undefined && close !== undefined) {
      const end = text.indexOf(close, at + begin.length);
      if (end === -1) return;
      at = end + close.length;
      continue;
    }
    let quote = "";
    let end = at + 1;
    for (; end < text.length && end - at < MAX_TAG && (quote !== "" || text[end] !== ">"); end += 1) {
      const sign = text[end] ?? "";
      if (quote === "" ? sign === '"' || sign === "'" : sign === quote) quote = quote === "" ? sign : "";
    }
    const [, slash = "", name = "", attributes = ""] =
      /^<(\/?)([\w:.-]+)([^]*)/.exec(text.slice(at, end)) ?? [];
    yield { name, attributes, isEnd: slash !== "" };
    at = end;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  amp: "&",
  "#10": "\n",
};

function attributesOf(text: string): Partial<Record<"classname" | "name" | "message", string>> {
  const found = text.matchAll(/(?<=\s)(classname|name|message)=(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries(
    Array.from(found, ([, name, double, single]) => [
      name,
      (double ?? single ?? "").replaceAll(/&(\w+|#\d+);/g, (all, entity: string) => ENTITIES[entity] ?? all),
    ]),
  );
}

function reportOf(cases: readonly Case[]): TestReport | null {
  const count = (end: Case["end"]): number => cases.filter((each) => each.end === end).length;
  const failed = cases.flatMap(({ end, name, message }) => (end === "failed" ? [{ name, message }] : []));
  return cases.length === 0 ? null : { passed: count("passed"), skipped: count("skipped"), failed };
}
