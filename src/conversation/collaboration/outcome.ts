import type { CollaborationEffect } from "./effects.ts";
import type { CollaborationState } from "./state.ts";

/** A state together with what has to happen because it was reached. */
export interface Outcome {
  readonly state: CollaborationState;
  readonly effects: readonly CollaborationEffect[];
}

type Transition = (state: CollaborationState) => Outcome;

/** An outcome with the given effects, in order. */
export function outcome(state: CollaborationState, ...effects: readonly CollaborationEffect[]): Outcome {
  return { state, effects };
}

/** Transitions one after the other; their effects are joined in the same order. */
export function inOrder(state: CollaborationState, ...transitions: readonly Transition[]): Outcome {
  return transitions.reduce<Outcome>(
    (before, transition) => {
      const after = transition(before.state);
      return { state: after.state, effects: [...before.effects, ...after.effects] };
    },
    { state, effects: [] },
  );
}
