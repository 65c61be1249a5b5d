/** Ranks what is found in the record. */
export { default as MiniSearch } from "minisearch";
