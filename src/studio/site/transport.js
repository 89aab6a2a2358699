// Requests to the module in a worker, in place of the studio's server, for a studio on a static
// page. The browser stores files and drafts. A second module answers questions that take a while,
// each in a separate worker.

import { Connection as Game } from "./connection.js";
import { Refused } from "./errors.js";
import { KeptAnswers } from "./kept.js";
import { Store } from "./store.js";
import { Tab } from "./tab.js";
import { byId, element } from "./dom.js";
import { Instance, unpacked, unpackedModule } from "./instance.js";

/** The most questions that run at a time, and that are remembered. */
const MAX_RUNNING = 4;
const MAX_KEPT = 24;
/** The most stored drafts without unsaved text. */
const MAX_DRAFTS = 100;
/** Milliseconds from a change until the draft is stored. */
const QUIET = 150;
/** Milliseconds without changes until the rules are played. */
const STILL = 500;

/** The connection of this tab. */
export class Connection extends Tab {
  isLost = false;
  /** The text beside the field for a file name. */
  saving = "The file is kept in this browser. Download makes a file of this computer from it.";
  #store = new Store("ludwright-studio", ["files", "drafts"]);
  #answers = new KeptAnswers();
  #data = JSON.parse(byId("data").textContent);
  #game = new Game(unpackedModule(), { files: [] });
  /** The current desk: its id and its stored draft. */
  #id = null;
  #kept = null;
  #timer = 0;
  #isWritten = Promise.resolve(true);
  /** The instance that plays the rules for a moment, and the timer that starts it. */
  #observer = null;
  #still = 0;

  constructor() {
    super();
    this.#game.addEventListener("draft", ({ detail }) => this.#keepSoon(detail));
    for (const name of ["game", "thinking", "evaluation"]) {
      this.#game.addEventListener(name, ({ detail }) => this.dispatchEvent(new CustomEvent(name, { detail })));
    }
    // A closing tab stores pending changes.
    addEventListener("pagehide", () => this.#keep());
  }

  /** Does nothing: there is no server with events. */
  listen() {}

  /** Sends a request and returns the answer. @param {string} name @param {any} [body] */
  async ask(name, body = {}) {
    const answer = await this.#answer(name, body);
    if (answer?.check) this.#observeSoon(answer.check);
    return answer;
  }

  /** Schedules a short play of rules without errors, for findings that only play shows. */
  #observeSoon({ ok, revision }) {
    clearTimeout(this.#still);
    this.#observer?.end();
    this.#observer = null;
    if (ok) this.#still = setTimeout(() => this.#observe(revision), STILL);
  }

  async #observe(revision) {
    const { files, draft } = this.#game;
    const observer = this.#game.beside();
    this.#observer = observer;
    const answer = await observer.ask("observe", { files, draft, revision }).catch(() => null);
    observer.end();
    if (this.#observer === observer && answer?.ok) this.dispatchEvent(new CustomEvent("check", { detail: answer.ok }));
  }

  async #answer(name, body) {
    const game = this.#game;
    switch (name) {
      case "home": return this.#home();
      case "open": return this.#open(body);
      case "forget": return this.#store.remove("drafts", body.draft).then(() => ({}));
      case "save": return this.#save(body);
      case "rename": return game.ask("rename", { ...body, files: await this.#files(this.#kept.path ?? "", body.text) });
      case "write": return this.#write(body.files);
      case "picture": return game.ask("picture", { number: body.number, files: await this.#files(body.path, await this.#store.get("files", body.path)) });
      case "changeFile": return this.#changeFile(body);
      case "restoreFile": return this.#put(body.path, body.text).then(() => ({ path: body.path }));
      case "create": return this.#create(body);
      // The plies of the previous game stay in the list.
      case "restart": return game.ask("restart", { ...body, keep: true });
      case "jobs": return { jobs: await this.#jobsHere() };
      case "job": return this.#job(body);
      case "stop": return this.#stop(body);
      case "share": return game.ask("share", { ...body, ...body.kind === "play" && { module: globalThis.ludwrightModule } });
      case "evaluate":
        game.evaluate(body.on);
        return { on: body.on };
      case "edit": {
        const answer = await game.ask("edit", body);
        return { ...answer, revision: body.revision, kept: await this.#isWritten };
      }
      default: return game.ask(name, body);
    }
  }

  /**
   * The jobs by id; the worker of a job is null once the job has ended.
   * @type {Map<string, {desk: string, job: any, worker: Instance|null}>}
   */
  #jobs = new Map();
  /** The module for questions, loaded on demand. @type {Promise<WebAssembly.Module>|null} */
  #asking = null;

  /** Loads the module for questions from the script beside the page. */
  #askingModule() {
    this.#asking ??= new Promise((done, fail) => {
      const missing = () => fail(new Refused(`The file ${this.#data.asking}, which belongs beside this page, cannot be loaded.`, 503));
      document.head.append(element("script", { src: this.#data.asking, onload: done, onerror: missing }));
    }).then(() => unpacked(globalThis.ludwrightAsking)).finally(() => delete globalThis.ludwrightAsking);
    this.#asking.catch(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** The key of the current game: its file, the shipped game, or else the desk. */
  get #subject() {
    const { path, shipped } = this.#kept ?? {};
    return path ? `file ${path}` : shipped ? `shipped ${shipped}` : `desk ${this.#id}`;
  }

  /** Returns the jobs of this desk and the stored answers about its game. */
  async #jobsHere() {
    const desk = this.#id;
    const own = [...this.#jobs.values()].filter((known) => known.desk === desk).map(({ job }) => job);
    const isKnown = (kept) => own.some((job) => job.job === kept.job || job.kind === kept.kind);
    const before = (await this.#answers.of(desk, this.#subject)).filter(({ job }) => !isKnown(job));
    for (const { job, page } of before) {
      const view = page ? viewOf(page) : null;
      this.#jobs.set(job.job, { desk, job: { ...job, view }, worker: null });
    }
    return [...before.map(({ job }) => this.#jobs.get(job.job).job), ...own];
  }

  /** Starts a job; its answer comes as events. */
  async #job({ kind, arguments: asked }) {
    const running = [...this.#jobs.values()].filter(({ worker }) => worker);
    if (running.length >= MAX_RUNNING) throw new Refused(`${MAX_RUNNING} questions are being answered already; cancel one of them.`, 503);
    for (const [id, { worker, job }] of this.#jobs) {
      if (this.#jobs.size < MAX_KEPT) break;
      if (!worker) this.#forget(id, job);
    }
    const { draft } = this.#game;
    const files = await this.#files(this.#kept.path ?? "", draft.text);
    const id = fresh();
    const worker = kind === "cases" ? this.#game.beside() : new Instance(this.#askingModule());
    const job = { job: id, kind, asked, about: {}, state: "running", progress: 0, line: "Starting …", left: null, view: null };
    this.#jobs.set(id, { desk: this.#id, game: this.#subject, job, worker });
    worker.addEventListener("told", ({ detail }) => this.#tell(id, detail));
    worker.ask(kind === "cases" ? kind : "ask", { kind, arguments: asked, files, draft }).then(({ ok, error }) => {
      if (error !== undefined) this.#tell(id, { state: "failed", line: error });
      else this.#tell(id, { ...ok, state: "done", progress: 1, line: "" });
    }, (error) => this.#tell(id, { state: "failed", line: this.#asking ? `The program has made an error: ${error.message}` : error.message })).finally(() => this.#rest(id));
    return { job: id };
  }

  /** Updates a job and dispatches the news. A report becomes a file to download. */
  #tell(id, { page, ...news }) {
    const known = this.#jobs.get(id);
    if (known?.job.state !== "running") return;
    if (page) {
      URL.revokeObjectURL(known.job.view);
      news.view = viewOf(page);
      known.page = page;
    }
    Object.assign(known.job, { left: null }, news);
    const { found, ...told } = known.job;
    // The jobs of `CaseWatch` replace no stored answer.
    const isKept = found && told.state !== "running" && !known.job.asked.watch;
    if (isKept) this.#answers.put(known.desk, known.game, { ...known.job, view: null }, known.page).catch(() => {});
    if (known.desk === this.#id) this.dispatchEvent(new CustomEvent("job", { detail: news.found ? { ...told, found } : told }));
  }

  /** Ends the worker of a job. */
  #rest(id) {
    const known = this.#jobs.get(id);
    known?.worker?.end();
    if (known) known.worker = null;
  }

  #forget(id, job) {
    URL.revokeObjectURL(job.view);
    this.#jobs.delete(id);
  }

  /** Stops a job, which keeps what it has found, and forgets the job on request. */
  async #stop({ job: id, forget }) {
    const known = this.#jobs.get(id);
    if (!known) return {};
    const line = known.job.found ? "" : "It was stopped before anything was found.";
    this.#tell(id, { state: "stopped", line });
    this.#rest(id);
    if (forget) {
      this.#forget(id, known.job);
      await this.#answers.remove(known.job).catch(() => {});
    }
    return known.job;
  }

  /** Returns the attributes of a link that downloads a report. @param {string} view */
  report(view) {
    return { href: view, download: "report.html", target: "", textContent: "Download the whole report" };
  }

  /**
   * Stores files that the designer has chosen. @param {File[]} files
   * @param {(path: string) => Promise<boolean>} mayReplace asks whether to replace a file
   * @returns {Promise<string[]>} the names of the files
   */
  async takeFiles(files, mayReplace) {
    const names = [];
    for (const file of files) {
      const { path } = file.name.endsWith(".record") ? { path: file.name } : await this.#game.ask("fileName", { path: file.name });
      let text;
      try {
        text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()).replaceAll("\r\n", "\n");
      } catch {
        throw new Refused(`${file.name} is no text; rules and records are text files in UTF-8.`, 400);
      }
      const there = await this.#store.get("files", path);
      if (there !== undefined && there !== text && !(await mayReplace(path))) continue;
      await this.#put(path, text);
      names.push(path);
    }
    return names;
  }

  async #put(path, text) {
    if (!(await this.#store.put("files", path, text)) && await this.#store.keeps()) {
      throw new Refused(`The browser could not keep ${path}. Is its storage full? What is written here can be downloaded.`, 507);
    }
  }

  /**
   * Writes files whose stored text is still `before`.
   * @param {{path: string, before: string, text: string}[]} files
   */
  async #write(files) {
    for (const { path, before, text } of files) {
      if (await this.#store.get("files", path) !== before) throw new Refused(`${path} was changed meanwhile; it stays as it is.`, 400);
      await this.#put(path, text);
    }
    return { written: files.map(({ path }) => path) };
  }

  /** Copies, renames or deletes a file and its rule cases; returns deleted texts. */
  async #changeFile({ path, action, to }) {
    const text = await this.#store.get("files", path);
    if (text === undefined) throw new Refused("this browser keeps no such file", 404);
    const end = path.slice(path.lastIndexOf("."));
    const isGame = end === ".game";
    const stem = path.slice(0, -end.length);
    const cases = isGame ? await this.#cases(path) : [];
    const isTaken = async (name) => await this.#store.get("files", name) !== undefined;
    /** Copies the file and its rule cases to another name. */
    const copy = async (name) => {
      await this.#put(name, text);
      for (const [known, content] of cases) await this.#put(casesOf(name) + known.slice(casesOf(path).length), content);
      return { path: name };
    };
    /** Removes the file; the current game follows it to its new name. */
    const remove = async (name) => {
      for (const [known] of cases) await this.removeFile(known);
      await this.removeFile(path);
      if (this.#kept?.path !== path) return;
      this.#kept.path = name;
      await this.#game.ask("moved", { path: name });
    };
    if (action === "delete") {
      await remove();
      return { path, text, cases: cases.map(([known, content]) => ({ path: known, text: content })) };
    }
    if (action === "rename") {
      const name = to.endsWith(end) ? to : `${to}${end}`;
      if (isGame) await this.#game.ask("fileName", { path: name });
      if (await isTaken(name)) throw new Refused(`There is a file ${name} already.`, 400);
      if (isGame && (await this.#cases(name)).length) throw new Refused(`There are rule cases of ${name} already.`, 400);
      await copy(name);
      await remove(name);
      return { path: name };
    }
    for (let number = 2; number < 1_000; number++) {
      const name = `${stem}-${number}${end}`;
      // Existing rule cases would become the copy's.
      if (await isTaken(name) || isGame && (await this.#cases(name)).length) continue;
      return copy(name);
    }
    throw new Refused("There are too many copies of this file.", 400);
  }

  /** Returns a file's rule cases. @param {string} path @returns {Promise<[string, string][]>} */
  async #cases(path) {
    return (await this.#store.all("files")).filter(([known]) => known.startsWith(casesOf(path)));
  }

  /** Makes a file, with a number in its name if the name is taken. */
  async #create({ path, text }) {
    const { path: name } = await this.#game.ask("fileName", { path });
    const end = name.slice(name.lastIndexOf("."));
    const stem = name.slice(0, -end.length);
    for (let number = 1; number < 100; number++) {
      const free = number === 1 ? name : `${stem}-${number}${end}`;
      if (await this.#store.get("files", free) !== undefined) continue;
      await this.#put(free, text);
      return { path: free };
    }
    throw new Refused("There are too many files of this name.", 400);
  }

  /** Removes a file that the browser keeps. @param {string} path */
  removeFile(path) {
    return this.#store.remove("files", path);
  }

  async #home() {
    const game = this.#game;
    const files = (await this.#store.all("files")).map(([name, text]) => ({ name, text }));
    const drafts = (await this.#store.all("drafts")).filter(([, kept]) => kept.unsaved);
    drafts.sort(([, one], [, other]) => other.when - one.when);
    return {
      folder: await this.#store.keeps() ? "this browser" : "this page until it is closed, because this browser keeps nothing",
      readOnly: false,
      first: null,
      files: await game.ask("titles", { files: { files } }),
      more: false,
      games: this.#data.games,
      templates: this.#data.templates,
      drafts: drafts.map(([id, { path, title, when }]) => ({ draft: id, path, title, when })),
    };
  }

  async #open(what) {
    const game = this.#game;
    await this.#keep();
    const [before, keptBefore] = [this.#id, this.#kept];
    const id = what.copy || !(what.desk ?? what.draft) ? fresh() : what.desk ?? what.draft;
    try {
      const source = await this.#source(what);
      this.#id = id;
      this.#kept = { shipped: source.shipped };
      game.files = source.files;
      const seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;
      const take = source.record ? [source.record] : [];
      const answer = await game.open({ origin: source.origin, seed, draft: source.draft, take });
      if (answer.refused) throw new Refused(answer.refused, 400);
      const { path, saved } = answer;
      if (path) this.#kept.path = path;
      return { ...answer, desk: id, path, disk: saved, savedText: saved, draft: answer.unsaved, readOnly: false };
    } catch (error) {
      [this.#id, this.#kept] = [before, keptBefore];
      throw error;
    }
  }

  /** Finds the origin, the draft and the files to open, the main file first. */
  async #source(what) {
    const known = what.desk ?? what.draft;
    if (known) {
      const kept = known === this.#id ? this.#kept : await this.#store.get("drafts", known);
      if (!kept?.draft) throw new Refused("this draft is gone", 404);
      const shipped = this.#data.games.find(({ name }) => name === kept.shipped);
      return { draft: kept.draft, shipped: kept.shipped, files: shipped?.files ?? await this.#files(kept.path ?? "", kept.draft.text) };
    }
    if (what.record) {
      const title = what.record.match(/^game:\s*(.+?)\s*$/m)?.[1];
      return this.#withRecord(await this.#titled(title), what.record);
    }
    if (what.shipped) {
      const source = this.#shipped(what.shipped);
      const draft = await this.#played((kept) => kept.shipped === what.shipped && !kept.path, {});
      return { ...source, draft };
    }
    if (what.template !== undefined) {
      const { text } = this.#data.templates.find(({ name }) => name === what.template);
      return { origin: "new", files: await this.#files("", text) };
    }
    if (!what.path) return { origin: "new", files: await this.#files("", "") };
    const text = await this.#store.get("files", what.path);
    if (text === undefined) throw new Refused("this browser keeps no such file", 404);
    if (!what.path.endsWith(".record")) {
      const draft = await this.#played((kept) => kept.path === what.path, { text, disk: text });
      return { origin: "file", draft, files: await this.#files(what.path, text) };
    }
    const { files } = await this.#home();
    return this.#withRecord(await this.#titled(files.find(({ path }) => path === what.path)?.title), text);
  }

  /**
   * Returns the newest draft that `isOwn` accepts, if any, with the given text. Forgets the oldest
   * drafts.
   * @param {(kept: any) => boolean} isOwn @param {{text?: string, disk?: string}} text
   */
  async #played(isOwn, text) {
    const drafts = (await this.#store.all("drafts")).filter(([, kept]) => kept.draft && !kept.unsaved);
    drafts.sort(([, one], [, other]) => other.when - one.when);
    for (const [id] of drafts.slice(MAX_DRAFTS)) await this.#store.remove("drafts", id);
    const last = drafts.find(([, kept]) => isOwn(kept));
    return last && { ...last[1].draft, ...text };
  }

  async #withRecord({ path, shipped }, record) {
    if (path) return { origin: "file", files: await this.#files(path, await this.#store.get("files", path)), record };
    if (shipped) return { ...this.#shipped(shipped), record };
    throw new Refused("no rules file of this browser has the title of the game of this record", 400);
  }

  /** Finds the game with a title. */
  async #titled(title) {
    const { files } = await this.#home();
    const own = files.find((file) => file.kind === "game" && file.title === title);
    const shipped = this.#data.games.find((game) => game.title === title);
    return { path: own?.path, shipped: shipped?.name };
  }

  #shipped(wanted) {
    const found = this.#data.games.find(({ name }) => name === wanted);
    if (!found) throw new Refused("there is no such game", 404);
    return { origin: "shipped", shipped: wanted, files: found.files };
  }

  /** Returns the given file, then all other stored files. */
  async #files(name, text) {
    const others = (await this.#store.all("files")).filter(([known]) => known !== name);
    return { files: [{ name, text }, ...others.map(([other, content]) => ({ name: other, text: content }))] };
  }

  async #save({ text, path, disk, overwrite, revision }) {
    const game = this.#game;
    const { path: name } = await game.ask("fileName", { path: path ?? this.#kept.path ?? "" });
    const there = await this.#store.get("files", name);
    const isKnown = name === this.#kept.path && there === disk;
    if (there !== undefined && there !== text && !isKnown && !overwrite) {
      return { conflict: { text: there, disk: there, path: name } };
    }
    await this.#put(name, text);
    this.#kept.shipped = undefined;
    const answer = await game.ask("saved", { text, path: name, revision });
    await this.#keep();
    return { path: name, disk: text, check: answer.check, title: answer.check.title };
  }

  #keepSoon({ draft, unsaved, title, path }) {
    this.#kept = { ...this.#kept, draft, unsaved, title, path, when: Date.now() / 1000 };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), QUIET);
  }

  /** Stores the current desk. */
  #keep() {
    clearTimeout(this.#timer);
    if (!this.#id || !this.#kept?.draft) return Promise.resolve(true);
    this.#isWritten = this.#store.put("drafts", this.#id, this.#kept);
    return this.#isWritten;
  }
}

/** Returns the folder of a file's rule cases. @param {string} path */
function casesOf(path) {
  return path.replace(/\.game$/, ".cases/");
}

/** Makes an address of a report. @param {string} page */
function viewOf(page) {
  return URL.createObjectURL(new Blob([page], { type: "text/html" }));
}

/** Returns a random id. */
function fresh() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
