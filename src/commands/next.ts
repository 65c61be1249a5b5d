import type { CommandRun } from "./define.ts";

/** `/next`: work goes on from a check-in; words behind it are feedback. */
export const next: CommandRun = (argumentText, { conversation }) => {
  const waited = conversation.state.pause !== null;
  const words = argumentText.trim();
  conversation.dispatch(words === "" ? { type: "next" } : { type: "user-message", text: words });
  if (words !== "") return { forModel: `Feedback of the user on the last check-in: ${words}` };
  return {
    forModel: waited
      ? "The user has seen the check-in and agrees: go on with the next step."
      : "Nothing was waiting for /next. Go on where work is open; otherwise say so in one short line.",
  };
};
