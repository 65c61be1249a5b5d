/**
 * Does pieces of work one after the other, each with what a look shows. One look is for all who asked for their turn before it
 * began.
 */
export function takingTurns<Seen>(
  look: () => Promise<Seen>,
): <T>(work: (seen: Seen) => Promise<T> | T) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve();
  let newest: Promise<Seen> | null = null;
  let asked = 0;
  let answered = 0;
  return async (work) => {
    asked += 1;
    const mine = asked;
    const next = turn.then(async () => {
      if (newest === null || mine > answered) {
        answered = asked;
        newest = look();
      }
      return work(await newest);
    });
    turn = next.catch(() => undefined);
    return next;
  };
}
