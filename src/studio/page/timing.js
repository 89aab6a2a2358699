// Actions that are asked for more often than they should run.

/**
 * Runs an action at most once at a time; of the calls that come meanwhile, the last runs next.
 * `settled` of the returned function resolves when no call runs or waits.
 * @template T @param {(value: T) => Promise<void>} action
 * @returns {((value: T) => void) & {settled: () => Promise<void>}}
 */
export function latest(action) {
  let isBusy = false;
  let waiting = [];
  const askers = [];
  const run = async (value) => {
    isBusy = true;
    try {
      await action(value);
    } finally {
      isBusy = false;
      if (waiting.length) run(waiting.splice(0)[0]);
      else for (const tell of askers.splice(0)) tell();
    }
  };
  const call = (value) => {
    if (isBusy) waiting = [value];
    else run(value);
  };
  call.settled = () => new Promise((tell) => {
    if (isBusy) askers.push(tell);
    else tell();
  });
  return call;
}

/**
 * Runs an action after calls have paused.
 * @template T @param {number} pause in milliseconds @param {(value: T) => void} action
 */
export function paused(pause, action) {
  let timer = 0;
  const call = (value) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(value), pause);
  };
  call.cancel = () => clearTimeout(timer);
  return call;
}
