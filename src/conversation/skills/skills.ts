import { mentionOf, type Skill } from "../../context/skills/skill.ts";
import { matchesPattern } from "../../lib/path-pattern.ts";
import type { ConversationCore } from "../core.ts";
import { createHandouts, type Handouts, type OpeningTexts } from "../rules/handouts.ts";
import { touchedPaths } from "../rules/rules.ts";
import type { ConversationServices } from "../services.ts";
import type { RunningCall } from "../tool-calls/tool-fact.ts";

/**
 * Which skills each specialist of a conversation was given: those that its task names when it begins, and the one that is for
 * a file, whole when the file is read, by a line when it is changed by one who has not seen it.
 */
export interface SkillTelling extends Handouts<Skill> {
  /** Null where none of those is known. @param named by the task @param resume the session that goes on; null for a new one */
  begin(named: readonly string[], resume: string | null): Promise<OpeningTexts | null>;
  /** What follows the output of a call; empty for nothing. */
  afterCall(call: RunningCall): Promise<string>;
  /** Whether the task of a session works by a skill. */
  uses(sessionId: string, skill: Skill): boolean;
}

export function createSkillTelling(
  conversation: Pick<ConversationCore, "keep">,
  { skills, skillServers, skillsOf }: Pick<ConversationServices, "skills" | "skillServers" | "skillsOf">,
): SkillTelling {
  const told = createHandouts<Skill>(conversation, "gaia-skills", skills.latest);
  return {
    ...told,
    uses: (sessionId, { source }) => told.isKnown(sessionId, source),
    observe(event, isRoot) {
      told.observe?.(event, isRoot);
      const isOver =
        event.type === "session.error" ||
        event.type === "session.deleted" ||
        (event.type === "session.status" && event.status === "idle");
      if (isOver) void skillServers.end(event.sessionId);
    },
    async begin(named, resume) {
      const catalogue = await skills.now();
      const wanted = catalogue?.rules.filter(({ name }) => named.includes(name)) ?? [];
      const found = told.unknownTo(resume, wanted);
      if (catalogue === null || found.length === 0) return null;
      return told.opening(catalogue, found, resume);
    },
    async afterCall(call) {
      const { sessionId, effect } = call;
      const { read, written } = touchedPaths(call);
      const loaded = effect.kind === "read" ? effect.skill : undefined;
      if (read.length + written.length === 0 && loaded === undefined && !told.isOwed(sessionId)) return "";
      const catalogue = await skills.latest();
      if (catalogue === null) return "";
      // Calls run side by side: from here on nothing is waited for.
      const standing = told.settle(sessionId, catalogue);
      const had = skillsOf(call.agent);
      const unknown = told
        .unknownTo(sessionId, catalogue.rules)
        .filter(({ name }) => had?.some((glob) => matchesPattern(name, glob)) !== false);
      // One who loads a skill, or reads its own file, has it.
      const own = unknown.filter(({ name, path }) => name === loaded || read.includes(path));
      told.add(sessionId, { text: "", sources: own.map(({ source }) => source) });
      const isFor = (paths: readonly string[]) => (skill: Skill) => paths.some(skill.meetsPath);
      const whole = told.unknownTo(sessionId, unknown).filter(isFor(read));
      const given = catalogue.render(whole, told.bytes(sessionId));
      told.add(sessionId, given);
      const reminded = told
        .unknownTo(sessionId, unknown)
        .filter((skill) => !told.isKnown(sessionId, mentionOf(skill)) && isFor(written)(skill));
      const line = catalogue.mention(reminded);
      told.add(sessionId, line);
      // What the host shows of a skill holds nothing of its servers.
      const reach = own.filter(({ name }) => name === loaded).map((skill) => skill.reach);
      return [standing, given.text, line.text, ...reach].filter(Boolean).join("\n\n");
    },
  };
}
