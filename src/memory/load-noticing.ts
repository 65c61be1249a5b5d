import { lazy } from "../lib/lazy.ts";

/** See `noticing.ts`; loaded once. */
export const loadNoticing = lazy(async () => import("./noticing.ts"));
