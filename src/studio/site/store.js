// The studio's storage in the browser: named values of a few kinds. Where a browser stores nothing,
// as in some private windows, values last as long as the page.

export class Store {
  #opened = null;
  #name;
  #kinds;
  #memory;

  /** @param {string} name of the database @param {string[]} kinds */
  constructor(name, kinds) {
    this.#name = name;
    this.#kinds = kinds;
    this.#memory = new Map(kinds.map((kind) => [kind, new Map()]));
  }

  /** Tests if the browser stores values. */
  async keeps() {
    return Boolean(await this.#database());
  }

  #database() {
    this.#opened ??= new Promise((done) => {
      let request;
      try {
        request = indexedDB.open(this.#name, 1);
      } catch {
        done(null);
        return;
      }
      request.onupgradeneeded = () => {
        for (const kind of this.#kinds) request.result.createObjectStore(kind);
      };
      request.onsuccess = () => done(request.result);
      request.onerror = () => done(null);
    });
    return this.#opened;
  }

  async #do(kind, mode, action) {
    const database = await this.#database();
    if (!database) return undefined;
    return new Promise((done, fail) => {
      const transaction = database.transaction(kind, mode);
      const request = action(transaction.objectStore(kind));
      transaction.oncomplete = () => done(request.result);
      transaction.onerror = () => fail(transaction.error);
      transaction.onabort = () => fail(transaction.error);
    });
  }

  /** Returns all names and values. @param {string} kind @returns {Promise<[string, any][]>} */
  async all(kind) {
    if (!(await this.#database())) return [...this.#memory.get(kind)];
    const names = await this.#do(kind, "readonly", (store) => store.getAllKeys());
    const values = await this.#do(kind, "readonly", (store) => store.getAll());
    return names.map((name, index) => [name, values[index]]);
  }

  /** @param {string} kind @param {string} name */
  async get(kind, name) {
    if (!(await this.#database())) return this.#memory.get(kind).get(name);
    return this.#do(kind, "readonly", (store) => store.get(name));
  }

  /**
   * Stores a value and returns whether the browser has it permanently.
   * @param {string} kind @param {string} name @param {any} value
   */
  async put(kind, name, value) {
    if (!(await this.#database())) {
      this.#memory.get(kind).set(name, value);
      return false;
    }
    return this.#do(kind, "readwrite", (store) => store.put(value, name)).then(() => true, () => false);
  }

  /** @param {string} kind @param {string} name */
  async remove(kind, name) {
    if (!(await this.#database())) this.#memory.get(kind).delete(name);
    else await this.#do(kind, "readwrite", (store) => store.delete(name));
  }
}
