import * as z from "zod/mini";
import { listOf } from "./json.ts";

/** The newest values of a saved list, as far as they are of this form: who wrote it, or damaged it, is not known. */
export function readSaved<S extends z.ZodMiniType>(schema: S, saved: unknown, most: number): z.output<S>[] {
  return listOf(saved)
    .slice(-most)
    .flatMap((value) => {
      const read = schema.safeParse(value);
      return read.success ? [read.data] : [];
    });
}

/** Saved text, cut to so many characters; empty for anything else. */
export const savedText = (most: number) =>
  z.catch(z.string().check(z.overwrite((text) => text.slice(0, most))), "");

export const savedFlag = (otherwise = false) => z.catch(z.boolean(), otherwise);

/** Saved figures, none of them below zero. */
export const savedCount = () => z.catch(z.number().check(z.nonnegative()), 0);
