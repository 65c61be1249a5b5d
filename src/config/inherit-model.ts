/** The value of `model` that stands for "whatever model the session uses" (SPEC 6). */
export const INHERIT_MODEL = "inherit";
