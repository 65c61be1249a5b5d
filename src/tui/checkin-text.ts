/**
 * What stands above the changes in the dialog of the last check-in. Pure.
 * @param checkin the packet as it stands in the transcript; empty before the first
 * @param changes as a patch; undefined until the server plugin has told them
 */
export function checkinText(checkin: string, changes: string | undefined): string {
  if (checkin !== "") return checkin;
  const none = "There was no check-in yet";
  if (changes === undefined) return `${none}.`;
  return changes === "" ? `${none}, and nothing has changed so far.` : `${none}. Changed so far:`;
}
