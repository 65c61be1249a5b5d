import { parseJson, recordOf } from "../../lib/json.ts";
import { inUnit, recordPath, type OperationContext, type UnitRef, type Written } from "./context.ts";

/**
 * What the plugin saw of a unit's commands. It lies with the unit and may be committed; what counts of it is only what this
 * user's plugin sealed for this project and unit, so that no model, and no repository, brings proofs along (SPEC 2.9).
 */
export const EVIDENCE = "evidence.json";

/**
 * What was sealed for a unit; null where there is nothing, or anyone else wrote it.
 * @param folder where the unit lies now, below `.gaia`: an archived one has moved
 */
export async function readEvidence(
  { files, seal }: OperationContext,
  { slug, folder = slug }: Required<UnitRef> & { readonly folder?: string },
): Promise<{ value: unknown }> {
  const { value, seal: sealed } = recordOf(
    parseJson((await files.read(`${folder}/${EVIDENCE}`, "replaceable")) ?? ""),
  );
  if (value === undefined || typeof sealed !== "string") return { value: null };
  return { value: sealed === (await seal(about(slug, value))) ? value : null };
}

/** Writes and seals it. To be called with what the plugin itself saw, free of secrets. */
export async function writeEvidence(
  { files, seal }: OperationContext,
  { slug, value }: Required<UnitRef> & { value: unknown },
): Promise<Written> {
  return inUnit(files, slug, async (writer, unit) => {
    const text = `${JSON.stringify({ value, seal: await seal(about(unit, value)) }, null, 1)}\n`;
    await writer.change(`${unit}/${EVIDENCE}`, () => ({ text, result: null }), "replaceable");
    return { path: recordPath(`${unit}/${EVIDENCE}`) };
  });
}

function about(unit: string, value: unknown): string {
  return JSON.stringify(["evidence", unit, value]);
}
