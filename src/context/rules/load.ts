import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConfigProblem } from "../../config/problem.ts";
import { bounded } from "../../lib/bounded.ts";
import type { Clock } from "../../lib/clock.ts";
import { matchesPattern } from "../../lib/path-pattern.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { readForModel } from "../context-file.ts";
import { readDomainIndex } from "./domain-index.ts";
import { readManifest } from "./manifest.ts";
import { createMatcher, readTask } from "./match.ts";
import { DOMAIN_INDEX, MANIFEST, RULE_FOLDERS, type RuleFolder } from "./places.ts";
import { renderIndex, renderRules } from "./render.ts";
import { readRuleFile } from "./rule-file.ts";
import { touchedDocuments } from "./touched.ts";
import { lineProblem, MAX_GIVEN, type Catalogue, type Entry, type Listed, type Rule } from "./rule.ts";

/** How long the list of a folder may take, in milliseconds. */
const LIST_LIMIT_MS = 2_000;
const MAX_FILES = 200;
const MAX_DEPTH = 5;
/** OpenCode gives these to every agent by itself. */
const GIVEN_BY_HOST = /^(?:AGENTS|CLAUDE|CONTEXT)\.md$/;

/** What reading the rules of a project takes. */
export interface RuleSources {
  readonly directory: string;
  readonly clock: Clock;
  readonly redact: Redactor;
  /** Patterns of files that the host gives to every agent by itself. */
  readonly givenByHost: readonly string[];
}

type Found = Omit<Rule, "matcher">;

/** Reads all rules of a project as its files are now. Never throws: what cannot be used is a problem, the rest holds. */
export async function loadCatalogue(sources: RuleSources): Promise<Catalogue> {
  const problems: ConfigProblem[] = [];
  const reader = createReader(sources, problems);
  const [own, ...others] = RULE_FOLDERS;
  const found: Found[] = [];
  if (own !== undefined) found.push(...(await reader.folder(own)));
  found.push(...(await reader.index(MANIFEST, readManifest, ["", dirname(MANIFEST)])));
  found.push(...(await reader.index(DOMAIN_INDEX, readDomainIndex, [dirname(DOMAIN_INDEX), ""])));
  for (const folder of others) found.push(...(await reader.folder(folder)));
  const isGiven = ({ source }: Found): boolean =>
    GIVEN_BY_HOST.test(source) || sources.givenByHost.some((pattern) => matchesPattern(source, pattern));
  const rules = joined(found.filter((rule) => rule.text !== "" && !isGiven(rule)));
  for (const { source, text, matcher } of rules) {
    if (Buffer.byteLength(text) > MAX_GIVEN)
      problems.push(
        problemOf(
          source,
          `is too large: anyone is given ${MAX_GIVEN} bytes of rules`,
          "Split it; until then only its name is told.",
        ),
      );
    for (const pattern of matcher.useless)
      problems.push(
        problemOf(
          source,
          `has a pattern that matches nothing in the project: ${pattern}`,
          "Write it from the project's folder.",
        ),
      );
  }
  return {
    rules,
    problems,
    forTask(task) {
      const words = readTask(task);
      return rules.filter(({ matcher }) => matcher.meetsTask(words));
    },
    render: renderRules,
    index: () => renderIndex(rules),
    touched: (changed) => touchedDocuments(rules, changed),
  };
}

function createReader({ directory, clock, redact }: RuleSources, problems: ConfigProblem[]) {
  let left = MAX_FILES;
  const read = async (path: string): Promise<{ text: string; source: string } | "withheld" | null> => {
    const file = await readForModel(directory, path, clock);
    if (file === null) return null;
    if ("withheld" in file) {
      problems.push(
        problemOf(path, `is given to nobody: ${file.withheld}`, "Put a file of the project in its place."),
      );
      return "withheld";
    }
    return { text: redact(Buffer.from(file.bytes).toString("utf8")), source: file.path };
  };
  const list = async (folder: string, end: string, depth: number): Promise<string[]> => {
    const entries = await bounded(
      readdir(join(directory, folder), { withFileTypes: true }),
      LIST_LIMIT_MS,
      clock,
      folder,
    ).catch(() => []); // Each of these folders is optional.
    const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const files = sorted.filter((entry) => entry.name.endsWith(end) && !entry.isDirectory());
    const folders = depth < MAX_DEPTH ? sorted.filter((entry) => entry.isDirectory()) : [];
    const below = await Promise.all(
      folders.map(async ({ name }) => list(`${folder}/${name}`, end, depth + 1)),
    );
    return [...files.map(({ name }) => `${folder}/${name}`), ...below.flat()];
  };
  /** Every file counts, so that no project makes a start of work wait. */
  const few = <T>(where: string, items: readonly T[]): readonly T[] => {
    const taken = items.slice(0, left);
    left -= taken.length;
    if (taken.length < items.length)
      problems.push(
        problemOf(where, `has more than the ${MAX_FILES} files of rules that are read`, "Join some."),
      );
    return taken;
  };

  return {
    async folder(kind: RuleFolder): Promise<Found[]> {
      const files = few(kind.folder, await list(kind.folder, kind.end, 0));
      const rules = await Promise.all(
        files.map(async (path): Promise<Found[]> => {
          const file = await read(path);
          if (file === null)
            problems.push(problemOf(path, "cannot be read", "Correct its permissions, or remove it."));
          if (file === null || file === "withheld") return [];
          const { problems: own, ...rule } = readRuleFile(path, file.text, kind);
          problems.push(...own);
          return [{ ...rule, source: file.source, isDocument: false }];
        }),
      );
      return rules.flat();
    },
    /** @param bases folders to which the files of its entries may be relative, the likeliest first */
    async index(
      path: string,
      parse: (content: string) => Listed,
      bases: readonly string[],
    ): Promise<Found[]> {
      const file = await read(path);
      if (file === null || file === "withheld") return [];
      const listed = parse(file.text);
      problems.push(...listed.problems);
      const wanted = few(
        path,
        listed.entries.flatMap((entry) => entry.files.map((name) => ({ entry, name }))),
      );
      const rules = await Promise.all(wanted.map(async ({ entry, name }) => open(path, entry, name, bases)));
      return rules.flat();
    },
  };

  async function open(index: string, entry: Entry, name: string, bases: readonly string[]): Promise<Found[]> {
    for (const base of bases) {
      const file = await read(join(base, name));
      if (file === "withheld") return [];
      if (file === null) continue;
      const { about, paths, words, always } = entry;
      return [{ about, paths, words, always, text: file.text.trim(), source: file.source, isDocument: true }];
    }
    problems.push(
      lineProblem(
        index,
        entry.line,
        `names ${name}, which cannot be read`,
        "Correct the path, or write the file.",
      ),
    );
    return [];
  }
}

/** What several say of one file, through links as well, holds together. */
function joined(found: readonly Found[]): Rule[] {
  const rules = new Map<string, Found>();
  for (const rule of found) {
    const { paths, words, always, isDocument } = rules.get(rule.source) ?? rule;
    rules.set(rule.source, {
      ...rule,
      ...rules.get(rule.source),
      paths: [...new Set([...paths, ...rule.paths])],
      words: [...new Set([...words, ...rule.words])],
      always: always || rule.always,
      isDocument: isDocument || rule.isDocument,
    });
  }
  return [...rules.values()].map((rule) => ({ ...rule, matcher: createMatcher(rule) }));
}

function problemOf(file: string, message: string, suggestion: string): ConfigProblem {
  return { kind: "unreadable", file, path: "", message, suggestion };
}
