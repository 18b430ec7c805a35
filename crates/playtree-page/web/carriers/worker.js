/** An engine in a worker of the page, for a page without a server. */

/** @import {Answer} from "./carrier.js" */

/** An engine that has failed is begun again this many times. */
const MOST_FAILURES = 3;

/** @type {Worker | null} */
let worker = null;
let failures = 0;
let count = 0;
/**
 * Those who wait for an answer, by its number.
 * @type {Map<number, {done: Function, no: Function}>}
 */
const waiting = new Map();
/** By the numbers that the engine has given them. @type {Map<number, WorkerEvents>} */
const listeners = new Map();

/** @param {object} message @returns {Promise<any>} */
function send(message) {
  if (failures >= MOST_FAILURES) return Promise.reject(new Error("the engine has failed"));
  worker ??= begin();
  const number = ++count;
  return new Promise((done, no) => {
    waiting.set(number, { done, no });
    worker?.postMessage({ ...message, number });
  });
}

function begin() {
  const begun = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
  begun.addEventListener("message", ({ data }) => {
    if (data.failure) console.error(data.failure);
    else if (data.name) listeners.get(data.listener)?.tell(data.name, data.data);
    else {
      waiting.get(data.number)?.done(data);
      waiting.delete(data.number);
    }
  });
  begun.addEventListener("error", (event) => {
    // It is of no use any more: what is asked next finds a new one.
    failures += 1;
    const error = new Error(event.message);
    for (const one of waiting.values()) one.no(error);
    waiting.clear();
    begun.terminate();
    worker = null;
    for (const one of [...listeners.values()]) one.tell("bye", "null");
    listeners.clear();
  });
  return begun;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
export async function ask(method, path, body) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const answer = await send({ do: "ask", method, path, body: text });
  return { status: answer.status, text: answer.body };
}

/** @param {string} session */
export function events(session) {
  return new WorkerEvents(session);
}

class WorkerEvents extends EventTarget {
  /** @type {number} */
  readyState = EventSource.OPEN;
  /** @type {number | null} */
  #listener = null;

  /** @param {string} session */
  constructor(session) {
    super();
    void send({ do: "listen", session }).then(
      ({ listener }) => this.#begin(listener),
      () => this.#end(),
    );
  }

  /** @param {number | null} listener */
  #begin(listener) {
    if (listener === null) return this.#end();
    this.#listener = listener;
    listeners.set(listener, this);
    if (this.readyState === EventSource.CLOSED) this.close();
  }

  #end() {
    this.readyState = EventSource.CLOSED;
    this.dispatchEvent(new Event("error"));
  }

  /** @param {string} name @param {string} data */
  tell(name, data) {
    this.dispatchEvent(new MessageEvent(name, { data }));
  }

  close() {
    this.readyState = EventSource.CLOSED;
    if (this.#listener === null) return;
    listeners.delete(this.#listener);
    worker?.postMessage({ do: "leave", listener: this.#listener });
    this.#listener = null;
  }
}
