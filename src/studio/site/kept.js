// Stores the last answer to each kind of question about a game in the browser, for when the game is
// opened again. The page marks answers about older rules.

import { Store } from "./store.js";

/** The most characters of an answer, which otherwise loses its report, and of all answers. */
const MAX_ANSWER = 4_000_000;
const MAX_ALL = 32_000_000;

/**
 * @typedef {{desk: string, game: string, when: number, size: number, job: any, page?: string}} Kept
 * `game` is the file or the shipped game; without either, the desk.
 */
export class KeptAnswers {
  #store = new Store("ludwright-answers", ["answers"]);
  /** Pending writes run in order, so that a forgotten answer does not come back. */
  #written = Promise.resolve();

  /**
   * Stores an answer in place of the previous one.
   * @param {string} desk @param {string} game @param {any} job @param {string} [page] its report
   */
  put(desk, game, job, page) {
    return this.#next(() => this.#put(desk, game, job, page));
  }

  /** Runs an action after all pending writes. @param {() => Promise<void>} action */
  #next(action) {
    this.#written = this.#written.catch(() => {}).then(action);
    return this.#written;
  }

  async #put(desk, game, job, page) {
    const own = JSON.stringify(job).length;
    const report = own + (page?.length ?? 0) > MAX_ANSWER ? undefined : page;
    if (own > MAX_ANSWER) return;
    const size = own + (report?.length ?? 0);
    const name = nameOf(game, job);
    const others = (await this.#store.all("answers")).filter(([other]) => other !== name);
    others.sort(([, one], [, other]) => other.when - one.when);
    let all = size;
    for (const [other, kept] of others) {
      all += kept.size;
      if (all > MAX_ALL) await this.#store.remove("answers", other);
    }
    await this.#store.put("answers", name, { desk, game, when: Date.now(), size, job, page: report });
  }

  /** Returns the answers about a game or from a desk, oldest first. @returns {Promise<Kept[]>} */
  async of(desk, game) {
    const all = (await this.#store.all("answers").catch(() => [])).map(([, kept]) => kept);
    return all.filter((kept) => kept.desk === desk || kept.game === game).sort((one, other) => one.when - other.when);
  }

  /** Forgets an answer. @param {any} job */
  remove(job) {
    return this.#next(async () => {
      for (const [name, kept] of await this.#store.all("answers")) {
        if (kept.job.job === job.job) await this.#store.remove("answers", name);
      }
    });
  }
}

function nameOf(game, { kind }) {
  return `${kind} ${game}`;
}
