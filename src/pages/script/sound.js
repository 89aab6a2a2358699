// Sounds of the board, made by the browser: wood on wood for plies, a chord at the end. By default
// they are off.

const KEY = "ludwright-sound";

/** The notes of each sound: frequency, duration, volume and delay; times in seconds. */
const SOUNDS = {
  place: [[210, 0.09, 0.5, 0], [1300, 0.02, 0.12, 0]],
  move: [[180, 0.08, 0.4, 0], [1100, 0.02, 0.12, 0], [210, 0.08, 0.5, 0.06]],
  turn: [[320, 0.06, 0.35, 0], [420, 0.06, 0.3, 0.05]],
  capture: [[150, 0.12, 0.6, 0], [95, 0.16, 0.5, 0.05], [900, 0.03, 0.2, 0]],
  end: [[392, 0.5, 0.25, 0.1], [494, 0.5, 0.25, 0.2], [587, 0.7, 0.25, 0.3]],
};

export class Sound {
  #context = null;

  /** @param {HTMLInputElement} toggle the control that switches sounds on */
  constructor(toggle) {
    this.toggle = toggle;
    toggle.checked = kept() === "on";
    toggle.addEventListener("change", () => {
      keep(toggle.checked ? "on" : "off");
      this.play("place");
    });
  }

  /** Plays a sound, if sounds are on. @param {"place"|"move"|"turn"|"capture"|"end"|null} name */
  play(name) {
    if (!name || !this.toggle.checked || typeof AudioContext === "undefined") return;
    this.#context ??= new AudioContext();
    // Browsers suspend audio before the first click.
    if (this.#context.state === "suspended") this.#context.resume().catch(() => {});
    const now = this.#context.currentTime;
    for (const [frequency, time, volume, after] of SOUNDS[name]) {
      const [tone, gain] = [this.#context.createOscillator(), this.#context.createGain()];
      tone.type = "triangle";
      tone.frequency.setValueAtTime(frequency, now + after);
      if (name !== "end") tone.frequency.exponentialRampToValueAtTime(frequency * 0.6, now + after + time);
      gain.gain.setValueAtTime(0.0001, now);
      gain.gain.setValueAtTime(0.5 * volume, now + after);
      gain.gain.exponentialRampToValueAtTime(0.0001, now + after + time);
      tone.connect(gain).connect(this.#context.destination);
      tone.start(now + after);
      tone.stop(now + after + time);
    }
  }
}

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // The choice then lasts for this visit.
  }
}
