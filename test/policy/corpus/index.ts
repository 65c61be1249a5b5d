import { dangerous } from "./dangerous.ts";
import { everyday } from "./everyday.ts";
import { mutatingAdversarial } from "./mutating-adversarial.ts";
import { mutatingEveryday } from "./mutating-everyday.ts";
import { mutatingMixed } from "./mutating-mixed.ts";
import { mutatingPrograms } from "./mutating-programs.ts";
import { mutatingShell } from "./mutating-shell.ts";
import { disguised, indirect, misread } from "./misread.ts";
import { mutatingVariables } from "./mutating-variables.ts";
import { mutatingTools } from "./mutating-tools.ts";
import { queries } from "./queries.ts";
import { readOnly } from "./read-only.ts";
import { readOnlyLookalikes } from "./read-only-lookalikes.ts";
import { readOnlyTools } from "./read-only-tools.ts";
import type { Sample } from "./sample.ts";

/** Every command of the corpus with the risk it has to get. */
export const corpus: readonly Sample[] = [
  ...everyday,
  ...readOnly,
  ...queries,
  ...readOnlyTools,
  ...readOnlyLookalikes,
  ...mutatingShell,
  ...mutatingPrograms,
  ...mutatingAdversarial,
  ...mutatingEveryday,
  ...mutatingVariables,
  ...misread,
  ...disguised,
  ...indirect,
  ...mutatingMixed,
  ...mutatingTools,
  ...dangerous,
];
