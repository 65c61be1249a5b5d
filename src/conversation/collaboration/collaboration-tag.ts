import type { CollaborationState } from "./state.ts";

/**
 * The line that ends the newest user message of a GAIA session (SPEC 8): the knobs and the wave, always all of them in
 * this order. The wave is empty when there is none.
 */
export function renderCollaborationTag({ knobs, wave }: CollaborationState): string {
  const { profile, mode, visibility, interaction, checkinCadence, reviewDepth } = knobs;
  return (
    `<gaia-collaboration profile="${profile}" mode="${mode}" visibility="${visibility}" ` +
    `interaction="${interaction}" cadence="${checkinCadence}" review="${reviewDepth}" wave="${attribute(wave?.id ?? "")}" />`
  );
}

/** A wave's id comes from a model: nothing in it may end the attribute or the tag. */
function attribute(text: string): string {
  return text.replace(/[^\w.:-]/g, "_").slice(0, 64);
}
