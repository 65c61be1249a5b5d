/** Time as the engine sees it, so that tests can turn it by hand. All figures are milliseconds. */
export interface Clock {
  now(): number;
  /** Runs `callback` once after `ms`; the returned function cancels it. The timer never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
