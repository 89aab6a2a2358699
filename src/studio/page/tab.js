// A desk is one tab: a file that is being written and a game in progress. Its id is kept in the
// session of the tab, so that reloading the page comes back to it. A lock of the browser says that
// the tab has it: a tab that is duplicated works on a copy.

const KEY = "ludwright-desk";

/** What a tab knows of its desk; a transport adds how requests about it are answered. */
export class Tab extends EventTarget {
  desk = remembered();
  #held = null;
  #release = null;

  /**
   * Takes a desk for this tab. @param {string} desk
   * @param {number} [tries] after a reload, the page before may take a moment to let go
   * @returns {Promise<boolean>} false if another tab has it
   */
  async take(desk, tries = 1) {
    if (desk === this.#held || !navigator.locks) return true;
    const isTaken = await new Promise((done) => {
      navigator.locks.request(`desk-${desk}`, { ifAvailable: true }, (lock) => {
        done(!lock);
        if (!lock) return undefined;
        this.#release?.();
        this.#held = desk;
        return new Promise((release) => {
          this.#release = release;
        });
      });
    });
    if (!isTaken) return true;
    if (tries <= 1) return false;
    await new Promise((resolve) => setTimeout(resolve, 60));
    return this.take(desk, tries - 1);
  }

  /** Names the desk that all further requests are about. @param {string|null} desk */
  use(desk) {
    this.desk = desk;
    try {
      if (desk) sessionStorage.setItem(KEY, desk);
      else sessionStorage.removeItem(KEY);
    } catch {
      // The desk is then found among the drafts.
    }
  }
}

/** Some browsers keep nothing for a page that was opened from the disk. */
function remembered() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
