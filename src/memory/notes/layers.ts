/** How long something is remembered: for an hour, with the conversation's work unit, or in the project, once a person accepts it. */
export const LAYERS = ["working", "session", "project"] as const;
export type Layer = (typeof LAYERS)[number];
