import { defineCommand } from "./define.ts";

/** `/gaia-init`: creates the project's curated context, and lets GAIA fill it together with the user (SPEC 10). */
export const gaiaInit = defineCommand({
  name: "gaia-init",
  description: "GAIA: create or refresh .gaia/gaia-init.md, what she takes into account here",
  async run(argumentText, { runtime }) {
    const file = await runtime.workspace.createGaiaInit();
    if (!file.ok) {
      await runtime.host.toast("error", `${file.error} ${file.hint}`);
      return { forModel: `Tell the user in one line: ${file.error} ${file.hint}` };
    }
    await runtime.host.toast(
      "success",
      `${file.path} ${file.created ? "was created" : "is there; it is kept"}.`,
    );
    const about = argumentText.trim() === "" ? "" : ` The user adds: ${argumentText.trim()}`;
    return {
      forModel:
        `${file.path} ${file.created ? "was just created from its template" : "exists"}. Read it and .gaia/learnings.md, look at the project, then ` +
        "ask the user with the question tool, at most four questions, what belongs under its headings and is not there yet; propose learnings " +
        "that deserve a line. Delegate to demeter to write what the user accepted under the existing headings: short, true lines; lines of the user stay." +
        about,
    };
  },
});
