import * as z from "zod/mini";
import { listOf } from "./json.ts";

export const orElse = z.catch;
export const savedText = (most: number) =>
  orElse(z.string().check(z.overwrite((text) => text.slice(0, most))), "");
export const savedFlag = (other = false) => orElse(z.boolean(), other);
export const savedCount = () => orElse(z.number().check(z.nonnegative()), 0);

/** The newest values of a saved list, as far as they are of this form: who wrote it, or damaged it, is not known. */
export function readSaved<S extends z.ZodMiniType>(schema: S, saved: unknown, most: number): z.output<S>[] {
  const newest = listOf(saved).slice(-most);
  return newest
    .map((value) => schema.safeParse(value))
    .flatMap(({ success, data }) => (success ? [data] : []));
}

/** Those that fit, from the newest on, in their order. @param room characters of JSON */
export function newestWithin<T>(values: readonly T[], room: number): T[] {
  let left = room;
  const first = values.findLastIndex((value) => {
    left -= JSON.stringify(value).length + 1;
    return left <= 0;
  });
  return values.slice(first + 1);
}
