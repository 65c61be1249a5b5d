const COUNT = /^(\d{1,4})(?![\w-])/;
const NOBODY = /^(?:none|nothing|no|n\/a|null|0+|[-–—])?$/i;
/** More are not read. */
const MAX_READ = 8;

/** Who tries a task, by name, from `3` or `builder, tester`; an empty name stands for the task's own agent. */
export function readCandidates(value: string): readonly string[] {
  const plain = value.replaceAll(/[*_`"'@[\]]/g, "").trim();
  if (NOBODY.test(plain)) return [];
  const count = Number(COUNT.exec(plain)?.[1] ?? 0);
  if (count > 0) return Array.from({ length: Math.min(count, MAX_READ) }, () => "");
  const names = plain.toLowerCase().split(/[\s,;+&]+|\band\b|\bvs\b/);
  return names.filter((name) => name !== "").slice(0, MAX_READ);
}
