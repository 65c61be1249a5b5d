import { createTask, type Task } from "../../src/delegation/task.ts";

const PLACE = { id: "t", agent: "minerva", parentId: "root", callId: "c", sessionId: "s" } as const;

/** A task of a specialist, with what a test has to say of it. @param at when it was queued, in milliseconds */
export function taskOf(given: Partial<Task> = {}, at = 0): Task {
  return { ...createTask({ ...PLACE, background: false, workUnit: null, waveId: null }, at), ...given };
}
