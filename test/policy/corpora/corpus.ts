import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";

const CaseSchema = z.strictObject({
  command: z.string().min(1),
  verdict: z.enum(["block", "risky", "confirm", "allow"]),
  cwd: z.string().startsWith("/").optional(),
});

const Provenance = {
  source: z.url(),
  commit: z.string().regex(/^[0-9a-f]{40}$/u),
  licence: z.string().min(1),
  files: z.array(z.string()).min(1),
  left: z.record(z.string(), z.number()),
};

const VerdictsSchema = z.strictObject({ ...Provenance, cases: z.array(CaseSchema).min(1) });
const UseSchema = z.strictObject({
  ...Provenance,
  cwd: z.string().startsWith("/"),
  commands: z.array(z.string().min(1).max(400)).min(1),
});

const DisagreementsSchema = z.array(
  z.strictObject({
    corpus: z.string(),
    command: z.string(),
    kind: z.enum(["reads", "verdict", "contract"]),
    reason: z.string().min(1),
  }),
);

/**
 * A command of another project's tests and what that project says of it: `risky` for what it asks about as a danger,
 * `confirm` where it asks for whatever is no plain reading.
 */
export type Case = z.infer<typeof CaseSchema>;

/** A case in which another project is not followed: it only reads, the verdict is wrong, or SPEC 9 says otherwise. */
export type Disagreement = z.infer<typeof DisagreementsSchema>[number];

/** What is measured: other projects' verdicts by their name, and what agents really ran. */
export interface Corpora {
  readonly verdicts: ReadonlyMap<string, readonly Case[]>;
  readonly use: ReadonlyMap<string, { readonly cwd: string; readonly commands: readonly string[] }>;
  readonly disagreements: readonly Disagreement[];
}

/** Reads all corpora of a folder; throws on a file of another shape. */
export function readCorpora(folder: string): Corpora {
  const verdicts = new Map<string, readonly Case[]>();
  const use = new Map<string, z.infer<typeof UseSchema>>();
  let disagreements: readonly Disagreement[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const content: unknown = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const name = basename(file, ".json");
    if (name === "disagreements") disagreements = DisagreementsSchema.parse(content);
    else if (name.startsWith("agents")) use.set(name, UseSchema.parse(content));
    else verdicts.set(name, VerdictsSchema.parse(content).cases);
  }
  return { verdicts, use, disagreements };
}
