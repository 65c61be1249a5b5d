import * as z from "zod/mini";
import { listOf, recordOf } from "../lib/json.ts";
import { lazy } from "../lib/async.ts";
import { failedChecks, GRAVE, oneOf } from "./fields.ts";

/** What a reviewer may conclude (SPEC 4), the worst last. */
export const VERDICTS = ["APPROVE", "REJECT", "BLOCKED"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A reviewer's conclusion. Without one, nothing was reviewed. */
export const outcomeSchema = lazy(() =>
  z.object({
    verdict: oneOf(VERDICTS),
    reason: z.optional(z.string()),
    next_step: z.optional(z.string()),
  }),
);
export type Outcome = z.infer<ReturnType<typeof outcomeSchema>>;

/** What a specialist took for granted, and how sure it is, from 0 to 1. */
const assumptions = lazy(() => z.array(z.object({ text: z.string(), confidence: z.number() })));

/** Found outside of the task; only asked for where the user wants it (`findings.ask`). */
const outside = lazy(() =>
  z.array(
    z.object({
      id: z.optional(z.string()),
      type: z.string(),
      scope: z.optional(z.string()),
      where: z.optional(z.string()),
      what: z.string(),
    }),
  ),
);

export type VcsType = "jj" | "git" | "none";

/** A specialist's result (SPEC 4). What the plugin knows better than the model stands beside it. */
export interface Answer {
  ok: boolean;
  data: Record<string, unknown>;
  errors: string[];
  /** What it must know to go on. */
  questions?: string[] | undefined;
  outcome?: Outcome | undefined;
  assumptions?: z.infer<ReturnType<typeof assumptions>> | undefined;
  outside?: z.infer<ReturnType<typeof outside>> | undefined;
}

/** One specialist's contract: the zod schema is the source, the other forms derive from it. */
export interface Contract {
  readonly asked: z.ZodMiniObject;
  /** The schema of an answer of a specialist who could not do it (`ok: false`): errors, and as much of its data as it has. */
  readonly unable: z.ZodMiniType<Answer>;
  readonly done: z.ZodMiniType<Answer>;
  readonly shape: string;
  /** `due`: its verdict counts, and is asked for; `optional`: it may give one, for GAIA to read. */
  readonly verdict: "due" | "optional" | "none";
}

/** Its forms are made when first asked for: a start needs none. @param options `reviews`: it carries an outcome; `assumes`: it may carry assumptions */
export function defineContract(
  { reviews = false, assumes = false }: { reviews?: boolean | "optional"; assumes?: boolean },
  fields: () => z.core.$ZodShape,
): Contract {
  const forms = lazy(() => {
    const data = z.object(fields());
    const outcome = outcomeSchema();
    const rest = {
      questions: z.optional(z.array(z.string())),
      ...(reviews === false ? {} : { outcome: reviews === true ? outcome : z.optional(outcome) }),
      ...(assumes ? { assumptions: z.optional(assumptions()) } : {}),
    };
    const errors = z._default(z.array(z.string()), []);
    const asked = z.object({ ok: z.boolean(), data, errors, ...rest });
    const read = { ...rest, outside: z.optional(outside()) };
    const done = z.object({ ok: z.boolean(), data, errors, ...read }).check(z.superRefine(holdsTogether));
    const unable = z
      .object({
        ok: z.literal(false),
        data: z._default(z.partial(data), {}),
        errors: z.array(z.string()).check(z.minLength(1)),
        ...read,
      })
      .check(z.superRefine(holdsTogether));
    return { asked, done, unable, shape: renderShape(asked) } as Omit<Contract, "verdict">;
  });
  return {
    get asked() {
      return forms().asked;
    },
    get done() {
      return forms().done;
    },
    get unable() {
      return forms().unable;
    },
    get shape() {
      return forms().shape;
    },
    verdict: reviews === "optional" ? "optional" : reviews ? "due" : "none",
  };
}

/** What an approval cannot stand beside (SPEC 4). */
function holdsTogether(answer: unknown, context: z.core.$RefinementCtx): void {
  const { ok, data: given, outcome } = recordOf(answer);
  const data = recordOf(given);
  if (recordOf(outcome)["verdict"] !== "APPROVE") return;
  const against = [
    ...(ok === false ? ["ok is false"] : []),
    ...failedChecks(data).map(({ command, exit_code: code }) => `\`${command}\` ended with ${code}`),
    ...graveFindings(data).map((severity) => `a finding is ${severity}`),
  ];
  for (const each of against.slice(0, 3))
    context.addIssue({
      code: "custom",
      path: ["outcome", "verdict"],
      message: `APPROVE, but ${each}`,
      input: answer,
    });
}

function graveFindings(data: Readonly<Record<string, unknown>>): string[] {
  return Object.values(data)
    .flatMap(listOf)
    .map((each) => String(recordOf(each)["severity"]).trim().toLowerCase())
    .filter((severity) => GRAVE.has(severity));
}

/** A schema as the short type notation that models read best: `{ ok: boolean, errors?: string[] }`. @throws Error for a kind that no contract has */
function renderShape(schema: z.core.$ZodType): string {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "boolean":
    case "string":
    case "number":
      return def.type;
    case "enum":
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(" | ");
    case "array": {
      const items = renderShape(def.element);
      return items.includes(" | ") ? `(${items})[]` : `${items}[]`;
    }
    case "object": {
      const fields = Object.entries(def.shape).map(
        ([name, field]) => `${name}${field._zod.optin === undefined ? "" : "?"}: ${renderShape(field)}`,
      );
      return fields.length === 0 ? "object" : `{ ${fields.join(", ")} }`;
    }
    case "nullable":
      return `${renderShape(def.innerType)} | null`;
    case "default":
    case "optional":
      return renderShape(def.innerType);
    case "pipe":
      return renderShape(def.out);
    default:
      throw new Error(`A schema of the kind "${def.type}" has no place in a contract.`);
  }
}
