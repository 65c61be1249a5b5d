import { relative, resolve } from "node:path";
import type { RunningCall } from "../tool-calls/tool-fact.ts";
import type { Rule } from "../../context/rules/rule.ts";
import type { ConversationCore } from "../core.ts";
import type { ConversationServices } from "../services.ts";
import { createHandouts, type Handouts, type OpeningTexts } from "./handouts.ts";

/**
 * Which of the project's rules each specialist of a conversation was given: those that fit the words of the task when it
 * begins, those that fit a file when it is read or changed.
 */
export interface RuleTelling extends Handouts<Rule> {
  /** Null where the project has no rules. @param resume the session that goes on; null for a new one */
  begin(task: string, resume: string | null): Promise<OpeningTexts | null>;
  /** What follows the output of a call; empty for nothing. */
  afterCall(call: RunningCall): Promise<string>;
}

export function createRuleTelling(
  conversation: Pick<ConversationCore, "keep">,
  { rules }: Pick<ConversationServices, "rules">,
): RuleTelling {
  const told = createHandouts<Rule>(conversation, "gaia-rules", rules.latest);
  return {
    ...told,
    async begin(task, resume) {
      const catalogue = await rules.now();
      if (catalogue === null) return null;
      const found = told.unknownTo(resume, catalogue.forTask(task));
      return told.opening(catalogue, found, resume);
    },
    async afterCall(call) {
      const { sessionId } = call;
      const { read, written } = touchedPaths(call);
      const paths = [...read, ...written];
      if (paths.length === 0 && !told.isOwed(sessionId)) return "";
      const catalogue = await rules.latest();
      // Calls run side by side: from here on nothing is waited for.
      const standing = told.settle(sessionId, catalogue);
      const all = catalogue?.rules ?? [];
      const fitting = told.unknownTo(sessionId, all).filter((rule) => paths.some(rule.meetsPath));
      // One who reads a rule's own file has it.
      const [own = [], others = []] = [true, false].map((isOwn) =>
        fitting.filter(({ source }) => paths.includes(source) === isOwn),
      );
      told.add(sessionId, { text: "", sources: own.map(({ source }) => source) });
      const given = catalogue?.render(others, told.bytes(sessionId)) ?? { text: "", sources: [] };
      told.add(sessionId, given);
      return [standing, given.text].filter(Boolean).join("\n\n");
    },
  };
}

/** Files by name, relative to the project, with `/` between their parts. */
interface TouchedPaths {
  readonly read: readonly string[];
  readonly written: readonly string[];
}

/** What a call read by name, and what it wrote by whatever tool, as the policy tells. Pure. */
export function touchedPaths({ effect, examination, place }: RunningCall): TouchedPaths {
  const inProject = (paths: readonly string[]): string[] =>
    paths
      .map((path) => relative(place.project, resolve(place.directory, path)).replaceAll("\\", "/"))
      .filter((path) => path !== "" && !/^(?:\.\.(?:\/|$)|\/|[a-zA-Z]:)/.test(path));
  const isLook = effect.kind === "read" && effect.searches !== true && effect.patterns.length === 0;
  return {
    read: inProject(isLook || effect.kind === "other" ? effect.paths : []),
    written: inProject(examination.writes),
  };
}
