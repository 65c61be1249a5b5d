/** YAML, of which only the reading half is taken. */
export { load, YAMLException } from "js-yaml";
