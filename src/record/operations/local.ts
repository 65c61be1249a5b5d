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

/** The same of a map of values by names; what does not fit the schema is left out. */
export function defineLocalMap<T>(name: string, schema: () => ZodMiniType<T>) {
  const local = defineLocal(name, (value): ReadonlyMap<string, T> => {
    const read = Object.entries(recordOf(value)).map(
      ([key, each]) => [key, schema().safeParse(each)] as const,
    );
    return new Map(read.flatMap(([key, { success, data }]) => (success ? [[key, data] as const] : [])));
  });
  return {
    all: local.read,
    get: async (files: GaiaReader, key: string): Promise<T | undefined> => (await local.read(files)).get(key),
    /** The entry comes last; null takes it out. The oldest go beyond `most`. */
    async set(writer: GaiaWriter, key: string, value: T | null, most = Infinity): Promise<void> {
      await local.change(writer, (all) => {
        const others = [...all].filter(([each]) => each !== key);
        if (value === null) return others.length === all.size ? all : new Map(others);
        return new Map([...others, [key, value] as const].slice(-most));
      });
    },
  };
}

function plain(_name: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}
