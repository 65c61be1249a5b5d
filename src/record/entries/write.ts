import { join } from "node:path";
import { systemClock } from "../../lib/async.ts";
import { createError } from "../../lib/error.ts";
import { foreignLines } from "../../lib/markdown.ts";
import { codeOf, describeSystemProblem, GAIA_FOLDER, KNOWLEDGE_FOLDER } from "../gaia-path.ts";
import { createGaiaFiles } from "../store/gaia-files.ts";
import {
  entryKey,
  hashOf,
  isKnowledgeName,
  kindOf,
  parseKnowledge,
  renderKnowledge,
  restate,
  entryName,
} from "./entry.ts";
import { waiting, type JudgedEntry } from "./judge.ts";
import type { KnowledgePlace } from "../knowledge.ts";
import type { SaidStore } from "./authors.ts";

const MAX_BODY = 8_000;
const MAX_REASON = 400;
/** More that waits for a person nobody would read; an agent that goes on proposing is refused. */
const MAX_WAITING = 200;

export interface EntryDraft {
  readonly body: string;
  readonly reason: string;
  readonly by: string;
  readonly id?: string | undefined;
  readonly kind?: string | undefined;
  readonly source?: string | null | undefined;
  readonly evidence?: string | undefined;
  readonly about?: readonly string[] | undefined;
  readonly supersedes?: readonly string[] | undefined;
}

export interface Proposed extends Pick<JudgedEntry, "id" | "slug" | "hash"> {
  readonly path: string;
}

export interface EntryDecision {
  readonly entry: Pick<JudgedEntry, "slug" | "hash">;
  readonly status: "accepted" | "rejected";
  readonly reason: string;
  readonly by: string;
}

export function createWriter(
  place: KnowledgePlace,
  store: SaidStore,
  read: () => Promise<readonly JudgedEntry[]>,
) {
  const { directory, redact } = place;
  const files = createGaiaFiles(directory, place.host.logger);

  /** Changes one file to what `edit` makes of it. @returns its path */
  const change = async (slug: string, edit: (text: string | null) => string): Promise<string> => {
    const inside = `${KNOWLEDGE_FOLDER}/${slug}.md`;
    try {
      await files.exclusive(async (writer) =>
        writer.change(inside, (text) => ({ text: edit(text), result: null })),
      );
      return join(directory, GAIA_FOLDER, inside);
    } catch (cause) {
      const problem = describeSystemProblem(codeOf(cause));
      if (problem === null) throw cause;
      const hint = "Nothing was written.";
      throw createError("knowledge", `${slug}.md cannot be written: ${problem}.`, { cause, hint });
    }
  };
  const now = (): string => new Date(systemClock.now()).toISOString();

  return {
    async propose(draft: EntryDraft): Promise<Proposed> {
      const { body, reason, by, kind = "note", supersedes = [] } = draft;
      if (!place.enabled) throw refuse("Knowledge is switched off (knowledge.enabled).", "");
      const text = foreignLines(redact(body)).join("\n").trim();
      const why = redact(reason).trim();
      if (text === "" || text.length > MAX_BODY)
        throw refuse("What is proposed has 1 to 8,000 characters.", "Say one thing, in a few sentences.");
      if (why === "" || why.length > MAX_REASON)
        throw refuse("A proposal has a reason of 1 to 400 characters.", "Say why everyone should know it.");
      const entries = await read();
      if (waiting(entries).length >= MAX_WAITING)
        throw refuse(
          `${MAX_WAITING} proposals wait for a person already.`,
          "Nothing more is taken until then.",
        );
      const same = entries.find((each) => entryKey(each.body) === entryKey(text));
      if (same !== undefined && same.standing !== "replaced")
        throw refuse(describeSame(same), "Nothing was written.");
      const id = (draft.id ?? "").toLowerCase() || entryName(text);
      if (!isKnowledgeName(id)) throw refuse(`"${id}" is no id.`, "It is 1 to 64 of a-z, 0-9, - and _.");
      const taken = new Set(entries.map(({ slug }) => slug.toLowerCase()));
      const slug = freeName(id, taken);
      const file = renderKnowledge({
        id: slug,
        kind: kindOf(kind),
        status: "proposed",
        by: redact(by),
        at: now(),
        reason: why,
        source: draft.source ?? "",
        evidence: redact(draft.evidence ?? ""),
        about: (draft.about ?? []).map(redact),
        supersedes: supersedes.map((name) => name.toLowerCase()),
        body: text,
      });
      const path = await change(slug, (before) => {
        if (before !== null) throw refuse(`${slug} was proposed meanwhile.`, "Try again.");
        return file;
      });
      return { id: slug, slug, hash: hashOf(slug, file), path };
    },
    async settle({ entry, status, reason, by }: EntryDecision): Promise<{ path: string }> {
      const { slug, hash } = entry;
      let accepted = "";
      const path = await change(slug, (before) => {
        if (before === null || hashOf(slug, before) !== hash)
          throw refuse(`${slug} is another one than you saw.`, "Look at it again; nothing was decided.");
        // Who says yes and no more says it for the reason that was given.
        const given = status === "accepted" ? parseKnowledge(before, slug).reason : "";
        accepted = restate(before, { status, by, at: now(), reason: redact(reason) || given });
        if (parseKnowledge(accepted, slug).status !== status)
          throw refuse(
            `${slug} is not clear about its own status.`,
            "Resolve the merge in its front matter first.",
          );
        return accepted;
      });
      // The file first: killed between the two, it says what nobody is known to have said, and waits.
      if (status === "accepted") await store.grant([hashOf(slug, accepted)]);
      else await store.revoke([hash]);
      return { path };
    },
  };
}

function refuse(message: string, hint: string): Error {
  return createError("knowledge", message, { hint });
}

function describeSame({ standing, id }: JudgedEntry): string {
  if (standing === "accepted") return `That is known already, as ${id}.`;
  if (standing === "rejected") return "A person has rejected just that.";
  return "Just that waits for a person already.";
}

function freeName(id: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? id : `${id.slice(0, 58)}-${count}`;
    if (!taken.has(name)) return name;
  }
}
