/** Files of the record and beside it: where they lie, atomic writes, locks across processes, and journals. */
export {
  codeOf,
  GAIA_FOLDER,
  KNOWLEDGE_FOLDER,
  localFile,
  resolveInsideGaia,
  slugOfArchived,
} from "./gaia-path.ts";
export {
  NO_FILE,
  readTextFile,
  removeLeftovers,
  signatureOf,
  type TextFile,
  writeFileAtomic,
} from "./store/atomic-file.ts";
export { createJournal, type Journal } from "./store/journal.ts";
export { acquireLock, tryLock } from "./store/lock.ts";
