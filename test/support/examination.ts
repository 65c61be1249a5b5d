import type { CallContext } from "../../src/policy/examine-call.ts";
import { type Effect, type Examination, examination } from "../../src/policy/examination.ts";

/** What the policy says of a call with this effect, and nothing else. */
export const examined = (effect: Effect, rest: Partial<Examination> = {}): Examination =>
  examination(effect, rest.reason ?? "because", rest);

/** What an examination depends on, where nothing lies around the call: no links, no ignored files, no rules of the user's. */
export const policyContext = (folder: string, rest: Partial<CallContext> = {}): CallContext => ({
  folder,
  project: folder,
  own: [],
  formatters: async () => [],
  languageServers: () => false,
  isPosix: true,
  dangerous: [],
  allow: [],
  allowSensitive: [],
  userFolders: [],
  server: null,
  machine: [],
  realPath: (path) => path,
  ignored: async () => [],
  ...rest,
});
