import type { ZodMiniType } from "zod/mini";
import { parseJson, recordOf } from "../../lib/json.ts";
import { LOCAL_FOLDER } from "../gaia-path.ts";
import { type GaiaReader, type GaiaWriter } from "../store/gaia-files.ts";

/**
 * A JSON file in `.gaia/.local/`, which git does not see. What cannot be read counts as absent. Maps are objects in
 * the file.
 */
export function defineLocal<T>(name: string, parse: (value: unknown) => T) {
  const path = `${LOCAL_FOLDER}/${name}`;
  const decode = (text: string | null): T => parse(parseJson(text ?? ""));
  return {
    async read(files: GaiaReader): Promise<T> {
      return decode(await files.read(path, "replaceable"));
    },
    /** @param edit what it returns is written, unless it is the very value that it was given */
    async change(writer: GaiaWriter, edit: (value: T) => T): Promise<T> {
      return writer.change(
        path,
        (text) => {
          const value = decode(text);
          const result = edit(value);
          return { text: result === value ? null : `${JSON.stringify(result, plain, 1)}\n`, result };
        },
        "replaceable",
      );
    },
  };
}

/** Values by their names, without those that do not fit. */
export function readEntries<T>(schema: ZodMiniType<T>, value: unknown): ReadonlyMap<string, T> {
  const found = Object.entries(recordOf(value)).map(([name, each]) => ({
    name,
    read: schema.safeParse(each),
  }));
  return new Map(found.flatMap(({ name, read }) => (read.success ? [[name, read.data] as const] : [])));
}

/** A map with another value under a name, which comes last; null takes it out. The oldest go beyond `most`. */
export function withEntry<T>(
  all: ReadonlyMap<string, T>,
  name: string,
  value: T | null,
  most = Infinity,
): ReadonlyMap<string, T> {
  const others = [...all].filter(([each]) => each !== name);
  if (value === null) return others.length === all.size ? all : new Map(others);
  return new Map([...others, [name, value] as const].slice(-most));
}

function plain(_name: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}
