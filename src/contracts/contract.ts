import * as z from "zod/mini";
import { catch as orElse } from "zod/mini";
import { lazy } from "../lib/lazy.ts";
import { renderJsonSchema } from "./json-schema.ts";
import { renderShape } from "./shape.ts";
import type { Outcome } from "./verdict/settle.ts";
import { VERDICTS } from "./verdict/words.ts";

/** What a reviewer may conclude (SPEC 4), as it is asked for; what models write instead is read before. */
const outcome = lazy(() =>
  z.object({
    verdict: z.enum(VERDICTS),
    reason: z.optional(z.string()),
    next_step: z.optional(z.string()),
  }),
);

/** What a specialist took for granted, and how sure it is, from 0 to 1. */
const assumptions = lazy(() => z.array(z.object({ text: z.string(), confidence: z.number() })));
type Assumptions = z.infer<ReturnType<typeof assumptions>>;

export type VcsType = "jj" | "git" | "none";

/**
 * What a specialist hands back: the envelope of SPEC 4 around its own `data`. The fields that the plugin knows
 * better than the model are filled in by the plugin and are not part of what the model is asked for.
 */
export interface Envelope {
  contract_version: "1.0";
  agent: string;
  work_unit: string | null;
  session_id: string;
  vcs_type: VcsType;
  ok: boolean;
  data: Record<string, unknown>;
  errors: string[];
  outcome?: Outcome;
  assumptions?: Assumptions;
}

/** The part of the envelope that a model writes. */
export interface Answer {
  ok: boolean;
  data: Record<string, unknown>;
  errors: string[];
  outcome?: Outcome | undefined;
  assumptions?: Assumptions | undefined;
}

/** One specialist's contract: the zod schema is the source, the other forms derive from it. */
export interface Contract {
  /** The schema of the agent's own `data`. */
  readonly data: z.ZodMiniObject;
  /** The schema of everything that the model writes. */
  readonly answer: z.ZodMiniType<Answer>;
  /** For OpenCode's structured output (`format: json_schema`). */
  readonly jsonSchema: Record<string, unknown>;
  /** The same as a compact type for a prompt, where structured output is not to be had. */
  readonly shape: string;
  /** `due`: its verdict counts, and is asked for; `optional`: it may give one, for GAIA to read. */
  readonly verdict: "due" | "optional" | "none";
}

/**
 * Makes a contract from the schema of an agent's `data`. Its forms are made when the first of them is asked for: a start
 * needs none.
 * @param options `reviews`: the answer carries an outcome, or may where it is `optional`; `assumes`: it may carry assumptions
 * @param fields makes the schemas of the fields
 */
export function defineContract(
  { reviews = false, assumes = false }: { reviews?: boolean | "optional"; assumes?: boolean },
  fields: () => z.core.$ZodShape,
): Contract {
  const forms = lazy(() => {
    const data = z.object(fields());
    const answer = z.object({
      ok: z.boolean(),
      data,
      errors: z._default(z.array(z.string()), []),
      ...(reviews !== false ? { outcome: orElse(z.optional(outcome()), undefined) } : {}),
      ...(assumes ? { assumptions: orElse(z.optional(assumptions()), undefined) } : {}),
    }) as z.ZodMiniType<Answer>;
    const jsonSchema = renderJsonSchema(answer);
    return { data, answer, jsonSchema, shape: renderShape(jsonSchema) };
  });
  return {
    get data() {
      return forms().data;
    },
    get answer() {
      return forms().answer;
    },
    get jsonSchema() {
      return forms().jsonSchema;
    },
    get shape() {
      return forms().shape;
    },
    verdict: reviews === "optional" ? "optional" : reviews ? "due" : "none",
  };
}
