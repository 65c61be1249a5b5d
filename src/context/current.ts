import { lazy } from "../lib/lazy.ts";

/** What files say that may change at any time. Nothing is looked at before someone asks. */
export interface Current<T> {
  /** As the files are now; null where there are none. Never rejects. */
  now(): Promise<T | null>;
  /** As they were when someone asked last. */
  latest(): Promise<T | null>;
}

/** @param open gives the look at the files, when it is first needed */
export function createCurrent<T>(open: () => Promise<() => Promise<T | null>>): Current<T> {
  const look = lazy(open);
  let latest: Promise<T | null> | null = null;
  let underWay: Promise<T | null> | null = null;
  /** Who asks at the same time is answered at the same time, in the order in which they asked. */
  const now = async (): Promise<T | null> => {
    underWay ??= look()
      .then(async (see) => see())
      .finally(() => {
        underWay = null;
      });
    latest = underWay;
    return underWay;
  };
  return { now, latest: async () => latest ?? now() };
}
