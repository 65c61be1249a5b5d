/** Runs work in order, each with the result of a look. One look serves all calls that came before it began. */
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
