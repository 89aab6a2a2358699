// A desk is one tab: a file that is being edited and a game in progress. The desk's id is stored in
// the tab's session, so that a reload opens the desk again. A lock of the browser reserves the desk
// for the tab: a duplicated tab works on a copy.

const KEY = "ludwright-desk";

/** A tab with its desk; each transport extends this class by requests. */
export class Tab extends EventTarget {
  desk = remembered();
  #held = null;
  #release = null;

  /**
   * Takes a desk for this tab. @param {string} desk
   * @param {number} [tries] after a reload, the old page may take a moment to release it
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
      // The desk can then be found among the drafts.
    }
  }
}

/** Returns the stored desk. Pages from the disk store nothing in some browsers. */
function remembered() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
