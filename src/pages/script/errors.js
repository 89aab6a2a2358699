// Errors of requests.

/** A request that the program refused; its message is written for people. */
export class Refused extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** A request that did not reach the program. */
export class Unreachable extends Error {}
