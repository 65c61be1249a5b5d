import { join } from "node:path";
import { givesVerdict } from "../config/roles.ts";
import type { ProjectTexts } from "../context/project-context.ts";
import type { Specialist } from "../delegation/specialist.ts";
import { linesWithin } from "../lib/text.ts";
import type { Redactor } from "../lib/redaction.ts";
import type { Memory } from "../record/memory.ts";
import { debtOf, type RecordedDecision, sectionsBy } from "../record/documents.ts";
import { GAIA_FOLDER } from "../record/store.ts";
import type { Workspace } from "../record/workspace.ts";
import { fit } from "./fit.ts";
import { NOTE_TITLES, type NoteKind } from "./noted.ts";

/** What each section may take, in bytes; what must be told of it comes on top. */
const BUDGET = {
  project: 2_400,
  checks: 1_200,
  plan: 2_400,
  spec: 6_000,
  recon: 3_000,
  decisions: 1_600,
  makers: 4_000,
  reviewers: 1_600,
  work: 8_000,
} as const;
/** Sections that bind whoever works on it: no size leaves them out. */
const BINDING = {
  project: ["Non-Negotiables"],
  plan: ["Goal", "Done When", "Guardrails"],
  spec: ["Acceptance Criteria", "Out Of Scope", "Guardrails"],
} as const;

/** What comes first for one who judges; the diff stands at the end of what they are given. */
const JUDGE_ORDER =
  "Judge in this order: what was asked for and the conditions; what its makers noted; then the diff. Only what must be fixed first rejects. What failed before this work is no reason to reject: name it apart.";

/** How a bug is worked on, by who works on it. */
const BUG = {
  recon:
    "This is a bug. Put up hypotheses of its cause, look for what would show each wrong, and answer with the one that holds.",
  tester:
    "This is a bug, and its test comes before the fix: write one that fails because of the cause, and see it fail for that reason.",
  maker:
    "This is a bug. First say what you take for its cause, and see a test fail for it (write one where there is none); only then change the code, and see the same test pass.",
} as const;

/** How the historian's words help the next task. */
const RECORD =
  "Learnings say what to do or what not to do, each as it was found: a prohibition stays one. What is known to be broken, and why something was decided, belongs into the entry.";

export interface Reader {
  readonly specialist: Pick<Specialist, "role" | "mutates">;
  readonly unit: string | null;
  /** What they are to do, by whose words it is found what fits. */
  readonly about: string;
  readonly files?: readonly string[] | undefined;
  /** Their calls are made in a worktree, where the record is not. */
  readonly isAway?: boolean;
  readonly resumes?: boolean;
}

type Decided = Pick<RecordedDecision, "question" | "choice" | "rationale">;

export interface BriefingInput {
  readonly folder: string;
  readonly workspace: Pick<Workspace, "readWorkUnit" | "readDecisions">;
  readonly memory: Pick<Memory, "relevant">;
  readonly redact: Redactor;
  projectTexts(): Promise<ProjectTexts>;
  /** The commands of the project's checks, where the work of a unit stands. */
  checks(unit: string | null): Promise<readonly string[]>;
  /** What makers noted of work without a unit. */
  unlogged(): readonly Readonly<Section>[];
  /** What the user decided that stands in no unit's record, the oldest first. */
  unrecorded(): readonly Decided[];
  /** Resolves when everything else that was said and done is in the log. */
  logged(): Promise<unknown>;
  /** Whether the work is to fix a bug, and whether what is reviewed now is a plan. */
  isBug(): boolean;
  isPlanned(): boolean;
}

/** Briefs everyone who works, by hand and in a run (SPEC 12). */
export function createBriefing(input: BriefingInput) {
  const { workspace, memory, redact } = input;
  const project = async (unit: string | null, reach: Reach): Promise<string> => {
    const [{ files, accountFor, avoid }, checks] = await Promise.all([
      input.projectTexts(),
      input.checks(unit),
    ]);
    const named = linesWithin(checks.map((check) => `- \`${check}\``).join("\n"), BUDGET.checks);
    return section("# The project", [
      labelled("Its checks, by which all work is judged:", named),
      ...files.map(({ path, text }) =>
        labelled(
          `From ${path}:`,
          fit({ text, where: reach(path), budget: BUDGET.project, must: BINDING.project }),
        ),
      ),
      labelled("Account for:", accountFor.map((line) => `- ${line}`).join("\n")),
      labelled("Avoid:", avoid.map((line) => `- ${line}`).join("\n")),
    ]);
  };

  /** What is planned, specified, found out and decided; what was noted stands apart. */
  const work = async (slug: string, reach: Reach) => {
    await input.logged();
    const [read, decided] = await Promise.all([
      workspace.readWorkUnit({ slug }),
      workspace.readDecisions({ slug }),
    ]);
    if (!read.ok) return null;
    const { plan_md: plan, spec_md: spec = "", log_md: log } = read.content;
    const at = (name: string): string => reach(`${GAIA_FOLDER}/${slug}/${name}.md`);
    const rows = decided.ok ? decided.decisions : [];
    const but = ["", "Tasks"];
    const noted = (kind: NoteKind, budget: number): string =>
      fit({
        text: sectionsOf(sectionsBy(log, NOTE_TITLES[kind])),
        where: at("log"),
        budget,
        newestFirst: true,
      });
    const told = section(`# Work unit ${slug}${read.title === "" ? "" : `: ${read.title}`}`, [
      fit({ text: plan, where: at("plan"), budget: BUDGET.plan, must: BINDING.plan, but }),
      labelled(
        "# Its spec",
        fit({ text: spec, where: at("spec"), budget: BUDGET.spec, must: BINDING.spec, but }),
      ),
      labelled("# Found out for it", noted("recon", BUDGET.recon)),
      decisions(rows, at("decisions")),
    ]);
    return {
      told,
      makers: noted("maker", BUDGET.makers),
      done: noted("work", BUDGET.work),
      reviewers: newest(
        debtOf(log).map((line) => `- ${line}`),
        BUDGET.reviewers,
        at("log"),
      ),
    };
  };

  return {
    /**
     * What is told before the task, the same bytes for all who begin at the same time and what changes least first; and after it, what
     * fits the task alone and what is judged last. Never cuts a sentence: what does not fit is named with where it stands.
     */
    async for(reader: Reader) {
      const { unit, about, files = [], isAway = false, resumes = false } = reader;
      const { role, mutates } = reader.specialist;
      const told = (texts: readonly string[]): string[] => texts.filter(Boolean).map(redact);
      const isHistorian = role === "historian";
      const reach: Reach = (path) => (isAway ? join(input.folder, path) : path);
      const [known, unitWork, relevant] = await Promise.all([
        resumes || isHistorian ? "" : project(unit, reach),
        unit === null ? null : work(unit, reach),
        resumes || isHistorian ? null : memory.relevant(new Set(), about, files, unit),
      ]);
      // What is reviewed then is a plan, of which nobody has made anything.
      const isPlanned = input.isPlanned();
      const makers = unitWork?.makers ?? sectionsOf(input.unlogged());
      const judges = givesVerdict(role) && !isPlanned && (!mutates || makers !== "");
      const noted = labelled("# Noted by those who worked on it", makers);
      const found = labelled("# Noted by its reviewers, and not fixed", unitWork?.reviewers ?? "");
      const isBug = input.isBug() && !resumes;
      const bug = role === "recon" ? BUG.recon : role === "tester" ? BUG.tester : mutates ? BUG.maker : "";
      const decided =
        unit === null ? decisions(input.unrecorded(), "GAIA knows them") : (unitWork?.told ?? "");
      const before = resumes ? [] : [known, decided, judges ? "" : noted, judges ? "" : found];
      // The historian writes the record: what happened is what it is told, again where more was done.
      const done = labelled("# What was done, as the plugin saw it", unitWork?.done ?? "");
      if (isHistorian) return { before: told(before), after: told([resumes ? noted : "", done, RECORD]) };
      const after = [isBug ? bug : "", relevant ?? "", ...(judges ? [noted, found, JUDGE_ORDER] : [])];
      return { before: told(before), after: told(after) };
    },
  };
}

type Section = ReturnType<typeof sectionsBy>[number];

/** A path from the project, as its reader can open it. */
type Reach = (path: string) => string;

function labelled(label: string, text: string): string {
  return text === "" ? "" : `${label}\n${text}`;
}

function section(head: string, texts: readonly string[]): string {
  const told = texts.filter(Boolean);
  return told.length === 0 ? "" : [head, ...told].join("\n\n");
}

function sectionsOf(sections: readonly Readonly<Section>[]): string {
  return sections.map(({ title, markdown }) => `### ${title}\n${markdown}`).join("\n\n");
}

/** @param where the rest of them stands */
function decisions(rows: readonly Decided[], where: string): string {
  const lines = rows.map(({ question, choice, rationale }) =>
    `- ${question} → ${choice}${rationale === "" ? "" : `, for: ${rationale}`}`.replaceAll(/\s+/g, " "),
  );
  return labelled("# Decided", newest(lines, BUDGET.decisions, where));
}

/** Whole lines from the end, in their order. */
function newest(lines: readonly string[], bytes: number, where: string): string {
  const kept = linesWithin(lines.toReversed().join("\n"), bytes);
  const count = kept === "" ? 0 : kept.split("\n").length;
  const left = lines.length - count;
  return [...(left > 0 ? [`- ${left} more: ${where}`] : []), ...lines.slice(left)].join("\n");
}
